/** Registrations, checks and handlers of user files, as the host passes them on. */
import { beforeAll, describe, expect, test } from 'vitest'
import { printGraph, read } from '../fx'
import { PythonError } from '../matcher/types'
import { MATCHER_IMPORTS as HEAD, printedBy, start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
})

describe('registration', () => {
  const CASES = `${HEAD}import enum, dataclasses
from typing import NamedTuple
class GroupShape(NamedTuple):
    row: int
    col: int
@dataclasses.dataclass(frozen=True)
class QuantKey:
    dtype: torch.dtype
    group: GroupShape
class Mode(enum.Enum):
    A = 1
kFp8Dynamic128Sym = QuantKey(torch.float8_e4m3fn, GroupShape(1, 128))
class Act:
    def __init__(self, quant_key, eps, mode):
        self.quant_key, self.eps, self.mode = quant_key, eps, mode
        self.op, self.buffer, self._hidden = torch.ops.aten.add.Tensor, torch.empty(2), 3
    def register(self, p):
        scale = 2
        def pattern(x): return x * scale + self.eps
        def replacement(x): return x
        register_replacement(pattern, replacement, [torch.empty(2, 2)], fwd_only, p)
class Bound:
    def __init__(self, k): self.k = k
    def search(self, x): return x - self.k
    def replace(self, x): return x
patterns = PatternMatcherPass()
Act(QuantKey(torch.float8_e4m3fn, GroupShape(1, 128)), 1e-5, Mode.A).register(patterns)
b = Bound(3)
register_replacement(b.search, b.replace, [torch.empty(2, 2)], fwd_only, patterns)
def top(x): return x.sin()
register_replacement(top, top, [torch.empty(2, 2)], fwd_only, [patterns])`

  test('passes on titles, source lines and the bindings that distinguish siblings', () => {
    expect(py.run(CASES).failure).toBeNull()
    expect(py.registrations.map(({ title, bindings, source }) => ({ title, bindings, line: source?.line }))).toEqual([
      {
        title: 'Act',
        bindings: { scale: '2', quant_key: 'kFp8Dynamic128Sym', eps: '1e-5', mode: 'Mode.A' },
        line: 24,
      },
      { title: 'Bound', bindings: { k: '3' }, line: 32 },
      { title: 'top', bindings: {}, line: 34 },
    ])
  })

  test.each([
    [
      'example inputs that are not a list',
      '"x"',
      'fwd_only',
      'TypeError',
      "example_inputs must be a list or tuple, got <class 'str'>",
    ],
    [
      'joint_fwd_bwd without an input that requires a gradient',
      '[torch.empty(2)]',
      'joint_fwd_bwd',
      'AssertionError',
      'gm was not set',
    ],
    [
      'a trace_fn that returns no graph',
      '[torch.empty(2)]',
      'mine',
      'NotImplementedError',
      'the trace_fn mine returned a NoneType: Fusescope takes the GraphModule that fwd_only returned',
    ],
    [
      'the same in a trace_fn of the user',
      '[torch.empty(2)]',
      'lambda fn, args, **kwargs: joint_fwd_bwd(fn, args, **kwargs)',
      'AssertionError',
      'gm was not set',
    ],
    ['too few example inputs', '[]', 'fwd_only', 'IndexError', 'list index out of range'],
  ])('refuses %s', (_, inputs, traceFn, type, message) => {
    const { failure } = py.run(`${HEAD}def mine(fn, args, get_decomp_fn): pass
def f(x): return x.sin()
register_replacement(f, f, ${inputs}, ${traceFn}, PatternMatcherPass())`)
    expect(failure).toMatchObject({ type, message })
  })

  test('user code can catch the registry’s exceptions by class', () => {
    const source = `${HEAD}p = PatternMatcherPass()
def f(x): return x.sin()
register_replacement(f, f, [torch.empty(2)], fwd_only, p)
try:
    register_replacement(f, f, [torch.empty(2)], fwd_only, p)
except RuntimeError as e:
    print(str(e)[:18])
print(register_replacement(f, f, [torch.empty(2)], fwd_only, p, skip_duplicates=True) is not None)`
    expect(printedBy(py, source)).toBe('Duplicate pattern:\nTrue')
  })

  test('an exception in a pattern reaches Python unchanged, with its own frames', () => {
    const { failure } = py.run(`${HEAD}class Mine(ValueError): pass
def f(x):
    raise Mine("not today")
try:
    register_replacement(f, f, [torch.empty(2)], fwd_only, PatternMatcherPass())
except Mine as e:
    print("mine")
    raise`)
    expect(failure).toMatchObject({ type: 'Mine', message: 'not today' })
    expect(failure!.frames.map((f) => f.line)).toContain(6)
  })

  test('nodes have their source line in the pattern', () => {
    py.run(`${HEAD}def helper(x):
    return x.cos()
def f(x):
    y = helper(x)
    return y.sin()
register_replacement(f, f, [torch.empty(2)], fwd_only, PatternMatcherPass())`)
    const lines = [...py.trace(py.registrations[0]!).nodes()].flatMap((n) =>
      n.meta.source ? [[n.name, n.meta.source.line]] : [],
    )
    expect(lines).toEqual([
      ['cos', 5],
      ['sin', 8],
    ])
  })

  test('trace throws PythonError with the user’s frames', () => {
    py.run(`${HEAD}def f(x): return x.sin()
def g(x): return x.nope
register_replacement(f, g, [torch.empty(2)], fwd_only, PatternMatcherPass())`)
    const { replace, argNames, exampleInputs } = py.registrations[0]!
    expect(() => py.host.trace(replace, argNames, exampleInputs)).toThrow(PythonError)
    try {
      py.host.trace(replace, argNames, exampleInputs)
    } catch (e) {
      expect(e).toMatchObject({ pythonType: 'AttributeError', frames: [{ file: 'p.py', line: 5, fn: 'g' }] })
    }
  })
})

