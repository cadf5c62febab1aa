/** Python's layer of the box: user code finds no way to JavaScript, native memory or Pyodide's own objects. */
import { beforeAll, describe, expect, it } from 'vitest'
import { printedBy, start, type Started } from '../testing/start'

/** Every object that the collector, subclass lists and modules lead to. */
const REACHABLE = `import gc, sys, types
def reachable():
    seen, found, todo = set(), [], [gc.get_objects(), object.__subclasses__(), sys.modules, __builtins__]
    while todo:
        at = todo.pop()
        if id(at) in seen: continue
        seen.add(id(at)); found.append(at)
        todo += gc.get_referents(at)
    return found
`
const UNSAFE = ['_ctypes', '_imp', '_pyodide_core', '_remote_debugging', '_xxtestfuzz', 'xxsubtype', 'js', 'pyodide_js']

describe('Python in the box', () => {
  let py: Started
  beforeAll(async () => {
    py = await start()
  })

  it('leads to one object of JavaScript, and to no method of Pyodide', () => {
    const printed = printedBy(
      py,
      `${REACHABLE}from _fusescope import bridge
everything = reachable()
proxy = type(type(bridge._send))
names = ('_pyodide', 'pyodide', 'js', 'pyodide_js', '_pyodide_core', '_ctypes')
print(len(everything) > 50_000)
print(sum(o is bridge._send for o in everything), [o for o in everything if type(type(o)) is proxy and o is not bridge._send])
print([o for o in everything if isinstance(o, types.ModuleType) and str(vars(o).get('__name__')).partition('.')[0] in names])
print(sorted({n for o in everything if isinstance(o, type) and str(o.__module__).partition('.')[0] in names for n in vars(o) if n in
  ('to_py', 'new', 'object_entries', 'object_keys', 'as_object_map', 'to_weakref', 'create_module', 'exec_module', 'run', 'call_later')}))
print([f for f in everything if isinstance(f, types.FunctionType) and str(f.__module__).partition('.')[0] in names and f.__globals__])`,
    )
    expect(printed.split('\n')).toEqual(['True', '1 []', '[]', '[]', '[]'])
  })

  it('holds a function of JavaScript without properties, which keeps nothing', () => {
    const code = `from _fusescope import bridge
send = bridge._send
held = [n for n in ('constructor', 'prototype', '__proto__', 'call', 'apply', 'bind', 'name', 'length', 'caller', 'kept') if hasattr(send, n)]
try:
    send.kept = 1
except AttributeError: pass
print(held, hasattr(send, 'kept'), type(send({})).__name__, type(send(lambda: 1)).__name__)`
    expect([printedBy(py, code), printedBy(py, code)]).toEqual(Array(2).fill('[] False str str'))
  })

  it.each(UNSAFE)('cannot import %s', (name) => {
    const code = `import importlib, importlib.machinery as m, sys, types
from _fusescope.stubs import StubModule
sys.modules.pop('${name}', None)
def attempt(f):
    try: made = f()
    except BaseException: return False
    return made is not None and type(made) is not types.ModuleType and not isinstance(made, StubModule) or made is not None and any(not n.startswith('_') for n in vars(made))
loader = m.BuiltinImporter
print(attempt(lambda: importlib.import_module('${name}')), loader.find_spec('${name}') is not None,
  attempt(lambda: loader.create_module(m.ModuleSpec('${name}', loader))))`
    expect(printedBy(py, code)).toBe('False False False')
  })

  it('does not load native code', () => {
    expect(
      printedBy(
        py,
        `import importlib.machinery as m
open('/tmp/x.so', 'wb').write(bytes([0, 97, 115, 109, 1, 0, 0, 0]))
try: print(m.ExtensionFileLoader('x', '/tmp/x.so').create_module(m.ModuleSpec('x', None, origin='/tmp/x.so')))
except AttributeError as e: print(e)`,
      ),
    ).toBe("module '_imp' has no attribute 'create_dynamic'")
  })

  it('has a stub for ctypes, so that files that import it load', () => {
    const run = py.run('import ctypes\nfrom ctypes import CDLL, c_int\nprint(ctypes.PyDLL(None))')
    expect(run.failure).toBeNull()
    expect(run.stubs.map((s) => s.module)).toEqual(['ctypes'])
  })
})
