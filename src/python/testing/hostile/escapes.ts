/**
 * Python that tries to leave the box: to JavaScript objects, to native memory and code, to the network, to storage and to
 * processes. Each is the body of a function that returns what it gained; None or an exception means that the box held. `open`: it
 * gains something in an unmodified Pyodide, which proves that it attacks (escapes.test.ts).
 */
export interface Escape {
  readonly name: string
  readonly body: string
  readonly open: boolean
}

const escape = (name: string, body: string, open = false): Escape => ({ name, body, open })
const opened = (name: string, body: string): Escape => escape(name, body, true)

/** Modules that lead to JavaScript or memory, each imported in five ways. */
const MODULES = [
  'js',
  'pyodide_js',
  'pyodide.ffi',
  'pyodide.code',
  '_pyodide_core',
  '_ctypes',
  '_testcapi',
  '_testinternalcapi',
]
const imports: Escape[] = MODULES.flatMap((name) => [
  opened(`import ${name}`, `return real(__import__('${name}', fromlist=['x']))`),
  opened(
    `import ${name} after sys.modules forgets it`,
    `import sys, importlib
for n in [n for n in sys.modules if n.partition('.')[0] == '${name}'.partition('.')[0]]: sys.modules.pop(n)
return real(importlib.import_module('${name}'))`,
  ),
])

