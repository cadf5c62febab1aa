/** A folder is read file by file: outcomes of files that raise, import each other, or register late. */
import { beforeAll, expect, test } from 'vitest'
import { MATCHER_IMPORTS, start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
}, 120_000)

const PASS = `${MATCHER_IMPORTS}
p = PatternMatcherPass('p')
register_replacement(lambda x: torch.relu(x), lambda x: torch.sigmoid(x), [torch.empty(2)], fwd_only, p)
`
const outcomes = (files: Record<string, string>) => {
  const run = py.run(Object.entries(files).map(([name, text]) => ({ name, text })))
  const states = run.files.map((f) => {
    const line = f.failure?.frames.at(-1)?.line
    const state = f.failure ? `${f.failure.type} at ${line}` : f.stoppedBy ? `stopped by ${f.stoppedBy}` : f.registered
    return [f.file, state]
  })
  return { run, states: Object.fromEntries(states) as Record<string, string | number> }
}

test('a file that raises stops itself and what imports it', () => {
  const { run, states } = outcomes({
    'a.py': 'x = 1\nraise ValueError("no")\n',
    'b.py': 'import a\n',
    'c.py': 'import b\n',
    'd.py': PASS,
    'e.py': 'def (:\n',
    'f.py': 'try:\n    import a\nexcept ValueError:\n    a = None\n',
  })
  expect(states).toEqual({
    'a.py': 'ValueError at 2',
    'b.py': 'stopped by a.py',
    'c.py': 'stopped by a.py',
    'd.py': 1,
    'e.py': 'SyntaxError at 1',
    'f.py': 0,
  })
  expect(run.failure).toBe(null)
  expect(run.passes.map((p) => p.variable)).toEqual(['p'])
})

test('where no file defines a pass, the first exception is the failure of the run', () => {
  const { run } = outcomes({ 'a.py': 'x = 1\n', 'b.py': 'raise KeyError(3)\n' })
  expect(run.failure?.type).toBe('KeyError')
})

test('a failed __init__.py stops neither the modules of its package nor files that import those', () => {
  const { states } = outcomes({
    'pkg/__init__.py': 'from .missing_part import x\nraise OSError("no driver")\n',
    'pkg/missing_part.py': 'x = 1\n',
    'pkg/fuse.py': PASS,
    'main.py': 'from pkg import fuse\nfrom pkg.fuse import p\n',
    'other.py': 'from pkg import x\nfrom pkg import absent\n',
  })
  expect(states).toEqual({
    'pkg/__init__.py': 'OSError at 2',
    'pkg/missing_part.py': 0,
    'pkg/fuse.py': 1,
    'main.py': 0,
    'other.py': 'stopped by pkg/__init__.py',
  })
})

test('modules that import each other run from the entry point that works, and register once', () => {
  const { states } = outcomes({
    'a.py': `from b import helper\n${PASS}`,
    'b.py': 'def helper(): pass\nfrom a import p\n',
  })
  expect(states).toEqual({ 'a.py': 1, 'b.py': 0 })
})

test('a file in a package has its own name for the files beside it, not for itself and other folders', () => {
  const { states } = outcomes({
    'pkg/shapes_of_mine.py': 'x = 1\n',
    'pkg/main.py':
      'from shapes_of_mine import x\nimport shapes_of_mine as m\nassert m.__name__ == "pkg.shapes_of_mine"\n',
    'pkg/utils/fastlib.py': 'import fastlib\nassert fastlib.__name__ == "fastlib"\n',
    'other/main.py': 'import fastlib\nassert fastlib.__name__ == "fastlib"\n',
  })
  expect(Object.values(states)).toEqual([0, 0, 0, 0])
})

