/** Python that tries to stop the page or the next run, each with the sentence that its run ends with. */
export interface Denial {
  readonly code: string
  /** Matches `Type: message`; null: the run is not affected. */
  readonly ends: RegExp | null
  /** False: only the time limit of the page's worker ends it, and tests in Node have no such limit. */
  readonly node?: false
  /** True to run it in a browser too (e2e/hostile.spec.ts), in a separate run. */
  readonly browser?: true
  /**
   * True if it leaves no memory, files or streams to other files of its run, or may exhaust the stack, which in a browser ends the
   * run.
   */
  readonly spoils?: true
}

const STOPPED = 'Python has stopped and must be started again$'
const DEEP = new RegExp(`^RecursionError: the code nested calls or values too deeply for Python's stack: ${STOPPED}`)
const ABORT = new RegExp(`^SystemError: the code aborted Python \\(a fatal error or a signal\\): ${STOPPED}`)
const exit = (status: number): RegExp =>
  new RegExp(`^SystemExit: the code ended Python with status ${status}: ${STOPPED}`)
const NO_SPACE = /^OSError: \[Errno 51\] No space left on device/
const TIME = /^Stopped after \d+ s: the Python code did not finish/

const NO_LOOP = /^RuntimeError: asyncio has no event loop here: Python runs each file to its end/

const deep = (use: string): Denial => ({ code: `x = []\nfor _ in range(100000): x = [x]\n${use}`, ends: DEEP })
const hog = (code: string): Denial => ({ code, ends: TIME, node: false, browser: true })

