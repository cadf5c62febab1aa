/** Bootstrap code: puts our package on the path, installs the import hooks, and yields `connect(send) → handle`. */
export const START = `
import sys
sys.path.insert(0, 'LIB')
import torch, torch.library, torch.nn.functional, torch._inductor.pattern_matcher, torch._higher_order_ops.auto_functionalize
from _fusescope import bridge, host
host.install()
def _connect(send):
    bridge.connect(send)
    return host.handle
_connect
`

/**
 * Cuts Python off from JavaScript: Pyodide's own modules lose their references to objects of the page, are removed from
 * sys.modules and cannot be imported again. The one remaining function has no prototype, so nothing is reachable from
 * it. In a browser the page's Content-Security-Policy and lockdown.ts add a second layer.
 */
export const CLOSE_DOORS = `
import sys
def _close():
    import gc
    from pyodide.ffi import JsProxy
    roots = ('js', 'pyodide_js', 'pyodide', '_pyodide', '_pyodide_core')
    theirs = [n for n in sys.modules if n.partition('.')[0] in roots]
    sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith('_pyodide')]
    from _fusescope import bridge
    for holder in gc.get_objects():
        if type(holder).__name__ == 'JsLoader':
            holder.jsproxy = None
        if isinstance(holder, dict) and holder is not vars(bridge):
            for key, value in list(holder.items()):
                if isinstance(value, JsProxy):
                    holder[key] = None
    for name in (*theirs, *roots, 'pyodide.http', 'pyodide.code', 'pyodide.ffi', 'micropip'):
        sys.modules[name] = None
_close()
del _close
`

/** Disables sockets, which Emscripten implements over WebSockets. */
export function closeSockets(module: { SOCKFS?: { websocket_sock_ops?: Record<string, unknown> } } | undefined): void {
  const operations = module?.SOCKFS?.websocket_sock_ops
  if (!operations) return
  const refuse = (): never => {
    throw Object.assign(new Error('no network'), { name: 'ErrnoError', errno: NOT_PERMITTED })
  }
  for (const name of ['createPeer', 'connect', 'bind', 'listen', 'accept', 'sendmsg', 'recvmsg'])
    operations[name] = refuse
}

/** Emscripten's number of EPERM. */
const NOT_PERMITTED = 63
