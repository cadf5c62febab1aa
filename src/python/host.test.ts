import { beforeAll, describe, expect, test } from 'vitest'
import { printGraph, read } from '../fx'
import { PythonError } from '../matcher/types'
import { start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
})

const HEAD = `import torch
from torch._inductor.pattern_matcher import *
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, joint_fwd_bwd, register_replacement, register_graph_pattern
`
const printed = (source: string): string => {
  const run = py.run(source)
  if (run.failure) throw new Error(run.failure.traceback)
  return run.console.map((c) => c.text).join('\n')
}

describe('running files', () => {
  test('each run starts fresh, without modules, passes and operators of the last one', () => {
    const source = `${HEAD}lib = torch.library.Library("q", "FRAGMENT")
lib.define("f(Tensor x) -> Tensor")
patterns = PatternMatcherPass()`
    for (let i = 0; i < 2; i++)
      expect(py.run(source)).toMatchObject({ failure: null, passes: [{ variable: 'patterns', passId: 0 }] })
    expect(py.run('import q_gone_module as m\nprint(len(dir(m)) > 0)').stubs.map((s) => s.module)).toEqual([
      'q_gone_module',
    ])
  })

  test('a pass imported by another file counts once, under its first name; objects may hold passes', () => {
    const run = py.run([
      { name: 'a.py', text: `${HEAD}second = PatternMatcherPass()\nfirst = second` },
      {
        name: 'b.py',
        text: `from a import second as alias, PatternMatcherPass
class Fusion:
    def __init__(self):
        self.patterns = PatternMatcherPass("held")
fusion_pass = Fusion()
last = PatternMatcherPass()`,
      },
    ])
    expect(run.passes.map((p) => p.variable)).toEqual(['second', 'fusion_pass.patterns', 'last'])
  })

  test('a failure names its class and the user’s frames only', () => {
    const { failure } = py.run(`import torch
def inner(x):
    return x @ x
inner(torch.empty(2, 3))`)
    expect(failure).toMatchObject({ type: 'RuntimeError' })
    expect(failure!.frames).toEqual([
      { file: 'p.py', line: 4, fn: '<module>', code: 'inner(torch.empty(2, 3))' },
      { file: 'p.py', line: 3, fn: 'inner', code: 'return x @ x' },
    ])
    expect(failure!.traceback).toMatch(/^Traceback \(most recent call last\):\n {2}File "p.py", line 4, in <module>/)
    expect(failure!.traceback).not.toContain('fusescope')
  })

  test('a SyntaxError has its position', () => {
    expect(py.run('import torch\ndef f(:\n  pass').failure).toMatchObject({
      type: 'SyntaxError',
      message: 'invalid syntax',
      frames: [{ file: 'p.py', line: 2, code: 'def f(:' }],
    })
  })

  test('output keeps its order and its unfinished lines; input() raises', () => {
    const run = py.run('import sys\nprint("a")\nprint("b", end="")\nsys.stderr.write("e\\n")\ninput("?")')
    expect(run.console).toEqual(
      expect.arrayContaining([
        { stream: 'stdout', text: 'a' },
        { stream: 'stdout', text: 'b?' },
        { stream: 'stderr', text: 'e' },
      ]),
    )
    expect(run.failure?.type).toBe('EOFError')
  })

  test.each([
    ['in Python', 'def f(n): return f(n + 1)\nf(0)'],
    ['through C', 'class A:\n    def __add__(self, o): return self + o\nA() + A()'],
    ['with the limit raised', 'import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return max([n], key=f)\nf(0)'],
    [
      'through a fake',
      'import torch\nlib = torch.library.Library("q", "FRAGMENT")\nlib.define("f(Tensor x) -> Tensor")\n' +
        'torch.library.register_fake("q::f", lambda x: torch.ops.q.f(x), lib=lib)\ntorch.ops.q.f(torch.empty(2))',
    ],
  ])('endless recursion %s raises RecursionError and Python stays usable', (_, source) => {
    expect(py.run(source).failure?.type).toBe('RecursionError')
    expect(printed('print(1)')).toBe('1')
  })
})