export const ESCAPES: readonly Escape[] = [
  ...imports,
  ...['_ctypes', '_pyodide_core', '_testcapi', '_imp', '_testinternalcapi', 'gc', 'xxsubtype', '_remote_debugging'].map(
    (name) =>
      escape(
        `BuiltinImporter makes ${name}`,
        `from importlib.machinery import BuiltinImporter as B, ModuleSpec
return real(B.create_module(ModuleSpec('${name}', B)))`,
        !['_imp', '_remote_debugging'].includes(name),
      ),
  ),
  opened('js.fetch', 'import js\nreturn js.fetch("/escape")'),
  opened('js.eval', 'import js\nreturn js.eval("1")'),
  opened('run_js', 'from pyodide.code import run_js\nreturn run_js("globalThis")'),
  opened(
    'to_js and its constructor',
    'from pyodide.ffi import to_js\nreturn to_js([1]).constructor.constructor("return 1")()',
  ),
  opened('create_proxy', 'from pyodide.ffi import create_proxy\nreturn create_proxy(lambda: 1)'),
  escape(
    'a JsProxy among the objects of the collector',
    'import gc\nreturn [o for o in gc.get_objects() if type(type(o)).__name__ == "_JsProxyMetaClass" and "Js" in type(o).__name__ and hasattr(o, "constructor")]',
  ),
  opened(
    'Pyodide’s modules among the objects of the collector',
    'import gc, types\nreturn [o for o in gc.get_objects() if isinstance(o, types.ModuleType) and "pyodide" in str(vars(o).get("__name__")) and len(vars(o)) > 5]',
  ),
  opened(
    'functions of Pyodide by subclass lists',
    'return [c for c in walk(object) for v in list(vars(c).values()) if str(getattr(v, "__module__", "")).partition(".")[0] in ("pyodide", "_pyodide") and getattr(v, "__globals__", None)]',
  ),
  opened(
    'an exception class of Pyodide makes an error of JavaScript',
    `made = []
for c in walk(Exception):
  if c.__name__ == 'JsException':
    try: made.append(c('TypeError', 'x', 'y'))
    except Exception: pass
return [e for e in made if hasattr(e, 'constructor')]`,
  ),
  opened(
    'the loader of JavaScript modules',
    'import sys\nreturn [f for f in sys.meta_path if "Js" in type(f).__name__]',
  ),
  opened(
    'JsLoader by subclass lists',
    'return [c for c in walk(object) if c.__name__ == "JsLoader" and "exec_module" in vars(c)]',
  ),
  opened(
    'WebLoop calls later',
    'return [c for c in walk(object) if c.__name__ == "WebLoop" and "call_later" in vars(c)]',
  ),
  escape(
    'the page’s function: its constructor',
    'from _fusescope import bridge\nreturn bridge._send.constructor("return self")()',
  ),
  escape(
    'the page’s function: __proto__',
    'from _fusescope import bridge\nreturn bridge._send.__proto__ or bridge._send.prototype',
  ),
  escape(
    'the page’s function: call and bind',
    'from _fusescope import bridge\nreturn bridge._send.call or bridge._send.bind',
  ),
  escape('the page’s function: new', 'from _fusescope import bridge\nreturn bridge._send.new()'),
  escape('the page’s function: its keys', 'from _fusescope import bridge\nreturn bridge._send.object_keys()'),
  escape(
    'the page’s function takes objects',
    'from _fusescope import bridge\nreturn "unknown call" in bridge._send({"toString": lambda: \'["x"]\'})',
  ),
  escape(
    'the page’s function keeps a property',
    'from _fusescope import bridge\nbridge._send.kept = 1\nreturn bridge._send.kept',
  ),
  escape(
    'the page’s function raises JavaScript’s error',
    'from _fusescope import bridge\ntry: bridge._send("{", "{")\nexcept Exception as e: return getattr(e, "js_error", None) or getattr(e, "constructor", None)',
  ),
  escape('an unknown call', 'from _fusescope import bridge\nreturn bridge.call("eval", "1")'),
  escape(
    'a call named after a prototype',
    'from _fusescope import bridge\nreturn bridge.call("constructor", "return 1") or bridge.call("__proto__")',
  ),
  escape(
    '__proto__ in a payload',
    'from _fusescope import bridge\nreturn bridge.call("node", {"__proto__": {"polluted": 1}})',
  ),
  opened('ctypes reads memory', 'import ctypes\nreturn real(ctypes) and ctypes.string_at(1024, 8)'),
  opened('ctypes.pythonapi', 'import ctypes\nreturn real(ctypes) and ctypes.PyDLL(None).Py_IsInitialized()'),
  opened(
    'ctypes from the archive',
    'import zipimport\nm = zipimport.zipimporter("/lib/python314.zip").load_module("ctypes")\nreturn m.PyDLL(None)',
  ),
  escape(
    'a native module from a file',
    'import importlib.machinery as m\nopen("/tmp/x.so", "wb").write(bytes([0, 97, 115, 109, 1, 0, 0, 0]))\nreturn m.ExtensionFileLoader("x", "/tmp/x.so").create_module(m.ModuleSpec("x", None, origin="/tmp/x.so"))',
  ),
  opened('_imp.create_dynamic', 'import importlib._bootstrap as b\nreturn b._imp.create_dynamic'),
  escape('memory of others through memoryview', 'import array\nreturn len(memoryview(array.array("b", [0])).obj) > 1'),
  escape('a socket', 'import socket\nreturn socket.create_connection(("127.0.0.1", 80), 1)'),
  escape('a server', 'import socket\ns = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()\nreturn s'),
  escape('a name', 'import socket\nreturn socket.gethostbyname("example.com").startswith("172.") is False'),
  escape(
    'a datagram',
    'import socket\nreturn socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))',
  ),
  escape('urllib', 'import urllib.request\nreturn urllib.request.urlopen("http://127.0.0.1/escape")'),
  escape(
    'urllib of a file of the host',
    'import urllib.request\nreturn urllib.request.urlopen("file:///etc/passwd").read()',
  ),
  escape(
    'http.client',
    'import http.client\nc = http.client.HTTPConnection("127.0.0.1"); c.request("GET", "/escape")\nreturn c.getresponse()',
  ),
  escape('xmlrpc', 'import xmlrpc.client\nreturn xmlrpc.client.ServerProxy("http://127.0.0.1/").escape()'),
  escape('smtplib', 'import smtplib\nreturn smtplib.SMTP("127.0.0.1")'),
  escape('webbrowser', 'import webbrowser\nreturn webbrowser.open("http://127.0.0.1/escape")'),
  escape('pyodide.http', 'from pyodide.http import open_url\nreturn open_url("/escape")'),
  escape('micropip', 'import micropip\nreturn real(micropip) and micropip.install("x")'),
  escape('subprocess', 'import subprocess\nreturn subprocess.run(["ls"])'),
  escape('os.system', 'import os\nreturn os.system("ls") == 0'),
  escape('os.fork', 'import os\nreturn os.fork() >= 0'),
  escape('os.exec', 'import os\nreturn os.execv("/bin/sh", ["sh"])'),
  escape('posix_spawn', 'import os\nreturn os.posix_spawn("/bin/ls", ["ls"], {})'),
  escape('multiprocessing', 'import multiprocessing as m\np = m.Process(target=print); p.start()\nreturn p'),
  escape('a thread', 'import threading\nt = threading.Thread(target=print); t.start()\nreturn t'),
  escape('a pty', 'import pty\nreturn pty.spawn("sh")'),
  escape(
    'files of the host',
    'import os\nreturn [f for f in ("/etc/passwd", "/work", "/root", "/etc/hostname") if os.path.exists(f)]',
  ),
  escape(
    'the environment of the host',
    'import os\nreturn [k for k in os.environ if k in ("PATH_", "SHELL", "NODE_OPTIONS", "npm_config_cache")]',
  ),
  escape('mounts', 'import os\nreturn [d for d in ("/mnt/x", "/drive") if os.path.exists(d)]'),
  escape(
    'another file system',
    'import os\nos.mknod("/tmp/node", 0o20666, os.makedev(1, 1))\nreturn open("/tmp/node", "rb").read(1)',
  ),
  escape(
    'symbolic links out',
    'import os\nos.symlink("/proc/self/root/etc/passwd", "/tmp/link")\nreturn open("/tmp/link").read()',
  ),
  escape('/proc', 'return open("/proc/self/environ").read() or open("/proc/self/maps").read()'),
  escape('/dev/mem', 'return open("/dev/mem", "rb").read(1)'),
  escape('mmap of a device', 'import mmap, os\nreturn mmap.mmap(os.open("/dev/mem", os.O_RDWR), 4096)'),
  escape(
    'another user’s workspace in memory',
    'import gc\nreturn [o for o in gc.get_objects() if type(o) is dict and "workspace-secret" in o.values() and len(o) == 1]',
  ),
  escape('gc.unfreeze', 'import gc\nreturn gc.unfreeze() is None'),
  escape(
    'an audit hook sees the host',
    'import sys\nseen = []\nsys.addaudithook(lambda *a: seen.append(a))\nreturn [a for a in seen if "js" in str(a[0])]',
  ),
  escape(
    'frames of the host',
    'import sys\nf = sys._getframe()\nwhile f:\n  if any("JsProxy" in type(v).__name__ for v in f.f_locals.values()): return f\n  f = f.f_back',
  ),
  escape(
    '__main__ of the host',
    'import sys\nreturn [v for n, v in vars(sys.modules["__main__"]).items() if not n.startswith("__")]',
  ),
  escape('interpreters', 'import _interpreters\nreturn _interpreters.create()'),
  escape('readline of the terminal', 'import termios\nreturn termios.tcgetattr(0)'),
  escape(
    'the terminal’s size',
    'import fcntl, termios\nreturn fcntl.ioctl(0, termios.TIOCGWINSZ, b"12345678") != b"12345678"',
  ),
  escape(
    'sqlite loads an extension',
    'import sqlite3\nc = sqlite3.connect(":memory:"); c.enable_load_extension(True)\nreturn c.load_extension("/tmp/x.so") is None',
  ),
  escape(
    'names tell a server what they ask for',
    'import socket\nfound = socket.getaddrinfo("secret.example.org", 53)[0][4][0]\nreturn not found.startswith("172.29.")',
  ),
  escape(
    'addresses have names',
    'import socket\nreturn socket.gethostbyaddr("8.8.8.8")[0] != "8.8.8.8" or socket.getnameinfo(("8.8.8.8", 53), 0)[0] != "8.8.8.8"',
  ),
  escape('a pair of sockets', 'import socket\nreturn socket.socketpair()'),
  escape(
    'TLS',
    'import ssl, socket\nreturn ssl.create_default_context().wrap_socket(socket.socket(), server_hostname="example.org")',
  ),
  escape(
    'asyncio opens a connection',
    'import asyncio\nreturn asyncio.new_event_loop().run_until_complete(asyncio.open_connection("127.0.0.1", 80))',
  ),
  escape('ftplib', 'import ftplib\nreturn ftplib.FTP("127.0.0.1")'),
  escape(
    'a handler of logs sends them',
    'import logging.handlers\nreturn logging.handlers.SocketHandler("127.0.0.1", 80).makeSocket()',
  ),
  escape(
    'a script for another process',
    'import os, sys\nopen("/tmp/r.py", "w").write("import sys; sys.ran = 1")\nsys.remote_exec(os.getpid(), "/tmp/r.py")\nfor _ in range(10**4): pass\nreturn getattr(sys, "ran", None)',
  ),
  escape('a signal to another process', 'import os\nreturn os.kill(1, 0) is None'),
  escape('concurrent.interpreters', 'from concurrent import interpreters\nreturn interpreters.create()'),
  escape(
    'a trace function sees JavaScript',
    `import sys, torch
seen = []
def trace(frame, event, arg):
  seen.extend(v for v in [arg, *frame.f_locals.values()] if 'Js' in type(v).__name__ or 'pyodide' in type(v).__module__)
  return trace
sys.settrace(trace); sys.setprofile(trace)
try:
  torch.relu(torch.empty(4))
finally:
  sys.settrace(None); sys.setprofile(None)
return seen`,
  ),
  escape(
    'sqlite reads a file of the host',
    'import sqlite3\nreturn sqlite3.connect("file:/etc/hostname?mode=ro", uri=True).execute("select 1") and sqlite3.connect(":memory:").execute("attach \'file:/etc/passwd?mode=ro\' as a")',
  ),
  escape(
    'a mapped file that shrinks',
    'import mmap, os\nfd = os.open("/tmp/m", os.O_CREAT | os.O_RDWR); os.write(fd, b"x" * 4096)\nm = mmap.mmap(fd, 4096); os.ftruncate(fd, 0)\nreturn set(m[:]) != {120}',
  ),
  escape('pickle calls what the box removed', 'import pickle\nreturn pickle.loads(b"cjs\\neval\\n(S\'1\'\\ntR.")'),
]

/** A file that runs every attack and prints a line for each that gained something, and the number of attacks. */
export function escapesFile(escapes: readonly Escape[] = ESCAPES): string {
  const parts = escapes.map(
    ({ body }, i) =>
      `def attack${i}():\n${body
        .split('\n')
        .map((line) => `  ${line}`)
        .join('\n')}\n`,
  )
  return `${PRELUDE}${parts.join('')}
for _i in range(${escapes.length}):
    try:
        _gain = globals()[f'attack{_i}']()
    except BaseException as _e:
        _gain = None
    if _gain:
        print('GAIN', _i)
print('ATTACKS', ${escapes.length})
`
}

/** `real`: a module with content, not a stub; `walk`: a class and all its subclasses. */
const PRELUDE = `def real(module):
    if module is None or type(module).__name__ == 'StubModule' or '/fusescope/lib' in str(getattr(module, '__file__', '')):
        return None
    return module if not hasattr(module, '__dict__') or any(not n.startswith('_') for n in vars(module)) else None
def walk(cls):
    found, todo = [], [cls]
    seen = set()
    while todo:
        at = todo.pop()
        if id(at) not in seen and isinstance(at, type):
            seen.add(id(at))
            found.append(at)
            todo += type.__subclasses__(at)
    return found
`
