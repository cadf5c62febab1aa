/** The box of user code: what it refuses, how it ends, and what is printed then. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
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

interface Made {
  status: number | null
  out: string
  err: string
}

function cli(...args: string[]): Made {
  const made = spawnSync(process.execPath, ['scripts/cli.mjs', ...args], {
    encoding: 'utf8',
    env: { ...process.env, SECRET: 'secret' },
  })
  return { status: made.status, out: made.stdout, err: made.stderr }
}

function run(python: string, ...args: string[]): Made {
  writeFileSync(at('p.py'), python)
  return cli('match', '--graph', at('g.txt'), '--pattern', at('p.py'), ...args)
}

afterAll(() => rmSync(folder, { recursive: true }))

describe('the box of user code', () => {
  it('stops code that does not end, with one sentence and status 3', () => {
    const { status, out, err } = run('while True: pass', '--timeout', '2')
    expect({ status, out, err }).toEqual({
      status: 3,
      out: '',
      err: 'user code ran for more than 2 s and was stopped; --timeout SECONDS changes the limit (0: none).\n',
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
    const { err } = run(`import socket
def outcome(act):
    try:
        return act()
    except OSError as e:
        return type(e).__name__
tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
print(outcome(lambda: tcp.connect(('127.0.0.1', 80))), outcome(lambda: tcp.bind(('127.0.0.1', 0))), outcome(lambda: tcp.listen()))
print(outcome(lambda: udp.sendto(b'x', ('127.0.0.1', 9))), outcome(lambda: socket.getaddrinfo('example.org', 80)[0][4][0][:4]))
`)
    expect(err.split('\n').slice(0, 2)).toEqual([
      'user code: PermissionError PermissionError PermissionError',
      // The address of a name is made up.
      'user code: PermissionError 172.',
    ])
  })

  it('reads a folder inside of a package', () => {
    mkdirSync(at('outer/inner'), { recursive: true })
    for (const name of ['outer/__init__.py', 'outer/inner/__init__.py']) writeFileSync(at(name), '')
    writeFileSync(at('outer/inner/q.py'), 'print(__name__)\n')
    const { err } = run('', '--pattern', at('outer/inner'))
    expect(err).toContain('inner.q\n')
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
    expect(run('import os\nprint(os.umask(0o777), os.umask(0o777))\n').err).toMatch(/^user code: 18 18\n/)
  })

  it('marks on stderr all that user code writes, to whichever file of the terminal, and leaves stdout alone', () => {
    const { out, err } = run(`import faulthandler, os, sys, warnings
os.write(1, b'forged 1\\n'); os.write(2, b'forged 2\\n'); os.fdopen(os.dup(1), 'w').write('forged 3\\n')
for name in ('stdout', 'stderr', 'tty'): open('/dev/' + name, 'w').write('forged ' + name + '\\n')
sys.__stdout__.write('forged 4\\n'); sys.displayhook('forged 5'); sys.excepthook(ValueError, ValueError('forged 6'), None)
warnings.warn('7\\nforged 8'); print('9\\rforged 9\\x0bforged 9'); faulthandler.dump_traceback()
class Late:
    def __del__(self): raise ValueError('10\\nforged 10')
Late()
`)
    expect(out).toBe('graph: 3 nodes, 3 after\n')
    const lines = err.trimEnd().split('\n')
    expect(lines.filter((line) => line.includes('forged')).length).toBeGreaterThanOrEqual(12)
    expect(lines.slice(0, -1).filter((line) => !line.startsWith('user code: '))).toEqual([])
    expect(lines.at(-1)).toMatch(/no pass was found/)
  })

  it('reads a folder beside a graph whose name begins like it', () => {
    for (const name of ['llama', 'llama.d']) mkdirSync(at(name))
    writeFileSync(at('llama.txt'), readFileSync(at('g.txt')))
    writeFileSync(at('llama/fuse.py'), 'print("read")\n')
    const made = cli('match', '--graph', at('llama.txt'), '--pattern', at('llama'))
    expect(made.err).toMatch(/^user code: read\n/)
  })

  it('says a refusal once, where Python’s memory is not yet stored', () => {
    const text = readFileSync(at('g.txt'), 'utf8').replace('    return', '    %relu : [num_users=0] = oops\n    return')
    writeFileSync(at('twice.txt'), text)
    process.env.FUSESCOPE_CACHE = at('cache')
    const { err } = cli('match', '--graph', at('twice.txt'), '--pattern', at('p.py'))
    delete process.env.FUSESCOPE_CACHE
    expect(readdirSync(at('cache'))).toEqual(['python'])
    expect(err.match(/twice\.txt:4/g)).toHaveLength(1)
  })

  it('escapes what a terminal would obey', () => {
    const { out, err } = run('print("\\x1b[2J\\x9b1m\\u202e")\nraise ValueError("\\x1b]0;title\\x07")\n')
    expect(out).toBe('')
    expect(err).toMatch(/^user code: \\x1b\[2J\\x9b1m\\u202e\n.*ValueError: \\x1b\]0;title\\x07\n$/)
    expect(visible('a\tb\r\nc\u2028d\u0000')).toBe('a\\tb\\r\\nc\\u2028d\\x00')
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
