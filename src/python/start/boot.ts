/** Python code of the start. */

/** Finds the holders of JavaScript objects, among the objects that the garbage collector lists. */
const HOLDERS = `
def _holders():
    import gc
    from pyodide.ffi import JsProxy
    # isinstance would ask the metaclass for each value.
    kind = type(JsProxy)
    return [o for o in gc.get_objects() if any(type(type(r)) is kind for r in gc.get_referents(o))]
`

/**
 * Puts the bundled files on the path and imports what every run needs. `FILES` is a JSON file with their texts.
 * gc.freeze takes all of this out of the garbage collector's lists: collections are faster, and user code cannot
 * enumerate it.
 */
export const PREPARE = `${HOLDERS}
def _prepare():
    import gc, json, os, sys, types
    with open('FILES') as file:
        texts = json.load(file)
    os.remove('FILES')
    bundle = sys.modules['_fusescope.bundle'] = types.ModuleType('_fusescope.bundle')
    exec(compile(texts['_fusescope/bundle.py'], '/fusescope/lib/_fusescope/bundle.py', 'exec'), vars(bundle))
    if COMPILE:
        bundle.leave_out_columns()
    bundle.install('FILES', texts)
    # What a run imports beyond these, it imports again in each run.
    import argparse, bisect, datetime, fractions, hashlib, heapq, pprint, statistics, urllib.parse
    import torch, torch.library, torch.nn.functional, torch._inductor.pattern_matcher, torch._higher_order_ops.auto_functionalize
    from _fusescope import host
    host.install()
    if COMPILE:
        bundle.compile_all()
    gc.collect()
    found = _holders()
    # CPython keeps the names of this module, to make it again.
    import _pyodide_core as core
    copies = [d for d in gc.get_referrers(core.create_proxy) if type(d) is dict and 'create_proxy' in d and d.get('__name__') == '_pyodide_core']
    gc.freeze()
    del gc.unfreeze
    return found, copies
_found, _copies = _prepare()
del _prepare
`

/**
 * After a start from a snapshot: reads the directory of the standard library again if its zip differs from the one that the
 * snapshot was made with (pack.ts), that is, if no file begins at the last offset.
 */
export const READ_STDLIB = `
def _read_stdlib():
    import zipimport
    directories = zipimport._zip_directory_cache
    for archive, files in [*directories.items()]:
        with open(archive, 'rb') as file:
            file.seek(max(entry[4] for entry in files.values()))
            same = file.read(4) == b'PK\\x03\\x04'
        if not same:
            directories[archive] = zipimport._read_directory(archive)
_read_stdlib()
del _read_stdlib
`

/** Yields `connect(send) → handle`. */
export const CONNECT = `
def _connect(send):
    from _fusescope import bridge, host
    bridge.connect(send)
    return host.handle
_connect
`

/**
 * Yields a function that cuts Python off from JavaScript. Pyodide's own modules lose their references to page objects and all their
 * names, are removed from sys.modules and cannot be imported again; its classes lose their methods, and JavaScript objects their
 * attributes. The one remaining function has no prototype, so nothing is reachable from it. In a browser, src/python/box and the
 * policy of the worker's frame are further layers.
 */
export const CLOSE_DOORS = `
import sys
# Pyodide puts '' first at each start.
sys.path[:] = dict.fromkeys(['/fusescope/lib', *sys.path])
def _close(found=_found, copies=_copies, holders=_holders, sys=sys):
    import _imp, types
    from pyodide.ffi import JsProxy
    from _fusescope import bridge
    roots = ('js', 'pyodide_js', 'pyodide', '_pyodide', '_pyodide_core')
    removed = (*roots, '_ctypes', '_testcapi', '_testinternalcapi', 'pyodide.http', 'pyodide.code', 'pyodide.ffi', 'micropip')
    theirs = [n for n in sys.modules if n.partition('.')[0] in roots]
    sys.meta_path[:] = [f for f in sys.meta_path if not (f if isinstance(f, type) else type(f)).__module__.startswith('_pyodide')]
    for holder in [*found, *holders()]:
        if isinstance(holder, types.CellType):
            holder.cell_contents = None
            continue
        names = holder if isinstance(holder, dict) else getattr(holder, '__dict__', {})
        for key, value in names.items():
            if isinstance(value, JsProxy) and names is not vars(bridge):
                names[key] = None
    # C code reads and calls objects of JavaScript without these.
    proxies = type(bridge._send).__mro__[:-1]
    kept = ('__call__', '__vectorcalloffset__', '__module__', '__doc__', '__new__', '__init__', '__dict__', '__weakref__', '_js_type_flags')
    def empty(value):
        if (getattr(value, '__module__', None) or '').partition('.')[0] not in roots:
            return
        if isinstance(value, types.FunctionType):
            for cell in value.__closure__ or ():
                cell.cell_contents = None
        elif isinstance(value, type):
            for name in list(vars(value)):
                if name not in kept:
                    try:
                        type.__delattr__(value, name)
                    except (AttributeError, TypeError):
                        pass
    # C code makes them from errors of JavaScript; a constructor would make an error of JavaScript.
    def refuse(*args, **kwargs):
        raise TypeError('only JavaScript makes these')
    for exception in [c for c in type.__subclasses__(proxies[-1]) if issubclass(c, Exception)]:
        exception.__new__ = refuse
    # Their functions and classes, which subclass lists lead to, keep nothing to work with.
    modules = [sys.modules[n] for n in theirs if isinstance(sys.modules[n], types.ModuleType)]
    for value in [*(v for module in modules for v in vars(module).values()), *proxies]:
        empty(value)
    for names in [*map(vars, modules), *copies]:
        names.clear()
    for name in (*theirs, *removed):
        sys.modules[name] = None
    # Pyodide wraps it with a function that waits for a promise.
    import time
    time.sleep = getattr(time.sleep, '__wrapped__', time.sleep)
    # Emscripten runs a shell where it runs in Node.
    import os, posix
    del os.system, posix.system
    # Loads a .so file, that is, code with access to all of Emscripten.
    del _imp.create_dynamic, _imp.exec_dynamic
    vars(sys.modules['__main__']).clear()
_close
`

/** Disables sockets, which Emscripten implements over WebSockets. */
export function closeSockets(module: { SOCKFS?: { websocket_sock_ops?: Record<string, unknown> } }): void {
  const operations = module.SOCKFS?.websocket_sock_ops
  if (!operations) return
  const refuse = (): never => {
    throw Object.assign(new Error('no network'), { name: 'ErrnoError', errno: NOT_PERMITTED })
  }
  for (const name of ['createPeer', 'connect', 'bind', 'listen', 'accept', 'sendmsg', 'recvmsg'])
    operations[name] = refuse
}

/** Emscripten's number of EPERM. */
const NOT_PERMITTED = 63