test('functions that register patterns and are not called are listed', () => {
  const { run } = outcomes({
    'late.py': `${MATCHER_IMPORTS}
p = PatternMatcherPass('p')
def one():
    register_replacement(lambda x: torch.relu(x), lambda x: torch.sigmoid(x), [torch.empty(2)], fwd_only, p)
def register():
    one()
def with_argument(p):
    one()
`,
    'called.py': `import late\ndef go():\n    late.one()\n`,
  })
  expect(run.files.map((f) => [f.file, f.uncalled])).toEqual([
    ['late.py', ['register']],
    ['called.py', ['go']],
  ])
  const again = outcomes({
    'late.py': `${MATCHER_IMPORTS}
p = PatternMatcherPass('p')
def register():
    register_replacement(lambda x: torch.relu(x), lambda x: torch.sigmoid(x), [torch.empty(2)], fwd_only, p)
`,
    'calls.py': 'import late\nlate.register()\n',
  })
  expect(again.run.files.map((f) => [f.registered, f.uncalled.length])).toEqual([
    [1, 0],
    [0, 0],
  ])
})

test('functions of other files and methods count as registering', () => {
  const { run } = outcomes({
    'manager.py': `${MATCHER_IMPORTS}
class Manager:
    def __init__(self):
        self.p = PatternMatcherPass('p')
    def register_pattern(self, search):
        register_replacement(search, lambda x: torch.sigmoid(x), [torch.empty(2)], fwd_only, self.p)
manager = Manager()
def add(searches):
    for search in searches:
        manager.register_pattern(search)
`,
    'fusions.py': `import atexit, torch
def activate():
    def inner():
        from manager import add
        add([lambda x: torch.relu(x)])
    inner()
def unrelated():
    atexit.register(print)
`,
  })
  expect(run.files.map((f) => [f.file, f.uncalled])).toEqual([
    ['manager.py', []],
    ['fusions.py', ['activate']],
  ])
})

test('annotations of functions are not evaluated', () => {
  const { run } = outcomes({
    'late.py': `${PASS}\ndef register(a: undefined_name = 1) -> also_undefined:\n    register_replacement\n`,
  })
  expect([run.failure, run.files[0]?.uncalled]).toEqual([null, ['register']])
})

test('a folder without the packages around it is found by the names under which its files import each other', () => {
  const { run, states } = outcomes({
    'passes/tools/cleanup.py': 'from ..base import Base\nclass Cleanup(Base):\n    pass\n',
    'passes/base.py': 'class Base:\n    pass\n',
    'passes/utils.py': 'import torch.utils\n',
    'passes/manager.py': `from acme.compilation.passes.tools.cleanup import Cleanup
from acme.compilation.passes.base import Base
assert Cleanup.__mro__[1] is Base
${PASS}`,
    'other/utils.py': 'x = 1\n',
  })
  expect(states).toEqual({
    'passes/tools/cleanup.py': 0,
    'passes/base.py': 0,
    'passes/utils.py': 0,
    'passes/manager.py': 1,
    'other/utils.py': 0,
  })
  expect(run.stubs).toEqual([])
  const module = (file: string) => run.files.find((f) => f.file === file)!.module
  expect([module('passes/base.py'), module('other/utils.py')]).toEqual(['acme.compilation.passes.base', 'other.utils'])
})

test('a folder named like one of PyTorch, with imports from above it and decorators of its own, is a package of the user', () => {
  const { run, states } = outcomes({
    'passes/__init__.py': '',
    'passes/pass_manager.py':
      'from torch.fx.passes.pass_manager import PassManager\nfrom .remove import remove_clones\n',
    'passes/logs.py': `from ...fx.utils import graph_text
from ..log import level
def log_pass(text):
    def outer(function):
        def inner(gm, *args):
            return function(gm, *args)
        return inner
    return outer
`,
    'passes/remove.py': `import torch
from .logs import log_pass
@log_pass("clones")
def remove_clones(gm: torch.fx.GraphModule):
    return gm
`,
  })
  expect(states).toEqual({
    'passes/__init__.py': 0,
    'passes/pass_manager.py': 0,
    'passes/logs.py': 0,
    'passes/remove.py': 0,
  })
  expect(run.line.map((s) => [s.variable, s.proposed, s.place?.file, s.place?.line])).toEqual([
    ['remove_clones', true, 'passes/remove.py', 3],
  ])
})