describe('the closed box', () => {
  test.each([
    'js',
    'pyodide_js',
    'pyodide.code',
    'pyodide.ffi',
    'pyodide.http',
    '_pyodide_core',
    '_pyodide',
    'micropip',
  ])('import %s fails', (module) => {
    expect(py.run(`try:\n    import ${module}\nexcept ImportError:\n    print("closed")`).console[0]?.text).toBe(
      'closed',
    )
  })

  test('the only reachable JavaScript object is our function, from which nothing else is reachable', () => {
    const source = `import gc
found = set()
for o in gc.get_objects():
    for r in gc.get_referents(o):
        if type(r).__name__ == "JsProxy" or "pyodide.ffi" in str(type(r)):
            if not isinstance(r, type):
                found.add((type(r).__name__, id(r)))
                for name in ("constructor", "__proto__", "prototype"):
                    if getattr(r, name, None) is not None: print("leads on:", r, name)
print(len({i for n, i in found if n == "JsProxy"}))`
    expect(printed(source)).toBe('1')
  })

  test('sockets go nowhere', () => {
    expect(py.run('import socket\nsocket.create_connection(("127.0.0.1", 9), timeout=1)').failure?.type).toBe(
      'PermissionError',
    )
  })
})

describe('stubs', () => {
  const source = `import triton, numpy as np
import triton.language as tl
from vllm.logger import init_logger
from vllm.compilation.passes import VllmPass
import importlib.util
logger = init_logger(__name__)
@triton.autotune(configs=[], key=["n"])
@triton.jit
def kernel(x, BLOCK: tl.constexpr = 1): return x
class Mine(VllmPass):
    def __init__(self, config):
        super().__init__(config)
        self.dtype = self.model_dtype
    @VllmPass.timed
    def run(self, x: np.ndarray | None = None): return 7
print(Mine(None).run(), kernel(1), isinstance(3, tl.constexpr), importlib.util.find_spec("triton_not_imported"))`

  test('work as decorators, base classes and annotations, and report the accessed attributes', () => {
    const run = py.run(source)
    expect(run.failure).toBeNull()
    expect(run.console.map((c) => c.text)).toEqual(['7 1 False None'])
    expect(Object.fromEntries(run.stubs.map((s) => [s.module, s.asked]))).toMatchObject({
      triton: ['autotune', 'jit'],
      'triton.language': ['constexpr'],
      'vllm.compilation.passes': ['VllmPass', 'VllmPass.model_dtype', 'VllmPass.timed'],
    })
    expect(Object.fromEntries(run.stubs.map((s) => [s.module, s.source?.line]))).toMatchObject({
      triton: 1,
      'triton.language': 2,
      'vllm.compilation.passes': 4,
    })
  })

  test('report the lines that depend on them', () => {
    const run = py.run(
      'import triton\nx = triton.config\nif triton.config.fast:\n    pass\nfor each in triton.all: pass',
    )
    expect(run.stubs).toMatchObject([
      {
        module: 'triton',
        decided: [
          {
            ...{ module: 'triton', asked: 'config.fast', answer: 'False', phase: 'load' },
            source: { line: 3, code: 'if triton.config.fast:' },
          },
          { module: 'triton', asked: 'all', answer: 'no items', phase: 'load', source: { line: 5 } },
        ],
      },
    ])
    expect(py.run('import triton\nx = triton.config').stubs[0]).not.toHaveProperty('decided')
  })

  test('names that PyTorch lacks raise AttributeError; other missing names are stubbed', () => {
    expect(py.run('import torch\ntorch.emtpy(2)').failure?.message).toBe("module 'torch' has no attribute 'emtpy'")
    expect(py.run('import torch\ntorch.ops.aten.adds').failure?.message).toBe(
      "'_OpNamespace' 'aten' object has no attribute 'adds'",
    )
    expect(py.run('import torch\nprint(torch.GradScaler)').stubs).toMatchObject([
      { module: 'torch', asked: ['GradScaler'] },
    ])
  })
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
      'joint_fwd_bwd',
      '[torch.empty(2)]',
      'joint_fwd_bwd',
      'NotImplementedError',
      'Fusescope traces inference patterns only: use fwd_only in place of joint_fwd_bwd',
    ],
    [
      'a trace_fn that returns no graph',
      '[torch.empty(2)]',
      'mine',
      'NotImplementedError',
      'the trace_fn mine returned a NoneType: Fusescope takes the GraphModule that fwd_only returned',
    ],
    [
      'a trace_fn that traces a training graph',
      '[torch.empty(2)]',
      'lambda fn, args, **kwargs: joint_fwd_bwd(fn, args, **kwargs)',
      'NotImplementedError',
      'Fusescope traces inference patterns only: use fwd_only in place of joint_fwd_bwd',
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
    expect(printed(source)).toBe('Duplicate pattern:\nTrue')
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
    expect(py.host.drainConsole().map((c) => c.text)).toEqual([
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
    expect(py.host.drainConsole()[0]!.text).toBe("['x', 'tanh_default', 'output'] torch.float32")
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
