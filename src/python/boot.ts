/** Puts our package on the path, installs the user's world, and yields `connect(send) → handle`. */
export const START = `
import sys
sys.path.insert(0, 'LIB')
import torch, torch.library, torch.nn.functional, torch._inductor.pattern_matcher, torch._higher_order_ops.auto_functionalize
from _fusescope import bridge, world
world.install()
def _connect(send):
    bridge.connect(send)
    return world.handle
_connect
`

/**
 * Closes Python's ways to JavaScript: the modules are gone from sys.modules and refuse to be imported again. What is
 * left (a JsProxy of our one function) leads nowhere under the page's Content-Security-Policy, and the worker's scope
 * is emptied besides (lockdown.ts).
 */
export const CLOSE_DOORS = `
import sys
def _close():
    try:
        import pyodide.code
        pyodide.code.run_js = None
    except Exception:
        pass
    for name in ('js', 'pyodide_js', 'pyodide.http', '_pyodide_core', 'pyodide.ffi', 'pyodide.code', 'pyodide'):
        sys.modules[name] = None
_close()
del _close
`