describe('checks and handlers', () => {
  const GRAPH = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})
    %cos : [num_users=1] = call_function[target=torch.ops.aten.cos.default](args = (%sin,), kwargs = {})
    return cos`
  const READABLE = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 2][2, 1]cpu"):
        sin: "f32[2, 2][2, 1]cpu" = torch.ops.aten.sin.default(x);  x = None
        cos: "f32[2, 2][2, 1]cpu" = torch.ops.aten.cos.default(sin);  sin = None
        return cos`
  const apply = (source: string): { text: string; count: number; error: string | null } => {
    const run = py.run(`${HEAD}import operator\n${source}`)
    if (run.failure) throw new Error(run.failure.traceback)
    const { graph } = read(READABLE, 'g.txt')
    const result = py.registry.apply(run.passes[0]!.passId, graph)
    return {
      text: printGraph(graph),
      count: result.count,
      error: result.error && `${result.error.pythonType}: ${result.error.message}`,
    }
  }

  test('both forms of the graph are equivalent', () => {
    expect(printGraph(read(READABLE, 'g.txt').graph).split('\n').length).toBe(GRAPH.split('\n').length)
  })

  test('an extra_check reads the match, and its output is captured', () => {
    const source = `def f(x): return x.sin().cos()
def check(match):
    node = match.output_node()
    print(node.name, node.op, node.target is torch.ops.aten.cos.default, node.args, node.meta["val"].shape, len(node.users))
    print(match.kwargs["x"].name, isinstance(match.kwargs["x"], torch.fx.Node), [n.name for n in match.nodes], node.args[0].args)
    return False
patterns = PatternMatcherPass()
register_replacement(f, lambda x: x.tanh(), [torch.empty(2, 2)], fwd_only, patterns, extra_check=check)`
    expect(apply(source).count).toBe(0)
    expect(py.host.takeOutput().map((c) => c.text)).toEqual([
      'cos call_function True (sin,) torch.Size([2, 2]) 1',
      "x True ['sin', 'cos'] (x,)",
    ])
  })

  test('a handler creates nodes, replaces uses and erases nodes', () => {
    const source = `patterns = PatternMatcherPass()
aten = torch.ops.aten
@register_graph_pattern(CallFunction(aten.cos.default, CallFunction(aten.sin.default, KeywordArg("x"))), pass_dict=patterns)
def handler(match, x):
    node = match.output_node()
    with match.graph.inserting_before(node):
        new = match.graph.call_function(aten.tanh.default, (x,))
    new.meta.update(node.meta)
    node.replace_all_uses_with(new)
    match.erase_nodes()
    print([n.name for n in match.graph.nodes], new.meta["val"].dtype)`
    const { text, count } = apply(source)
    expect(count).toBe(1)
    expect(text).toContain(
      '%tanh_default : [num_users=1] = call_function[target=torch.ops.aten.tanh.default](args = (%x,), kwargs = {})\n    return tanh_default',
    )
    expect(py.host.takeOutput()[0]!.text).toBe("['x', 'tanh_default', 'output'] torch.float32")
  })

  test('a check cannot edit; a node with users cannot be erased', () => {
    const source = (body: string) => `patterns = PatternMatcherPass()
aten = torch.ops.aten
@register_graph_pattern(CallFunction(aten.sin.default, KeywordArg("x")), pass_dict=patterns)
def handler(match, x):
    ${body}`
    expect(apply(source('match.graph.erase_node(match.output_node())')).error).toBe(
      'RuntimeError: Tried to erase Node sin but it still had 1 users in the graph: {cos: None}!',
    )
  })
})
