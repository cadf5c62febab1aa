import { beforeAll, describe, expect, test } from 'vitest'
import { MATCHER_IMPORTS as HEAD, printedBy, start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
})

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
    expect(printedBy(py, 'print(1)')).toBe('1')
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

  test('of all reachable objects, one is of JavaScript: our function, from which nothing else is reachable', () => {
    const source = `import gc, sys, types
seen, todo = {}, [sys.modules, sys._getframe(), gc.get_objects()]
while todo:
    o = todo.pop()
    if id(o) in seen or o is todo or o is seen:
        continue
    seen[id(o)] = o
    todo.extend(gc.get_referents(o))
    if isinstance(o, type):
        todo.extend(type.__subclasses__(o))
proxies = [o for o in seen.values() if type(o).__name__ == "JsProxy"]
for o in proxies:
    for name in ("constructor", "__proto__", "prototype", "call", "bind"):
        if getattr(o, name, None) is not None: print("leads on:", o, name)
modules = [o for o in seen.values() if isinstance(o, types.ModuleType) and "yodide" in repr(vars(o).get("__name__"))]
functions = [o for o in seen.values() if isinstance(o, types.BuiltinFunctionType) and "yodide" in str(o.__module__)]
print(len(seen) > 40000, len(proxies), modules, functions)`
    expect(printedBy(py, source)).toBe('True 1 [] []')
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
