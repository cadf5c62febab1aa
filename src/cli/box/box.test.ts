/** The box of user code: what it refuses, how it ends, and what is printed then. */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { visible } from '../output'
import { pathsIn } from './rights'

const folder = mkdtempSync(join(tmpdir(), 'fusescope-box-'))
const at = (name: string): string => join(folder, name)
writeFileSync(
  at('g.txt'),
  'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n    return (relu,)\n',
)

function run(python: string, ...args: string[]): { status: number | null; out: string; err: string } {
  writeFileSync(at('p.py'), python)
  const made = spawnSync(
    process.execPath,
    ['scripts/cli.mjs', 'match', '--graph', at('g.txt'), '--pattern', at('p.py'), ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, SECRET: 'secret' },
    },
  )
  return { status: made.status, out: made.stdout, err: made.stderr }
}

afterAll(() => rmSync(folder, { recursive: true }))

describe('the box of user code', () => {
  it('stops code that does not end, with one sentence and status 3', () => {
    const { status, out, err } = run('while True: pass', '--timeout', '6')
    expect({ status, out, err }).toEqual({
      status: 3,
      out: '',
      err: 'user code ran for more than 6 s and was stopped; --timeout SECONDS changes the limit (0: none).\n',
    })
  })

  it.each([
    ['os.abort()', 'import os\nos.abort()\n'],
    ['a list that nests 100,000 deep', 'x = []\nfor i in range(100000): x = [x]\nprint(x)\n'],
    ['a recursion', 'def f(): return f()\nf()\n'],
    ['memory', 'x = [bytearray(10**9) for _ in range(9)]\n'],
  ])('%s prints no stack of Python or of JavaScript', (_, python) => {
    const { status, err } = run(python)
    expect(status).toBe(2)
    expect(err).not.toMatch(/\/fusescope\/|wasm|at \w+ \(|node:internal|\.mjs|Pyodide/)
    expect(err.trimEnd().split('\n').at(-1)).toMatch(/^p\.py(?::\d+)?: \w+Error:/)
  })

  it('opens no socket: to connect, to listen, or to send', () => {
    const { out } = run(`import socket
def outcome(act):
    try:
        return act()
    except OSError as e:
        return type(e).__name__
tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
print(outcome(lambda: tcp.connect(('127.0.0.1', 80))), outcome(lambda: tcp.bind(('127.0.0.1', 0))), outcome(lambda: tcp.listen()))
print(outcome(lambda: udp.sendto(b'x', ('127.0.0.1', 9))), outcome(lambda: socket.getaddrinfo('example.org', 80)[0][4][0][:4]))
`)
    expect(out.split('\n').slice(0, 2)).toEqual([
      'PermissionError PermissionError PermissionError',
      // The address of a name is made up.
      'PermissionError 172.',
    ])
  })

  it('reads a folder inside of a package', () => {
    mkdirSync(at('outer/inner'), { recursive: true })
    for (const name of ['outer/__init__.py', 'outer/inner/__init__.py']) writeFileSync(at(name), '')
    writeFileSync(at('outer/inner/q.py'), 'print(__name__)\n')
    const { out } = run('', '--pattern', at('outer/inner'))
    expect(out).toContain('inner.q\n')
  })

  it('says in one sentence that code broke the Python it runs in, and cuts what Python says about it', () => {
    const { status, err } = run(`import torch
from torch._inductor.pattern_matcher import *
from _fusescope import host
patterns = PatternMatcherPass()
register_replacement(lambda x: torch.relu(x), lambda x: torch.sin(x), [torch.empty(4)], fwd_only, patterns)
def evil(text): raise ValueError('x' * 10**7)
host.handle.__code__ = evil.__code__
`)
    expect([status, err.length < 700]).toEqual([2, true])
    expect(err).toMatch(
      /^RuntimeError: the code changed Python itself, so this run cannot go on \(ValueError: x+… \(9,9/,
    )
  })

  it.runIf(existsSync('/dev/full'))('says in one sentence that the output could not be written', () => {
    writeFileSync(at('p.py'), 'print(1)\n')
    for (const args of [['help'], ['match', '--graph', at('g.txt'), '--pattern', at('p.py')]]) {
      const full = openSync('/dev/full', 'w')
      const stdio = ['ignore', full, 'pipe'] as const
      const { status, stderr } = spawnSync(process.execPath, ['scripts/cli.mjs', ...args], {
        encoding: 'utf8',
        stdio: [...stdio],
      })
      closeSync(full)
      expect([args[0], status, stderr.split('\n').at(-2)]).toEqual([
        args[0],
        2,
        'the output could not be written: no space is left on the device.',
      ])
    }
  })

  it('changes no mask of the process', () => {
    expect(run('import os\nprint(os.umask(0o777), os.umask(0o777))\n').out).toMatch(/^18 18\n/)
  })

  it('escapes what a terminal would obey', () => {
    const { out, err } = run('print("\\x1b[2J\\x9b1m\\u202e")\nraise ValueError("\\x1b]0;title\\x07")\n')
    expect({ out, err }).toEqual({
      out: '\\x1b[2J\\x9b1m\\u202e\n',
      err: expect.stringContaining('ValueError: \\x1b]0;title\\x07\n') as string,
    })
    expect(visible('a\tb\r\nc\u2028d\u0000')).toBe('a\tb\nc\\u2028d\\x00')
  })
})

describe('the paths that arguments name', () => {
  it('are files, numbered graphs and folders of globs, not options', () => {
    process.env.INIT_CWD = folder
    mkdirSync(at('more'))
    const args = ['match', '--graph', 'g.txt@2', '--pattern', 'more/**/*_fusion.py', '--shapes=s.json', '--json']
    const paths = pathsIn(args)
    delete process.env.INIT_CWD
    expect(paths).toEqual([at('match'), at('g.txt@2'), at('g.txt'), at('more'), at('s.json')])
  })
})
