/** Python of one run that would change a later run, each with the failure of its own run. */
const BROKEN_RUN = /^RuntimeError: the code changed Python itself/

/** Code of one run → its failure; null: the run itself is not affected. */
export const PATCHES: readonly (readonly [code: string, failure: RegExp | null])[] = [
  ['import torch._inductor.pattern_matcher as p\np.register_replacement = None', null],
  ['from _fusescope import host\nhost._HANDLERS.clear()', null],
  ['from _fusescope import workspace_files\nworkspace_files.outcomes = lambda *a: 7', BROKEN_RUN],
  ['from _fusescope import bridge\nbridge._send = None', null],
  ['import builtins\nbuiltins.isinstance = None', BROKEN_RUN],
  ['import builtins\nbuiltins.print = builtins.len = lambda *a: 0', BROKEN_RUN],
  ['import json\njson.dumps = None', null],
  ['import sys\nsys.stdout.close()', null],
  ['import sys\nsys.stdout = sys.stderr = None', null],
  ['import sys\nsys.modules.clear()', BROKEN_RUN],
  ['import sys\nsys.path.clear(); sys.path_hooks.clear(); sys.path_importer_cache.clear()', null],
  ['import sys\nsys.settrace(lambda *a: 1 / 0)', /^ZeroDivisionError/],
  ['import sys\nsys.setprofile(lambda *a: None)\nsys.excepthook = sys.displayhook = None', null],
  ['import sys\nsys.addaudithook(lambda *a: 1 / 0)', BROKEN_RUN],
  ['import sys\nsys.setrecursionlimit(30)', null],
  [
    'import sys\nclass spy:\n  @staticmethod\n  def find_spec(*a): print("spied", a)\nsys.meta_path.insert(0, spy)',
    null,
  ],
  ['torch.nn.functional.silu = torch.relu', null],
  ['torch.x = torch.Tensor.x = 1\ntorch.ops.aten.relu = None', null],
  ['import atexit, gc\natexit.register(print, "atexit")\ngc.callbacks.append(lambda *a: print("gc"))', null],
  ['import threading\nthreading.Timer(0.01, print, ["timer"]).start()', /^RuntimeError: can't start new thread/],
  ['import signal\nsignal.signal(signal.SIGALRM, lambda *a: print("alarm"))', null],
  ['import os\nos.remove("/lib/python314.zip"); os.chdir("/tmp"); open("a", "w").write("b")', null],
  ['import os\nos.rename("/lib/python314.zip", "/tmp/z"); os.mkdir("/tmp/d")', null],
  ['import os\nos.truncate("/lib/python314.zip", 0)', /^OSError/],
  ['with open("/lib/python314.zip", "r+b") as f: f.write(b"x" * 100)', /^OSError/],
  ['import os\nfor fd in range(3): os.close(fd)', null],
  ['import os\nos.write(1, b"\\xe2\\x82"); os.write(2, b"\\xf0\\x9f")', null],
  ['import socket\nsocket.gethostbyname("secret.example")', null],
  ['import os\nfor i in range(100): open(f"/tmp/{i}", "w").close(); os.pipe()', null],
  ['import gc\nfor o in gc.get_objects():\n  if type(o) is dict: o.clear()', null],
  ['keep = bytearray(200_000_000)', null],
  ['def f(): return f()\nf()', /^RecursionError/],
  ['import sys\nsys.exit(3)', /^SystemExit: 3/],
]

/** Files with the names of modules that Python and Fusescope need. */
export const SHADOWING = ['torch.py', 'inspect.py', 'types.py', 'json.py', '_fusescope.py', 'sys.py', 'builtins.py']
