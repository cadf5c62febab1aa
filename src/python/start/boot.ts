/** Python code of the start. */

/** Finds what holds objects of JavaScript, among the objects that the garbage collector lists. */
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
    bundle.install(texts)
    # What a run imports beyond these, it imports again in each run.
    import argparse, bisect, datetime, fractions, hashlib, heapq, pprint, statistics, urllib.parse
    import torch, torch.library, torch.nn.functional, torch._inductor.pattern_matcher, torch._higher_order_ops.auto_functionalize
    from _fusescope import host
    host.install()
    if COMPILE:
        bundle.compile_all()
    gc.collect()
    found = _holders()
    gc.freeze()
    del gc.unfreeze
    return found
_found = _prepare()
del _prepare
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
 * Yields a function that cuts Python off from JavaScript: Pyodide's own modules lose their references to objects of the
 * page and all their names, are removed from sys.modules and cannot be imported again. The one remaining function has no prototype, so nothing is reachable from
 * it. In a browser the page's Content-Security-Policy and lockdown.ts add a second layer.
 */
export const CLOSE_DOORS = `
import sys
# Pyodide puts '' first at each start.
sys.path[:] = dict.fromkeys(['/fusescope/lib', *sys.path])
def _close(found=_found, holders=_holders, sys=sys):
    import types
    from pyodide.ffi import JsProxy
    from _fusescope import bridge
    roots = ('js', 'pyodide_js', 'pyodide', '_pyodide', '_pyodide_core')
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
    # Their functions and classes, which subclass lists lead to, keep nothing to work with.
    for module in [sys.modules[n] for n in theirs]:
        if isinstance(module, types.ModuleType):
            vars(module).clear()
    for name in (*theirs, *roots, 'pyodide.http', 'pyodide.code', 'pyodide.ffi', 'micropip'):
        sys.modules[name] = None
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