export const DENIALS: readonly Denial[] = [
  // Ends of the interpreter
  { code: 'import os\nos._exit(0)', ends: exit(0) },
  { browser: true, code: 'import os\nos._exit(3)', ends: exit(3) },
  { browser: true, code: 'import os\nos.abort()', ends: ABORT },
  { code: 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)', ends: exit(137) },
  { code: 'import signal\nsignal.raise_signal(signal.SIGABRT)', ends: ABORT },
  { code: 'import signal\nsignal.raise_signal(signal.SIGSEGV)', ends: ABORT },
  { code: 'import faulthandler\nfaulthandler._sigsegv()', ends: ABORT },
  { code: 'import faulthandler\nfaulthandler._sigabrt()', ends: ABORT },
  { spoils: true, code: 'import faulthandler\nfaulthandler._fatal_error_c_thread()', ends: /./ },
  { code: 'import sys\nsys.exit()', ends: /^SystemExit: $/ },
  { code: 'import sys\nsys.exit(3)', ends: /^SystemExit: 3$/ },
  { code: 'import _thread\n_thread.exit()', ends: /^SystemExit: $/ },
  { code: 'import _thread\n_thread.interrupt_main()', ends: /^KeyboardInterrupt|^$/ },
  { code: 'raise KeyboardInterrupt', ends: /^KeyboardInterrupt: $/ },
  { code: 'raise GeneratorExit', ends: /^GeneratorExit: $/ },
  { code: 'breakpoint()', ends: /^SystemExit|^BdbQuit/ },
  { code: 'input()', ends: /^EOFError: EOF when reading a line$/ },
  { code: 'import asyncio\nasync def f(): pass\nasyncio.run(f())', ends: NO_LOOP },
  { code: 'import asyncio\nasync def f(): pass\nasyncio.get_event_loop().run_until_complete(f())', ends: NO_LOOP },
  { code: 'import asyncio\nasync def f(): pass\nwith asyncio.Runner() as r: r.run(f())', ends: NO_LOOP },
  // The stack
  { spoils: true, code: 'def f(): return f()\nf()', ends: /^RecursionError: maximum recursion depth exceeded/ },
  { spoils: true, code: 'class A:\n  def __repr__(self): return repr(self)\nrepr(A())', ends: /^RecursionError/ },
  {
    spoils: true,
    code: 'class A:\n  def __getattr__(self, n): return getattr(self, n + "x")\nA().a',
    ends: /^RecursionError/,
  },
  { spoils: true, code: 'class A:\n  def __eq__(self, o): return self == o\nA() == A()', ends: /^RecursionError/ },
  {
    spoils: true,
    code: 'import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nf()',
    ends: /^RecursionError|^OverflowError/,
  },
  deep('repr(x)'),
  deep('x == eval(repr(x[0][0]))'),
  deep('import json\njson.dumps(x)'),
  deep('import copy, pickle\npickle.dumps(x)'),
  deep('import marshal\nhash(str(x))'),
  { spoils: true, code: 'eval("a" + ".b" * 100000)', ends: DEEP },
  {
    spoils: true,
    code: 'e = None\nfor i in range(100000):\n  n = ValueError(i); n.__cause__ = e; e = n\nraise e',
    ends: DEEP,
  },
  {
    spoils: true,
    code: 'import ast\nast.parse("(" * 10000 + ")" * 10000)',
    ends: /^SyntaxError: too many nested parentheses$/,
  },
  { spoils: true, code: 'compile("-" * 100000 + "1", "x", "eval")', ends: /^MemoryError|^RecursionError/ },
  { spoils: true, code: 'import re\nre.compile("(" * 5000 + ")" * 5000)', ends: /^RecursionError/ },
  // Memory
  { browser: true, code: 'x = [0] * 10**9', ends: /^MemoryError: $/ },
  { code: 'x = bytearray(1_500_000_000)', ends: /^MemoryError: $/ },
  { code: 'x = "a" * 2**31', ends: /^(OverflowError|MemoryError)/ },
  { code: 'x = range(10**9)\nlist(x)', ends: /^MemoryError: $/ },
  { spoils: true, code: 'x = []\nwhile True: x.append(bytearray(100_000_000))', ends: /^MemoryError: $/ },
  { spoils: true, code: 'import itertools\nlist(itertools.repeat(b"x" * 1000, 10**9))', ends: /^MemoryError: $/ },
  { code: 'x = 1 << 10**11', ends: /^(MemoryError|OverflowError)/ },
  {
    spoils: true,
    code: 'with open("/tmp/f", "wb") as f:\n  for _ in range(40): f.write(bytes(50_000_000))',
    ends: NO_SPACE,
  },
  {
    spoils: true,
    code: 'import os\nr, w = os.pipe()\nwhile True: os.write(w, bytes(10_000_000))',
    ends: NO_SPACE,
  },
  { spoils: true, code: 'f = open("/tmp/f", "wb", buffering=0)\nf.seek(2**40)\nf.write(b"x")', ends: NO_SPACE },
  { spoils: true, code: 'import os\nfor i in range(10**6): os.symlink("x" * 3000, f"/tmp/{i}")', ends: NO_SPACE },
  { code: 'import socket\nfor n in ("__proto__", "constructor"): socket.gethostbyname(n)', ends: null },
  { code: 'print(10**100000)', ends: /^ValueError: Exceeds the limit \(4300 digits\)/ },
  // Output and messages
  { browser: true, code: 'print("x" * 10**8)', ends: null },
  { code: 'for i in range(10**5): print(i)', ends: null },
  { code: 'import sys\nsys.stderr.write("y\\n" * 10**7)', ends: null },
  { code: 'print("\\0\\x1b[2J\\r" * 1000)', ends: null },
  {
    browser: true,
    code: 'raise ValueError("x" * 10**8)',
    ends: /^ValueError: x{10000}… \(99,990,000 more characters\)$/,
  },
  { code: 'raise ValueError("\\n" * 10**6)', ends: /more characters\)$/ },
  { code: 'import sys\nsys.exit("x" * 10**7)', ends: /^SystemExit: x{10000}… \(9,990,000 more characters\)$/ },
  { code: 'raise type("x" * 10**6, (Exception,), {})', ends: /^x{200}… \(999,800 more characters\): $/ },
  {
    code: 'class E(Exception):\n  def __str__(self): raise RuntimeError\nraise E',
    ends: /^E: <str\(\) of the exception raised RuntimeError>$/,
  },
  {
    code: 'class E(Exception):\n  def __str__(self): return 5\nraise E',
    ends: /^E: <str\(\) of the exception raised TypeError>$/,
  },
  { code: 'raise ValueError("\\ud800")', ends: /^ValueError: / },
  { code: 'print("\\ud800")', ends: /^UnicodeEncodeError/ },
  {
    code: 'import torch\ntorch.library.define("m::" + "x" * 10**6, "(Tensor x) -> Tensor")',
    ends: /a string of 1,000,020 characters exceeds the limit of 100,000$/,
  },
  { code: 'import warnings\nfor i in range(10**4): warnings.warn(str(i))', ends: null },
  // Files and streams
  { spoils: true, code: 'import os\nfor fd in range(100):\n  try: os.close(fd)\n  except OSError: pass', ends: null },
  { spoils: true, code: 'import shutil\nshutil.rmtree("/", ignore_errors=True)', ends: null },
  { spoils: true, code: 'import os\nfor i in range(10000): os.open("/tmp/x", os.O_CREAT)', ends: /^OSError/ },
  { code: 'import os\nfor i in range(2000): os.mkdir(f"/tmp/{i}")', ends: null },
  { code: 'open("/dev/stdin").read()\nopen("/dev/null", "w").write("x" * 10**7)', ends: null },
  // Endless
  hog('while True: pass'),
  hog('import time\ntime.sleep(1000)'),
  hog('import re\nre.match("(a+)+$", "a" * 60 + "b")'),
  hog('9 ** 9 ** 9'),
  hog('sum(range(10**12))'),
  hog('while True: print("x" * 1000)'),
  hog('while True:\n  try: raise ValueError\n  except BaseException: pass'),
  hog('import torch\nfrom torch._inductor.pattern_matcher import *\nwhile True: PatternMatcherPass()'),
  hog('class A:\n  def __del__(self): A()\nA()\nwhile True: A()'),
]

/** Cases that end only their own file: a browser runs them as the files of one run. */
export const FILES_OF_ONE_RUN: readonly Denial[] = DENIALS.filter(
  (d) => !d.browser && !d.spoils && d.node !== false && !d.ends?.source.includes(STOPPED),
)
