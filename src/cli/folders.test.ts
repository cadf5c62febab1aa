/** Folders and globs of `--pattern`, and `--call` of functions that register patterns. */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, file, fusescope, graph, ownFolder, pattern } from './testing/program'
import { pythonFilesAt } from './folders'

ownFolder()

const GRAPH = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (relu,)
`
const LATE = `from torch._inductor.pattern_matcher import *
import torch
from . import helpers

p = PatternMatcherPass('p')

@register_graph_pattern(CallFunction(torch.ops.aten.sigmoid.default, Arg()), pass_dict=p)
def early(match, x): pass

def register():
    register_graph_pattern(CallFunction(torch.ops.aten.relu.default, Arg()), pass_dict=p)(lambda match, x: None)
`
const names = (name: string): (string | null)[] => {
  const found = pythonFilesAt(name)
  return found.ok ? found.value.map((f) => f.module) : [found.error.message]
}

function write(): void {
  file('graph.txt', GRAPH)
  file('proj/__init__.py', '')
  file('proj/helpers.py', 'x = 1\n')
  file('proj/passes/__init__.py', '')
  file('proj/passes/late.py', LATE.replace('from . import', 'from .. import'))
  file('proj/passes/broken.py', 'raise OSError("no driver")\n')
  file('proj/__pycache__/late.py', '')
  file('loose/a.py', '')
}

describe('--pattern', () => {
  it('takes a folder with the paths of its package, and a glob', () => {
    write()
    expect(names('proj')).toEqual([
      'proj/__init__.py',
      'proj/helpers.py',
      'proj/passes/__init__.py',
      'proj/passes/broken.py',
      'proj/passes/late.py',
    ])
    expect(names('proj/passes')).toEqual(names('proj').slice(2))
    expect(names('loose')).toEqual(['a.py'])
    expect(names('proj/**/l*.py')).toEqual(['proj/passes/late.py'])
    expect(names('proj/*.py')).toEqual(['proj/__init__.py', 'proj/helpers.py'])
    expect(names('proj/passes/?ate.py')).toEqual(['proj/passes/late.py'])
    expect(names('proj/*.txt')[0]).toMatch(/no Python file has such a name/)
    expect(names('single.py')).toEqual([null])
  })

  it('does not follow links out of a folder, and says so', async () => {
    write()
    const folder = process.env.INIT_CWD!
    for (const [target, name] of [
      ['../secret.py', 'linked/out.py'],
      ['..', 'linked/up'],
      ['/etc/hostname', 'linked/host.py'],
      ['nowhere', 'linked/lost.py'],
      ['real.py', 'linked/in.py'],
    ] as const) {
      file('linked/real.py', 'x = 1\n')
      rmSync(join(folder, name), { force: true })
      symlinkSync(target, join(folder, name))
    }
    file('secret.py', 'the secret = 1\n')
    const { err } = await fusescope('match', '--graph', 'graph.txt', '--pattern', 'linked')
    expect(err.split('\n')[0]).toBe(
      'linked: 4 links out of the folder are not followed: host.py, lost.py, out.py and up.',
    )
    expect(err).not.toContain('secret =')
    expect(names('linked')).toEqual(['in.py', 'real.py'])
    expect(names('linked/*.py')).toEqual(['in.py', 'real.py'])
    expect(names('linked/../linked/o*.py')[0]).toMatch(/no Python file has such a name/)
  })

  it('reads a folder file by file: a file that raises is named, the others register', async () => {
    write()
    const { status, out, err } = await fusescope('match', '--graph', 'graph.txt', '--pattern', 'proj')
    expect([status, out.split('\n')[0]]).toEqual([0, 'p: 0 matches from 1 pattern'])
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/passes\/broken\.py: OSError at line 1: no driver/),
      expect.stringMatching(
        /passes\/late\.py: register\(\) registers patterns and is not called; --call proj\.passes\.late\.register calls it/,
      ),
    ])
    expect(await complaint('match', '--graph', 'graph.txt', '--pattern', 'loose/*.txt')).toMatch(
      /^loose\/\*\.txt:1:1: /,
    )
  })
})

describe('--call', () => {
  it('calls a function, or all that register patterns and are not called', async () => {
    write()
    const match = (...calls: string[]) =>
      fusescope('match', '--graph', 'graph.txt', '--pattern', 'proj', '--call', ...calls)
    for (const call of ['proj.passes.late.register', 'all']) {
      const { out, err } = await match(call)
      expect(out).toMatch(/^p: 1 match from 2 patterns/)
      expect(err).not.toMatch(/not called/)
    }
    const json = await match('all', '--json')
    const { passes } = JSON.parse(json.out) as { passes: { count: number }[] }
    expect(passes.map((p) => p.count)).toEqual([1])
    expect((await match('proj.passes.late.missing')).err).toMatch(/registration_calls\.py: AttributeError at line 3/)
    const { out, err } = await match('proj.passes.late.missing', '--call', 'proj.passes.late.register')
    expect(out).toMatch(/^p: 1 match from 2 patterns/)
    expect(err).toMatch(/registration_calls\.py: AttributeError at line 3/)
  })

  it('works for graphs, passes and explain, and refuses a name that is not a function', async () => {
    write()
    const on = ['--pattern', 'proj', '--call', 'all']
    expect((await fusescope('match', '--graphs', 'graph.txt', ...on)).out.trimEnd()).toMatch(/ 1$/)
    expect((await fusescope('passes', '--graph', 'graph.txt', ...on)).out).toMatch(/1 matches, 2 patterns/)
    expect((await fusescope('explain', '--graph', 'graph.txt', '--quick', ...on)).status).toBe(0)
    expect(await complaint('match', '--graph', graph, '--pattern', pattern, '--call', 'register()')).toMatch(
      /--call needs MODULE\.FUNCTION or all, found "register\(\)"/,
    )
  })
})
