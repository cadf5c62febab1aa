/** Small workspaces with one oddity each: mistakes, stubs, several files, missing shapes, failing checks. */
import { FIRST_MISTAKES, MISTAKES_GRAPH } from '../../engine/session/testing/first_mistakes'
import type { Workspace } from '../../workspace/types'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        relu: "f32[8, 4]" = torch.ops.aten.relu.default(x);  x = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(relu);  relu = None
        return (neg,)
`
const SHAPELESS = GRAPH.replaceAll(/: "f32\[8, 4\]"/g, '')

const VIEWED = GRAPH.replace(
  '        relu',
  '        view: "f32[8, 4]" = torch.ops.aten.view.default(x, [8, 4])\n        relu',
).replace('relu.default(x);  x = None', 'relu.default(view);  x = view = None')

const HEAD = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass(pass_name="odd")
def search(x):
    return torch.neg(torch.relu(x))
def register(replace=torch.tanh, check=None, to=patterns, search=search):
    more = {} if check is None else {"extra_check": check}
    register_replacement(search, replace, [torch.empty(8, 4)], fwd_only, to, **more)
`

const odd = (name: string, python: string | Record<string, string>, more: Partial<Workspace> = {}): Workspace => ({
  name,
  graph: { name: 'graph.py', text: GRAPH },
  files: Object.entries(typeof python === 'string' ? { 'patterns.py': python } : python).map(([file, text]) => ({
    name: file,
    text: `${HEAD}${text}\n`,
  })),
  options: { timeLimitS: 10 },
  ...more,
})
const shapeless = { graph: { name: 'graph.py', text: SHAPELESS } }

const stub = (use: string): string => `import acme\n${use}`

export const ODD_WORKSPACES: readonly Workspace[] = [
  ...FIRST_MISTAKES.map(([name, python]) => ({
    ...odd(name, '', { graph: { name: 'graph.py', text: MISTAKES_GRAPH } }),
    files: [{ name: 'patterns.py', text: python }],
  })),
  odd(
    'searches of replace_pattern, of which one fires',
    `from torch.fx.subgraph_rewriter import replace_pattern
aten = torch.ops.aten
def fuse(gm):
    for pattern in (lambda x: aten.abs(x), lambda x: aten.neg.default(aten.relu.default(x))):
        replace_pattern(gm, pattern, lambda x: aten.tanh.default(x))`,
    { passes: ['fuse'] },
  ),
  odd('a check that a stub decides', stub('register(check=lambda match: not acme.refused)')),
  odd('a branch that a stub decides', stub('if acme.has_kernels():\n    register()')),
  odd('a registration that a stub prevents', stub('if not acme.has_kernels():\n    register()')),
  odd('a file that raises beside one that does not', { 'a.py': 'register()', 'b.py': 'raise ValueError("no")' }),
  odd('a file that imports one that raises', { 'a.py': 'raise ValueError("no")', 'b.py': 'import a\nregister()' }),
  odd('a function that nobody calls', 'def register_all():\n    register()'),
  odd('a replacement that raises', 'def broken(x):\n    return torch.tanh(x).view(3)\nregister(broken)'),
  odd('a check that raises', 'register(check=lambda match: match.nothing)'),
  odd('a check that returns None', 'register(check=lambda match: None)'),
  odd(
    'a check of storages',
    'def check(match):\n    x = match.kwargs["x"]\n    a, b = x.meta["val"], x.args[0].meta["val"]\n    return a.untyped_storage()._cdata == b.untyped_storage()._cdata\nregister(check=check)',
    { graph: { name: 'graph.py', text: VIEWED } },
  ),
  odd('a check that prints', 'def check(match):\n    print("tried")\n    return True\nregister(check=check)'),
  odd(
    'a check of a missing shape',
    'register(check=lambda match: match.kwargs["x"].meta["val"].shape[0] > 4)',
    shapeless,
  ),
  odd('a graph without shapes', 'register()', shapeless),
  odd('shapes of inputs only', 'register()', { ...shapeless, inputShapes: { x: 'f32[8, 4]' } }),
  odd('two passes in another order', 'later = PatternMatcherPass()\nregister(to=later)\nregister()', {
    passes: ['patterns', 'later'],
  }),
  odd('a pass that is not defined', 'register()', { passes: ['nothing'] }),
  odd('a built-in pass', 'register()', { passes: ['inductor:remove_noop_ops', 'patterns'] }),
  odd('a second match in the replacement', 'register(lambda x: torch.neg(torch.relu(torch.neg(torch.relu(x)))))'),
  odd('numbers from random', 'import random\nfor _ in range(random.randint(1, 1)):\n    register()'),
  odd(
    'code on the graph',
    'def my_pass(graph):\n    for n in graph.nodes:\n        if n.target is torch.ops.aten.relu.default:\n            n.target = torch.ops.aten.sigmoid.default\n    return graph',
  ),
  odd('a graph with a line that cannot be read', 'register()', {
    graph: { name: 'graph.py', text: GRAPH.replace('        return', '        ???\n        return') },
  }),
]
