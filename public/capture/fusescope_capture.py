"""Records what PyTorch's pattern matcher does in this process, as one .fusescope file that Fusescope opens.

    python -m fusescope_capture [OPTIONS] your_script.py [ARGUMENTS]      or      import fusescope_capture
    python -m fusescope_capture [OPTIONS] -m MODULE [ARGUMENTS]

    --out FILE       the file; it replaces an earlier run's   --sources   as FUSESCOPE_SOURCES=1
    --children       also record the Python processes that the script starts, each in a file of its own

Each application of a PatternMatcherPass that holds patterns of yours is recorded: the graph before and after, the
patterns as PyTorch traced them, matches, and failed attempts with PyTorch's reason. Environment variables:

    FUSESCOPE_OUT=FILE        default: capture-PID.fusescope in the working directory
    FUSESCOPE_SOURCES=1       also store the text of the Python files that define the patterns
    FUSESCOPE_PASSES=all      also record passes that hold only PyTorch's own patterns
    FUSESCOPE_LIMIT_MB=64     size at which recording stops; the file says what is missing

    python fusescope_capture.py --sitecustomize > DIR/sitecustomize.py

writes a file for processes that you cannot start yourself: with DIR on their PYTHONPATH they are recorded.

    python fusescope_capture.py --link capture-4711.fusescope

prints the recording as a link, without PyTorch and without a browser: add it to the address of a Fusescope page.

The format is docs/capture.md of Fusescope. Requires PyTorch 2.6 or newer and nothing else. Recording never changes
what a pass does: an error in this file ends up as a `note` in the recording.

Reason for length: users copy this one file into their environment. PYTEST_DONT_REWRITE: `-m pytest` finds it imported.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import gzip
import hashlib
import inspect
import json
import linecache
import os
import platform
import re
import runpy
import shutil
import stat
import sys
import tempfile
import threading
import time
import types
import weakref
import zlib

# The longest address in Firefox and in Chromium, in characters.
FIREFOX_LIMIT, LINK_LIMIT = 65_536, 2 << 20


# ---------------------------------------------------------------- a recording as a link


def link_of(text, name):
    """`#v1.…`: docs/links.md of Fusescope. The snapshot's graph is the recording, which opens as the file does."""
    workspace = {"name": name, "graph": {"name": name, "text": text}, "files": [], "options": {"timeLimitS": 10}}
    view = {"selection": None, "mode": "before", "panel": "whynot", "openFile": name}
    data = json.dumps({"v": 1, "workspace": workspace, "view": view, "summary": None}, separators=(",", ":"))
    while True:
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = deflate.compress(data.encode()) + deflate.flush()
        link = "#v1." + base64.urlsafe_b64encode(packed).decode().rstrip("=")
        if link[-1] not in "-_":
            return link
        # Markdown takes these for the end of a sentence; a space after the JSON gives other characters.
        data += " "


def _print_link(file):
    try:
        with open(file, "rb") as opened:
            data = opened.read()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    except (OSError, EOFError, ValueError, zlib.error) as e:
        raise Refused(f"{file}: {getattr(e, 'strerror', None) or e}.") from None
    name = os.path.basename(file)
    link = link_of(text, name[: -len(".gz")] if name.endswith(".gz") else name)
    if len(link) > LINK_LIMIT:
        raise Refused(f"{file}: {len(link):,} characters are too long for a link: send the file.")
    if len(link) > FIREFOX_LIMIT:
        print(f"{file}: {len(link):,} characters; Firefox accepts {FIREFOX_LIMIT:,}.", file=sys.stderr)
    print(link)


# ---------------------------------------------------------------- options


class Refused(Exception):
    """What the user gave cannot be used; the text is the sentence to print."""


# What the runner of a workflow obeys in its log.
_COMMAND = re.compile(
    r"^\s*:(?=:)|^(?:--|\+\+|~~|\^\^)[-+~^](?=\s|$)|##(?=\w*\[)|travis_(?=(?:fold|time):)"
    r"|<(?=(?:CTest|Dart)[A-Z])|\[(?=\[ATTACHMENT\|)"
)


def _say(text):
    """One line, whatever a name in it holds: the terminal and the log of a workflow act on control characters."""
    line = "fusescope: " + "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(text))
    print(_COMMAND.sub(lambda m: f"{m[0][:-1]}\\x{ord(m[0][-1]):02x}", line), file=sys.stderr)


def settings():
    """(size limit in bytes, whether sources are stored, whether PyTorch's own passes are recorded)."""
    limit, passes = os.environ.get("FUSESCOPE_LIMIT_MB") or "64", os.environ.get("FUSESCOPE_PASSES") or ""
    try:
        size = int(float(limit) * (1 << 20))
    except (ValueError, OverflowError):
        size = 0
    if size <= 0:
        raise Refused(f"FUSESCOPE_LIMIT_MB is {limit!r}; expected a number of MiB above 0, as in FUSESCOPE_LIMIT_MB=64.")
    if passes not in ("", "all"):
        raise Refused(f"FUSESCOPE_PASSES is {passes!r}; expected all, or nothing.")
    return size, os.environ.get("FUSESCOPE_SOURCES", "0") not in ("", "0"), passes == "all"


def parse(argv):
    """(options, arguments of the program), as far as they belong to the recorder."""
    found, rest = {}, list(argv)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        option, _, value = rest.pop(0).partition("=")
        if option in ("--children", "--sources", "--help", "--sitecustomize", "-h") and not value:
            found[option.strip("-")[:13]] = True
        elif option in ("--out", "--link", "-m"):
            if not value and not rest:
                raise Refused(f"{option} needs a {'module' if option == '-m' else 'file'} after it.")
            found[option.strip("-")] = value or rest.pop(0)
            if option == "-m":
                break
        else:
            raise Refused(f"there is no option {option}; there are --out FILE, --sources, --children, -m MODULE and --help.")
    if "m" not in found and rest and not os.path.exists(rest[0]):
        raise Refused(f"{rest[0]}: there is no such script; a module is run with -m {rest[0]}.")
    if not rest and not found.keys() & {"m", "h", "help", "link", "sitecustomize"}:
        raise Refused("which script? python -m fusescope_capture your_script.py [ARGUMENTS]; --help tells more.")
    settings()
    return found, rest


def _without_torch(found):
    """True if the options ask for something that needs no PyTorch, which is then done."""
    if "h" in found or "help" in found:
        print(__doc__)
    elif "sitecustomize" in found:
        print(sitecustomize())
    elif "link" in found:
        _print_link(found["link"])
    else:
        return False
    return True


# Runs in each Python process that finds it on its path, so it imports nothing that the process may not need.
_SITECUSTOMIZE = '''"""Records PyTorch's pattern matcher in each Python process that finds this file on its path (Fusescope)."""

import importlib.machinery
import importlib.util
import os
import sys

RECORDER = %r


class Watch:
    """Starts the recorder as soon as the process has imported the pattern matcher."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "torch._inductor.pattern_matcher":
            return None
        sys.meta_path.remove(Watch)
        spec = importlib.util.find_spec(name)
        inner = spec.loader.exec_module

        def exec_module(module):
            inner(module)
            record()

        spec.loader.exec_module = exec_module
        return spec


def record():
    if "compile_worker" in sys.argv[0] or "fusescope_capture" in sys.modules:
        return  # one of Inductor's own compilers of kernels
    run = os.environ.get("FUSESCOPE_RUN")
    if run and os.environ.get("FUSESCOPE_CHILDREN") != "1":
        if os.path.isdir(run):
            with open(os.path.join(run, "unrecorded"), "a") as file:
                file.write(f"{os.getpid()}\\n")
        return
    spec = importlib.util.spec_from_file_location("fusescope_capture", RECORDER)
    module = sys.modules["fusescope_capture"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


sys.meta_path.insert(0, Watch)
here = os.path.dirname(os.path.abspath(__file__))
hidden = importlib.machinery.PathFinder.find_spec("sitecustomize", [p for p in sys.path if os.path.abspath(p) != here])
if hidden is not None:
    hidden.loader.exec_module(importlib.util.module_from_spec(hidden))
'''


def sitecustomize():
    """The text of a sitecustomize.py that records the processes that find it."""
    return _SITECUSTOMIZE % os.path.abspath(__file__)


def _as_command(fn, *args):
    try:
        return fn(*args)
    except Refused as e:
        _say(e)
        sys.exit(2)


if __name__ == "__main__":
    _options, _program = _as_command(parse, sys.argv[1:])
    if _as_command(_without_torch, _options):
        sys.exit(0)

try:
    import torch
except ImportError as e:
    if __name__ != "__main__":
        raise
    _say(f"{sys.executable} has no PyTorch, which the recorder needs: {e}.")
    sys.exit(2)
import torch.fx
from torch._inductor import pattern_matcher as pm

VERSION = 1
MAX_REASON = 4000
MAX_CONSTANT = 64
MAX_SOURCES = 2 << 20
# Of lists in an argument: readers refuse a line that nests deeper than 400 levels.
DEEPEST = 50
# Shares of the size limit at which kinds of records are left out, so that the verdicts of later passes still fit.
ATTEMPTS_SHARE, GRAPHS_SHARE = 0.6, 0.9

_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_HERE = os.path.abspath(__file__)
_local = threading.local()


# ---------------------------------------------------------------- the file


def make_room(path):
    """Removes an earlier run's recording, which would look like this run's. Any other file is the user's."""
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        start = file.read(len(_START))
    if start not in (b"", _START):
        raise Refused(f"{path} exists and is no recording, so it is not replaced.")
    os.remove(path)


_START = b'{"record":"capture"'


def _of_earlier_runs(path):
    """Recordings beside it whose names have a pid: those of the processes of an earlier run."""
    folder, (root, end) = os.path.dirname(path), os.path.splitext(os.path.basename(path))
    named = re.compile(re.escape(root) + r"-\d+(-\d+)?" + re.escape(end))
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if named.fullmatch(name))


def _create(path):
    """(path, descriptor) of a new file: of two processes or runs with one name, the second appends its pid."""
    root, end = os.path.splitext(path)
    own = root if root.endswith(f"-{os.getpid()}") else f"{root}-{os.getpid()}"
    for name in (path, own + end, *(f"{own}-{i}{end}" for i in range(2, 1000))):
        device = os.path.exists(name) and not os.path.isfile(name)
        with contextlib.suppress(FileExistsError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (0 if device else os.O_EXCL)
            return os.path.abspath(name), os.open(name, flags, 0o644)
    raise OSError(f"{own}{end} and 998 names like it are taken")


def _identity(fd):
    found = os.fstat(fd)
    return found.st_dev, found.st_ino


class _File:
    """Complete lines, appended to the file of this process. A forked process continues in a file of its own."""

    def __init__(self, out=None, may_hold_sources=True):
        self.out = out
        self.may_hold_sources = may_hold_sources
        self.pid = None
        self.path = None
        self.lock = threading.RLock()
        self.on_open = []

    def begin(self):
        """False if the file cannot be written."""
        if self.pid == os.getpid():
            return self.fd is not None
        wanted = self.out or os.environ.get("FUSESCOPE_OUT") or f"capture-{os.getpid()}.fusescope"
        forked = self.pid is not None
        self.pid, self.fd, self.path = os.getpid(), None, None
        try:
            self.limit, self.sources, _ = settings()
        except Refused as e:
            _say(f"{e} 64 MiB and your passes are recorded.")
            self.limit, self.sources = 64 << 20, False
        self.sources = self.sources and self.may_hold_sources
        self.size = 0
        self.buffer = []
        self.left_out = {}
        try:
            path, self.fd = _create(wanted)
            self.identity = _identity(self.fd)
        except OSError as e:
            self.fail(wanted, e)
            return False
        run = os.environ.get("FUSESCOPE_RUN")
        if path != os.path.abspath(wanted) and not forked and not run:
            _say(f"{wanted} holds another recording; this one is {path}.")
        for reset in self.on_open:
            reset()
        self.write(_header(self.sources, self.limit))
        self.flush()
        if self.fd is None:
            return False
        self.path = path
        if run and os.path.isdir(run) and (not self.out or self.may_hold_sources):
            with open(os.path.join(run, "inside" if self.out else "files"), "a", encoding="utf-8") as files:
                files.write(path + "\n")
        return True

    def fail(self, path, error):
        """Recording ends; the program goes on."""
        what = "was not written" if self.path is None else "is incomplete"
        _say(f"{path} {what}: {error.strerror or error}.")
        run = os.environ.get("FUSESCOPE_RUN")
        if run and os.path.isdir(run):
            with open(os.path.join(run, "failed"), "a", encoding="utf-8") as file:
                file.write(path + "\n")
        if self.fd is not None:
            with contextlib.suppress(OSError):
                os.close(self.fd)
        self.fd = None

    def close(self):
        if self.pid == os.getpid() and self.fd is not None:
            self.flush()
            with contextlib.suppress(OSError):
                self.check_fd()
                os.close(self.fd)
            self.fd = None

    def room(self, share, size=0):
        return self.size + size <= self.limit * share

    def write(self, record, share=None):
        """False if the record did not fit."""
        return self.write_text(_dumps(record), share)

    def write_text(self, line, share=None):
        size = len(line) + 1
        with self.lock:
            if share is not None and not self.room(share, size):
                return False
            self.size += size
            self.buffer.append(line)
            if len(self.buffer) > 500:
                self.flush()
        return True

    def flush(self):
        with self.lock:
            if not self.buffer:
                return
            data = ("\n".join(self.buffer) + "\n").encode("utf-8", "backslashreplace")
            self.buffer = []
            view = memoryview(data)
            try:
                while view and self.fd is not None:
                    self.check_fd()
                    view = view[os.write(self.fd, view) :]
            except OSError as e:
                self.fail(self.path or self.out or os.environ.get("FUSESCOPE_OUT") or "the recording", e)

    def check_fd(self):
        """A program may close all descriptors, as daemons do; the number is then that of a file of its own."""
        if _identity(self.fd) != self.identity:
            self.fd = None
            raise OSError(0, "the program closed it")

    def miss(self, what, count=1):
        with self.lock:
            self.left_out[what] = self.left_out.get(what, 0) + count


_dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode
_file = _File()
# A fork may happen while another thread holds the lock.
os.register_at_fork(after_in_child=lambda: setattr(_file, "lock", threading.RLock()))
_noted = set()


_ENDS = (KeyboardInterrupt, SystemExit, GeneratorExit)


def _text_by(fn, value):
    """What repr() or str() gives; an object whose own one raises must not end the pass that is recorded."""
    try:
        return str.__str__(fn(value))
    except KeyboardInterrupt:
        raise
    except BaseException as e:
        return f"<{type(value).__name__}, whose {fn.__name__} raised {type(e).__name__}>"


def _repr(value):
    return _text_by(repr, value)


def _error_text(e):
    return f"{type(e).__name__}: {_text_by(str, e)}"[:MAX_REASON]


def _or(default, fn, *args):
    """The value of a function that reads objects of the program; `default` if one of them refuses."""
    try:
        return fn(*args)
    except Exception:
        return default


def _safely(fn):
    """Runs recording code. An exception is noted once and never reaches the caller."""

    @functools.wraps(fn)
    def call(*args, **kwargs):
        try:
            return fn(*args, **kwargs)
        except _ENDS:
            raise
        except BaseException as e:
            try:
                text = f"{fn.__name__}: {_error_text(e)}"[:1000]
                if text not in _noted:
                    _noted.add(text)
                    _file.write({"record": "note", "text": text})
            except Exception:
                pass
            return None

    return call


@_safely
def _call(listener, *args):
    listener(*args)


def _is_a(value, classes):
    """An object may claim any class, or raise where it is asked for it."""
    return _or(False, isinstance, value, classes)


def _version(name):
    try:
        from importlib.metadata import version

        return version(name)
    except Exception:
        return None


_CONFIG = (
    "pattern_matcher post_grad_custom_pre_pass post_grad_custom_post_pass joint_custom_pre_pass joint_custom_post_pass "
    "pre_grad_custom_pass enable_auto_functionalized_v2 fx_graph_cache freezing cpp_wrapper fallback_random "
    "split_cat_fx_passes efficient_conv_bn_eval_fx_passes is_predispatch b2b_gemm_pass group_fusion batch_fusion "
    "reorder_for_locality shape_padding custom_partitioner_fn max_autotune disable_cpp_codegen"
).split()
_PACKAGES = "torch vllm vllm-ascend sglang sgl-kernel torch-npu torchao transformers triton flashinfer-python".split()


def _rank():
    """Of the process group; before there is one, of the environment that a launcher sets."""
    try:
        group = torch.distributed.is_available() and torch.distributed.is_initialized()
        return str(torch.distributed.get_rank()) if group else os.environ.get("RANK")
    except Exception:
        return os.environ.get("RANK")


def _header(sources, limit):
    from torch._inductor import config

    found = {}
    for name in _CONFIG:
        try:
            value = getattr(config, name)
        except Exception:
            continue
        found[name] = value if isinstance(value, (bool, int, str, type(None))) else _repr(value)[:200]
    try:
        devices = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())] if torch.cuda.is_initialized() else []
    except Exception:
        devices = []
    return {
        "record": "capture",
        "v": VERSION,
        "torch": torch.__version__,
        "git": getattr(torch.version, "git_version", None),
        "cuda": getattr(torch.version, "cuda", None),
        "hip": getattr(torch.version, "hip", None),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "devices": devices,
        "packages": {name: v for name in _PACKAGES if (v := _version(name)) is not None},
        "command": [os.path.basename(a) if i == 0 else a for i, a in enumerate(sys.argv[:50])],
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "pid": os.getpid(),
        **({"rank": rank} if (rank := _rank()) else {}),
        "config": found,
        "sources": sources,
        "limit": limit,
    }


# ---------------------------------------------------------------- values


_DTYPE = {}


def _dtype_name(dtype):
    name = _DTYPE.get(dtype)
    if name is None:
        name = _DTYPE[dtype] = str(dtype).replace("torch.", "")
    return name


def _sym_text(value):
    """A symbolic size as sympy prints it. Reads the expression, so that no guard is added."""
    node = getattr(value, "node", None)
    expr = getattr(node, "_expr", None)
    if expr is not None:
        replaced = getattr(node, "expr", expr)
        expr = replaced if replaced is not None else expr
    return str(expr if expr is not None else value)


def _dim(value):
    return value if type(value) is int else _sym_text(value) if isinstance(value, torch.SymInt) else int(value)


def target_name(target):
    """`aten.add.Tensor`, `aten.add`, `higher_order.cond`, `operator.getitem`, `torch.relu`, `python:module.function`."""
    return target if type(target) is str else _or(None, _target_name, target) or f"python:{_repr(target)[:500]}"


def _target_name(target):
    if isinstance(target, str):
        return str.__str__(target)
    if isinstance(target, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return str(target)
    if isinstance(target, torch._ops.HigherOrderOperator):
        return "higher_order." + str(target)
    module = getattr(target, "__module__", None) or ""
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", None) or _repr(target)
    if module == "_operator":
        return f"operator.{name}"
    try:
        qualified = torch.fx.node._get_qualified_name(target)
    except Exception:
        qualified = f"{module}.{name}" if module else name
    if "." not in qualified:
        return f"builtins.{qualified}"
    return qualified if qualified.startswith(("torch.", "math.", "builtins.")) else f"python:{qualified}"


def value_data(value, depth=0):
    """An argument as JSON; the table is in docs/capture.md. One that refuses to be read is a text, as is one that nests too deep."""
    found = _or(None, _value_data, value, depth) if depth <= DEEPEST else None
    return found if found is not None or value is None else {"text": _repr(value)[:500]}


def _value_data(value, depth):
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return _int_data(value)
    if kind is float:
        finite = value == value and value not in (float("inf"), float("-inf"))
        return {"f": value if finite else "nan" if value != value else "inf" if value > 0 else "-inf"}
    if isinstance(value, torch.fx.Node):
        return {"node": value.name}
    if isinstance(value, (list, torch.fx.immutable_collections.immutable_list)):
        return [value_data(v, depth + 1) for v in value]
    if isinstance(value, tuple):
        return {"t": [value_data(v, depth + 1) for v in value]}
    if isinstance(value, dict):
        return {"d": [[_text_by(str, k), value_data(v, depth + 1)] for k, v in value.items()]}
    if isinstance(value, torch.dtype):
        return {"dt": _dtype_name(value)}
    if isinstance(value, torch.device):
        return {"dv": value.type, "n": value.index}
    if isinstance(value, torch.layout):
        return {"ly": str(value).replace("torch.", "")}
    if isinstance(value, torch.memory_format):
        return {"mf": str(value).replace("torch.", "")}
    if isinstance(value, slice):
        return {"sl": [value_data(v, depth + 1) for v in (value.start, value.stop, value.step)]}
    if value is Ellipsis:
        return {"e": True}
    if kind is complex and abs(value) < float("inf"):
        return {"c": [value.real, value.imag]}
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return {"s": _sym_text(value)}
    if isinstance(value, (torch._ops.OpOverload, torch._ops.OpOverloadPacket, torch._ops.HigherOrderOperator)):
        return {"op": target_name(value)}
    if isinstance(value, int):  # IntEnum and other subclasses compare as ints
        return _int_data(int(value))
    return None


def _int_data(value):
    """JSON's readers take larger numbers for floats."""
    return value if -(1 << 53) <= value <= 1 << 53 else {"i": str(value)}


def tensor_data(value):
    """dtype, shape, stride and device of a tensor; nothing is computed from its elements."""
    out = {"dtype": _dtype_name(value.dtype), "shape": [_dim(d) for d in value.shape]}
    try:
        out["stride"] = [_dim(d) for d in value.stride()]
        offset = value.storage_offset()
        if type(offset) is not int or offset != 0:
            out["offset"] = _dim(offset)
    except Exception:
        pass  # a sparse tensor has no strides
    out["device"] = str(value.device)
    if value.requires_grad:
        out["grad"] = True
    return out


def val_data(value, depth=0):
    """meta["val"]: a tensor, a number, or several."""
    return (_or(None, _val_data, value, depth) if depth <= DEEPEST else None) or {"value": None}


def _val_data(value, depth):
    if isinstance(value, torch.Tensor):
        return tensor_data(value)
    if isinstance(value, (list, tuple)):
        return {"items": [val_data(v, depth + 1) for v in value], **({"list": True} if isinstance(value, list) else {})}
    if isinstance(value, dict):
        return {"items": [val_data(v, depth + 1) for v in value.values()], "keys": [_text_by(str, k) for k in value]}
    data = value_data(value)
    return {"value": None if isinstance(data, dict) and "text" in data else data}


_FRAME = re.compile(r'^\s*File "(?P<file>.*)", line (?P<line>\d{1,9}), in (?P<fn>.*)$')


def _source_of(node):
    """[file, line, function, code] of the innermost frame of the node's stack trace."""
    trace = node.meta.get("stack_trace")
    if not isinstance(trace, str):
        return None
    lines = trace.rstrip().splitlines()
    for i in range(len(lines) - 1, -1, -1):
        if found := _FRAME.match(lines[i]):
            code = lines[i + 1].strip() if i + 1 < len(lines) else ""
            return [found["file"], int(found["line"]), found["fn"], code]
    return None


_STANDARD_META = {
    "val", "example_value", "tensor_meta", "stack_trace", "nn_module_stack", "source_fn_stack", "original_aten",
    "from_node", "seq_nr", "torch_fn", "custom", "mutation_region_id", "recompute", "partitioner_tag", "desc",
    "eager_input_vals", "dynamo_attributes", "unbacked_bindings", "grapharg", "ac_graph_id", "fwd_nn_module_stack",
    "fwd_source_fn_stack", "is_gradient_acc", "arg_kwarg_vals",
}  # fmt: skip


def _plain_meta(value):
    data = value if type(value) is float and abs(value) < float("inf") else value_data(value)
    return _repr(value)[:200] if isinstance(data, (dict, list)) else data


def node_data(node):
    """One node of a graph as JSON."""
    meta = node.meta
    out = {
        "name": node.name,
        "op": node.op,
        "target": target_name(node.target),
        "args": [value_data(a) for a in node.args],
    }
    if node.kwargs:
        out["kwargs"] = {k: value_data(v) for k, v in node.kwargs.items()}
    val = meta.get("val", meta.get("example_value"))
    if val is None and node.op == "get_attr":
        val = _attribute(node)
        val = val if isinstance(val, torch.Tensor) else None
    if val is not None:
        out["val"] = val_data(val)
    if node.op == "get_attr":
        constant = _constant(_attribute(node))
        if constant is not None:
            out["constant"] = constant
    custom = meta.get("custom")
    if _is_a(custom, dict) and custom:
        out["custom"] = {_text_by(str, k): _plain_meta(v) for k, v in custom.items()}
    other = {k: _plain_meta(v) for k, v in meta.items() if type(k) is str and k not in _STANDARD_META and _is_a(v, (bool, int, str))}
    if other:
        out["meta"] = other
    if source := _source_of(node):
        out["at"] = source
    return out


def _attribute(node):
    owner = node.graph.owning_module
    for part in node.target.split("."):
        owner = getattr(owner, part, None)
    return owner


def _constant(value):
    """Elements of a small constant tensor; never of a fake one, and never of a large one on a device."""
    if not isinstance(value, torch.Tensor):
        return None
    constant = getattr(value, "constant", None)
    if isinstance(constant, torch.Tensor):
        value = constant
    if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.is_meta or value.numel() > MAX_CONSTANT:
        return None
    from torch._subclasses.fake_tensor import unset_fake_temporarily

    with unset_fake_temporarily(), torch.no_grad():
        return value_data(value.detach().cpu().tolist())


# ---------------------------------------------------------------- graphs


class _Run:
    """One graph that passes go over, and the JSON of its nodes, which is made again only for changed nodes."""

    def __init__(self, number):
        self.number = number
        self.cache = {}
        self.last = None  # (graph id, [node texts])
        self.stacks = {}

    def node_text(self, node):
        meta = node.meta
        val = meta.get("val", meta.get("example_value"))
        known = self.cache.get(id(node))
        if (
            known is not None
            and known[0] is node
            and known[1] is node.args
            and known[2] is node.kwargs
            and known[3] is val
            and known[4] == node.name
            and known[5] == len(meta)
        ):
            return known[6]
        text = _dumps(node_data(node))
        self.cache[id(node)] = (node, node.args, node.kwargs, val, node.name, len(meta), text)
        return text


def _pieces(texts, last):
    """The nodes as JSON texts, with runs of equal nodes of the base graph as [start, count]."""
    at = {text: i for i, text in enumerate(last)}
    out, i = [], 0
    while i < len(texts):
        start = at.get(texts[i])
        if start is None:
            out.append(texts[i])
            i += 1
            continue
        n = 1
        while i + n < len(texts) and start + n < len(last) and texts[i + n] == last[start + n]:
            n += 1
        out.append(f"[{start},{n}]")
        i += n
    return out


def _user_order(graph):
    """By node: the names of its users, where their order is not that of the graph."""
    position = {n: i for i, n in enumerate(graph.nodes)}
    out = {}
    for n in graph.nodes:
        if len(n.users) > 1:
            users = [position.get(u, 0) for u in n.users]
            if any(a > b for a, b in zip(users, users[1:])):
                out[n.name] = [u.name for u in n.users]
    return out


def _symbols(graph):
    """Hints and ranges of the graph's symbols."""
    env = None
    for n in graph.nodes:
        val = n.meta.get("val", n.meta.get("example_value"))
        for d in (*val.shape,) if isinstance(val, torch.Tensor) else (val,):
            if isinstance(d, (torch.SymInt, torch.SymFloat)):
                env = getattr(d.node, "shape_env", None)
                break
        if env is not None:
            break
    out = {}
    hints = getattr(env, "backed_var_to_val", None) or getattr(env, "var_to_val", None) or {}
    for symbol, hint in dict(hints).items():
        entry = {}
        try:
            entry["hint"] = int(hint)
        except Exception:
            pass
        bounds = getattr(env, "var_to_range", {}).get(symbol)
        for key, side in (("min", "lower"), ("max", "upper")):
            try:
                value = int(getattr(bounds, side))
                if abs(value) < 1 << 53:
                    entry[key] = value
            except Exception:
                pass
        out[str(symbol)] = entry
    return out


def _children(graph):
    """Bodies of higher-order operators, by attribute."""
    out = {}
    for n in graph.nodes:
        if n.op == "get_attr":
            child = _attribute(n)
            if isinstance(child, torch.fx.GraphModule):
                out[n.target] = graph_data(child.graph)
    return out


def graph_data(graph):
    """A whole graph as JSON."""
    out = {"nodes": [node_data(n) for n in graph.nodes]}
    for key, value in (("users", _user_order(graph)), ("subgraphs", _children(graph))):
        if value:
            out[key] = value
    return out


def _write_graph(state, graph):
    """Writes the graph unless it equals the last one of its run. Returns its id; None if it did not fit."""
    run = state.run_of(graph)
    texts = [run.node_text(n) for n in graph.nodes]
    users = _user_order(graph)
    if run.last is not None and run.last[1] == texts and run.last[2] == users:
        return run.last[0]
    fields = {"record": "graph", "id": state.next("graph"), "run": run.number}
    pieces = texts
    if run.last is not None:
        fields["base"] = run.last[0]
        pieces = _pieces(texts, run.last[1])
    else:
        symbols = _or(None, _symbols, graph)
        if symbols:
            fields["symbols"] = symbols
        owner = graph.owning_module
        fields["module"] = type(owner).__name__ if owner is not None else None
    if users:
        fields["users"] = users
    children = _children(graph)
    if children:
        fields["subgraphs"] = children
    _write_operators(graph)
    line = f'{_dumps(fields)[:-1]},"nodes":[{",".join(pieces)}]}}'
    if not _file.write_text(line, GRAPHS_SHARE):
        _file.miss("graphs")
        return None
    run.last = (fields["id"], texts, users)
    return fields["id"]


def _write_operators(graph):
    """Once each: the schemas of operators that are not PyTorch's own, also of those inside auto_functionalized."""
    for n in graph.nodes:
        for op in (n.target, *n.args[:1]):
            if _is_a(op, torch._ops.OpOverload) and ("operator", op) not in _state.files:
                _state.files[("operator", op)] = True
                if op.namespace not in ("aten", "prims", "prim", "inductor", "_c10d_functional"):
                    _file.write({"record": "operator", "target": target_name(op), "schema": str(op._schema)}, GRAPHS_SHARE)


# ---------------------------------------------------------------- patterns


class _Ids:
    """Numbers of objects, which it keeps alive so that an id stays theirs."""

    def __init__(self):
        self.numbers = {}

    def of(self, obj):
        """(number, True if new)."""
        with _file.lock:
            found = self.numbers.get(id(obj))
            if found is not None:
                return found[0], False
            self.numbers[id(obj)] = (len(self.numbers), obj)
            return len(self.numbers) - 1, True


def pattern_data(pattern, ids):
    """A PatternExpr as data. An object that occurs again is {"expr": "ref", "id": …}."""
    seen = set()

    def users(p):
        return "MULTIPLE" if p.users is pm.MULTIPLE else p.users

    def arg(value):
        if isinstance(value, pm.PatternExpr):
            return {"pattern": expr(value)}
        if isinstance(value, (list, tuple, dict)) and _holds_pattern(value):
            if isinstance(value, dict):
                return {"dict": [[str(k), arg(v)] for k, v in value.items()]}
            return {"list" if isinstance(value, list) else "tuple": [arg(v) for v in value]}
        return {"value": value_data(value)}

    def expr(p):
        number, _ = ids.of(p)
        if number in seen:
            return {"expr": "ref", "id": number}
        seen.add(number)
        kind = next((c.__name__ for c in type(p).__mro__ if c.__name__ in _KINDS), None)
        out = {"expr": kind or "User", "id": number}
        if type(p).__module__ != pm.__name__:
            out["class"] = type(p).__name__
            out["repr"] = _repr(p)[:MAX_REASON]
        if kind in ("KeywordArg", "ExclusiveKeywordArg"):
            out["name"] = p.name
        elif kind in ("CallFunction", "CallMethod", "CallModule"):
            out["fns"] = [target_name(f) for f in p.fns]
            out["args"] = [arg(a) for a in p.args]
            out["kwargs"] = [[k, arg(v)] for k, v in p.kwargs.items()]
            out["users"] = users(p)
        elif kind in ("CallFunctionVarArgs", "CallMethodVarArgs", "CallModuleVarArgs"):
            out.update(fns=[target_name(f) for f in p.fns], args=[], kwargs=[], users=users(p))
        elif kind == "GetAttr":
            tensor = p.value if isinstance(p.value, torch.Tensor) else None
            out["value"] = tensor_data(tensor) if tensor is not None else None
            out["constant"] = _constant(tensor)
            out["users"] = users(p)
        elif kind == "ListOf":
            out.update(pattern=expr(p.pattern), partial=p.partial)
        elif kind == "RepeatedExpr":
            out["pattern"] = expr(p.inner_pattern)
        elif kind == "MultiOutputPattern":
            out["outputs"] = [None if o is None else expr(o) for o in p.outputs]
        elif kind is None:
            out.update(_or({}, _own_expr, p))
        return out

    return expr(pattern)


def _own_expr(p):
    return {"op": _plain_meta(getattr(p, "op", None)), "fns": [target_name(f) for f in getattr(p, "fns", ())]}


_KINDS = {
    "Arg", "Ignored", "KeywordArg", "ExclusiveKeywordArg", "GetAttr", "CallFunction", "CallMethod", "CallModule",
    "CallFunctionVarArgs", "CallMethodVarArgs", "CallModuleVarArgs", "ListOf", "MultiOutputPattern", "RepeatedExpr",
}  # fmt: skip


def _holds_pattern(value):
    if isinstance(value, pm.PatternExpr):
        return True
    if isinstance(value, dict):
        return any(map(_holds_pattern, value.values()))
    return isinstance(value, (list, tuple)) and any(map(_holds_pattern, value))


def _pattern_text(pattern):
    """The text of PatternPrettyPrinter; None for kinds that it cannot print."""
    try:
        return pm.PatternPrettyPrinter.run(pattern)
    except Exception:
        return None


class _Repr:
    """Texts of patterns in reasons: a FailedMatch prints whole subtrees, and those of one pattern repeat."""

    def __init__(self):
        self.texts = {}
        self.sizes = {}

    def size(self, p):
        """Number of expressions in the text, in which a shared one is repeated."""
        found = self.sizes.get(id(p))
        if found is None:
            found = self.sizes[id(p)] = 1 + sum(self.size(c) for c in self.children(p))
        return found

    @staticmethod
    def children(p):
        flat = getattr(p, "flat_args_kwargs", None)
        inner = flat[0] if flat is not None else getattr(p, "outputs", None) or [getattr(p, "pattern", None)]
        return [c for c in inner if isinstance(c, pm.PatternExpr)]

    def of(self, p):
        known = self.texts.get(id(p))
        if known is None or known[0] is not p:
            text = _repr(p) if self.size(p) <= 2000 else f"{type(p).__name__}(…)"
            known = self.texts[id(p)] = (p, text)
        return known[1]

    def reason(self, failed):
        """str(FailedMatch)."""

        def printed(value):
            return _Text(self.of(value)) if isinstance(value, pm.PatternExpr) else value

        try:
            if any(isinstance(a, RuntimeError) for a in failed.args):
                text = str(failed)
            else:
                args = [printed(a) for a in failed.args]
                text = failed.format_string.format(*args, **{k: printed(v) for k, v in failed.kwargs.items()})
        except Exception:
            text = str(getattr(failed, "format_string", failed))
        return text if len(text) <= MAX_REASON else text[:MAX_REASON] + "…"


class _Text:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text

    __str__ = __repr__


# ---------------------------------------------------------------- registrations


_registered = {}  # id(entry) → (entry, facts)
_inputs = {}  # id(pattern) → (pattern, metadata of the example inputs)
_traced = {}  # id(pattern) → (pattern, search GraphModule, argnames), for patterns of a search function


def _place(fn):
    """Name, file and line of a function."""
    return _or({"name": type(fn).__name__, "file": None, "line": None}, _place_of, fn)


def _place_of(fn):
    fn = inspect.unwrap(fn) if callable(fn) and not inspect.ismethod(fn) else fn
    while isinstance(fn, functools.partial):
        fn = fn.func
    fn = getattr(fn, "__func__", fn)
    code = getattr(fn, "__code__", None)
    name = getattr(fn, "__qualname__", None) or type(fn).__name__
    if code is None:
        call = getattr(type(fn), "__call__", None)
        code = getattr(call, "__code__", None)
    return {"name": name, "file": code and code.co_filename, "line": code and code.co_firstlineno}


def _user_frames():
    """The callers outside torch, innermost first."""
    frame = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file == _HERE and frame.f_code.co_name == "run_program":
            return
        if file != _HERE and _is_user_file(file) and os.path.basename(file) not in _HELPERS:
            yield frame
        frame = frame.f_back


_HELPERS = {"contextlib.py", "runpy.py", "functools.py"}


def _is_user_file(file):
    """Cells of notebooks and lines typed into Python are in linecache, under names that may begin with `<`."""
    typed = file.startswith("<") and file in linecache.cache and not file.startswith("<eval_with_key>")
    return typed or not file.startswith((_TORCH, "<"))


def _cells(fn):
    """The variables that a closure holds."""
    code, cells = getattr(fn, "__code__", None), getattr(fn, "__closure__", None) or ()
    out = {}
    for name, cell in zip(code.co_freevars if code else (), cells):
        try:
            out[name] = cell.cell_contents
        except ValueError:
            pass
    return out


@_safely
def _note_entry(entry):
    """At registration: the user's line, and the object whose method registers."""
    if id(entry) in _registered:
        return
    frames = list(_user_frames())[:8]
    owner = frames[0].f_locals.get("self") if frames else None
    _registered[id(entry)] = (
        entry,
        {
            "registered": [[f.f_code.co_filename, f.f_lineno, f.f_code.co_name] for f in frames],
            "title": type(owner).__name__ if owner is not None else None,
        },
    )


def _is_replacement(entry):
    return isinstance(entry, pm.ReplacementPatternEntry)


def _functions_of(entry):
    """The user's functions of an entry: of register_replacement they are variables of its check."""
    if not _is_replacement(entry):
        return {"handler": getattr(entry, "handler", None), "extraCheck": entry.extra_check}
    cells = _cells(entry.extra_check)
    search = cells.get("search_fn")
    replace = cells.get("replace_fn")
    wrapped = [_cells(f).get("fn") for f in (search, replace)]  # bound methods are wrapped in a function
    return {
        "search": wrapped[0] if callable(wrapped[0]) and "argnames" in _cells(search) else search,
        "replace": wrapped[1] if callable(wrapped[1]) and "argnames" in _cells(replace) else replace,
        "extraCheck": cells.get("extra_check"),
    }


_PLAIN = (bool, int, float, str, type(None), torch.dtype)


def _bindings(search):
    """Plain values that a search function closes over, and plain fields of its object: they tell variants apart."""
    out = {}
    owner = getattr(search, "__self__", None)
    if owner is not None:
        out.update({k: v for k, v in getattr(owner, "__dict__", {}).items() if isinstance(v, _PLAIN)})
    for k, v in _cells(search).items():
        if k == "self":
            out.update({k: v for k, v in getattr(v, "__dict__", {}).items() if isinstance(v, _PLAIN)})
        elif isinstance(v, _PLAIN):
            out[k] = v
    return {k: _repr(v)[:200] for k, v in list(out.items())[:40]}


def _entry_data(state, entry, number):
    facts = _registered.get(id(entry), (None, {}))[1]
    functions = _functions_of(entry)
    out = {
        "record": "entry",
        "id": number,
        "kind": "replacement"
        if _is_replacement(entry)
        else "lowering"
        if type(entry).__name__ == "LoweringPatternEntry"
        else "graph",
        "text": _pattern_text(entry.pattern),
        "pattern": pattern_data(entry.pattern, state.ids),
        "title": facts.get("title"),
        "registered": facts.get("registered") or [],
        "functions": {
            k: place for k, f in functions.items() if f is not None and (place := _place(f))["name"] != "_return_true"
        },
    }
    if out["kind"] == "replacement":
        cells = _cells(entry.extra_check)
        out["argNames"] = list(cells.get("argnames_static") or cells.get("argnames") or ())
        workaround = cells.get("scalar_workaround") or {}
        out["scalarWorkaround"] = [[k, value_data(v)] for k, v in workaround.items()] or None
        out["exclusiveArgNames"] = list(cells.get("exclusive_arg_names") or ())
        out["givenPattern"] = cells.get("search_fn_pattern") is not None
        if functions.get("search") is not None:
            bindings = _bindings(functions["search"])
            if bindings:
                out["bindings"] = bindings
        trace_fn = cells.get("trace_fn")
        out["traceFn"] = getattr(trace_fn, "__name__", None)
        traced = _traced.get(id(entry.pattern))
        if traced is not None and traced[0] is entry.pattern:
            out["search"] = graph_data(traced[1].graph)
            out["flatArgNames"] = list(traced[2])
        inputs = _inputs.get(id(entry.pattern))
        if inputs is not None and inputs[0] is entry.pattern:
            out["exampleInputs"] = inputs[1]
    return out


# ---------------------------------------------------------------- one application


class _State:
    """What this process has written."""

    def __init__(self):
        self.reset()
        _file.on_open.append(self.reset)

        # Called with the number of the run and its graph, before its first pass and after each pass.
        self.on_graph = self.on_end = None

    def reset(self):
        self.numbers = {}
        self.ids = _Ids()
        self.entries = _Ids()
        self.passes = _Ids()
        self.traces = _Ids()
        self.runs = {}
        self.repr = _Repr()
        self.files = {}
        self.roots = {}

    def next(self, kind):
        with _file.lock:
            self.numbers[kind] = n = self.numbers.get(kind, -1) + 1
        return n

    def run_of(self, graph):
        with _file.lock:
            known = self.runs.get(id(graph))
            if known is not None and known[0]() is graph:
                return known[1]
            self.runs = {k: v for k, v in self.runs.items() if v[0]() is not None}
            run = _Run(self.next("run"))
            self.runs[id(graph)] = (weakref.ref(graph), run)
        if self.on_graph is not None:
            _call(self.on_graph, run.number, graph)
        return run


_state = _State()


def _all_entries(matcher_pass):
    seen = {}
    for entries in matcher_pass.patterns.values():
        for entry in entries:
            seen.setdefault(id(entry), entry)
    return list(seen.values())


def _is_user_code(entry):
    """False for a pattern whose functions are PyTorch's own, whoever caused its registration."""
    functions = _functions_of(entry)
    files = [_place(f)["file"] for k, f in functions.items() if f is not None and k != "extraCheck"]
    return any(f and not f.startswith(_TORCH) for f in files)


def _wanted(matcher_pass):
    if os.environ.get("FUSESCOPE_PASSES") == "all":
        return True
    known = _wants.get(matcher_pass)
    size = sum(map(len, matcher_pass.patterns.values()))
    if known is None or known[0] != size:
        entries = _all_entries(matcher_pass)
        known = (size, any(map(_is_user_code, entries)))
        _wants[matcher_pass] = known
    return known[1]


_wants = weakref.WeakKeyDictionary()


def _variable_of(matcher_pass):
    """`module.variable` of a pass that is a module's global."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(module, types.ModuleType) or (file and file.startswith(_TORCH)):
            continue
        for variable, value in list(vars(module).items()):
            if value is matcher_pass:
                return [name, variable]
    return None


def _holder_of(matcher_pass):
    """Class and attribute of the object in a calling frame that holds the pass."""
    frame = sys._getframe(1)
    while frame is not None:
        owner = frame.f_locals.get("self")
        if owner is not None and owner is not matcher_pass and not isinstance(owner, _Application):
            for attribute, value in list(getattr(owner, "__dict__", {}).items()):
                if value is matcher_pass:
                    return [type(owner).__module__, type(owner).__qualname__, attribute]
        frame = frame.f_back
    return None


def _compile_id():
    try:
        from torch._guards import CompileContext

        return str(CompileContext.current_compile_id() or "") or None
    except Exception:
        return None


class _Application:
    """Events of one call of PatternMatcherPass.apply."""

    def __init__(self, matcher_pass, graph):
        self.matcher_pass = matcher_pass
        self.graph = graph
        self.number = _state.next("apply")
        self.pending = None  # the initial attempt that matched: its row, entry, node and match
        self.at = None  # the anchor, with the position among its entries
        self.roots = 0
        self.missed = 0
        self.traced = None
        self.raised_in_trace = None
        self.specific_failed = False

    def start(self):
        number, new = _state.passes.of(self.matcher_pass)
        if new:
            self.write_pass(number)
        self.entries = {}
        for entry in _all_entries(self.matcher_pass):
            self.entries[id(entry)] = self.entry_number(entry)
        table = [
            [op, target_name(target), [self.entries[id(e)] for e in entries]]
            for (op, target), entries in self.matcher_pass.patterns.items()
            if entries
        ]
        before = _write_graph(_state, self.graph)
        _file.write(
            {
                "record": "apply",
                "id": self.number,
                "pass": number,
                "run": _state.run_of(self.graph).number,
                "compile": _compile_id(),
                "before": before,
                "table": table if _file.room(GRAPHS_SHARE) else [],
            }
        )
        _file.flush()
        self.started = time.perf_counter()

    def write_pass(self, number):
        matcher_pass = self.matcher_pass
        _file.write(
            {
                "record": "pass",
                "id": number,
                "passName": _plain_meta(getattr(matcher_pass, "pass_name", None)),
                "subsystem": _plain_meta(getattr(matcher_pass, "subsystem", None)),
                "class": type(matcher_pass).__qualname__,
                "variable": _or(None, _variable_of, matcher_pass),
                "holder": _or(None, _holder_of, matcher_pass),
            }
        )

    def entry_number(self, entry):
        number, new = _state.entries.of(entry)
        if new:
            data = _entry_data(_state, entry, number)
            if not _file.write(data, GRAPHS_SHARE):
                _file.miss("patterns")
            if _file.sources:
                _write_sources(data)
        return number

    def locate(self, pattern, node):
        """The entry that is tried: entries of a target go in order, and one pattern may be in several."""
        entries = self.matcher_pass.patterns.get((node.op, _target_of(node)), ())
        if self.at is None or self.at[0] is not node:
            self.at = [node, 0]
        for i in range(self.at[1], len(entries)):
            if entries[i].pattern is pattern:
                self.at[1] = i + 1
                return entries[i]
        return None

    @_safely
    def attempt(self, pattern, node, result):
        pending = self.pending
        if pending is not None and self.is_second(pattern):
            self.second(pattern, node, result)
            return
        self.settle()
        entry = self.locate(pattern, node)
        if entry is None:
            return
        if not result:
            if _failed_at_root(result, pattern, node):
                self.roots += 1
                return
            self.write_attempt(
                {"entry": self.entries[id(entry)], "node": node.name, "ok": False, "reason": _state.repr.reason(result)}
            )
            return
        row = {
            "entry": self.entries[id(entry)],
            "node": node.name,
            "ok": True,
            "nodes": [n.name for n in result.nodes],
        }
        self.pending = (row, entry, node, result)
        self.traced = self.raised_in_trace = None
        self.specific_failed = False

    def is_second(self, pattern):
        _, entry, _, _ = self.pending
        if not _is_replacement(entry) or "second" in self.pending[0]:
            return False
        if self.traced is not None:
            return self.traced[1] is pattern
        return entry.pattern is pattern and _cells(entry.extra_check).get("search_fn_pattern") is not None

    def second(self, pattern, node, result):
        """Stage two: the re-traced pattern at the anchor."""
        row = self.pending[0]
        second = {"node": node.name, "ok": bool(result)}
        if result:
            second["nodes"] = [n.name for n in result.nodes]
        else:
            second["reason"] = _state.repr.reason(result)
        if self.traced is not None:
            second["trace"] = self.trace_number("specific", self.traced[0].graph, self.traced[1], self.traced[2])
        row["second"] = second

    def trace_number(self, kind, graph, pattern=None, argnames=None):
        """A trace, written once for each distinct graph."""
        data = graph_data(graph)
        entry = self.entries[id(self.pending[1])]
        key = _dumps([kind, entry, list(argnames or ()), data])
        known = _state.files.get(("trace", key))
        if known is None:
            record = {"record": "trace", "id": _state.next("trace"), "entry": entry, "kind": kind}
            if pattern is not None:
                record["text"] = _pattern_text(pattern)
                record["argNames"] = list(argnames or ())
            record["graph"] = data
            known = record["id"]
            if not _file.write(record, GRAPHS_SHARE):
                _file.miss("traces")
                known = -1
            _state.files[("trace", key)] = known
        return known if known >= 0 else None

    @_safely
    def applying(self, entry, match, node):
        """The match is about to be replaced."""
        if self.pending is None:
            return
        row = self.pending[0]
        row["applied"] = True
        row["outputs"] = [None if n is None else n.name for n in match.output_nodes()]
        replacement = getattr(match, "replacement_graph", None)
        if replacement is not None:
            row["replacement"] = self.trace_number("replacement", replacement.graph)
        else:
            row["edit"] = None
            self.nodes_before = {n: (n.args, n.kwargs) for n in self.graph.nodes}

    @_safely
    def applied(self, error):
        if self.pending is None:
            return
        row = self.pending[0]
        if error is not None:
            row["raised"] = error
        elif "edit" in row:
            row["edit"] = self.edit_since(self.nodes_before)
            self.nodes_before = None
        self.settle()
        _file.flush()

    def edit_since(self, before):
        """What a handler did: the changed nodes, with the node after which each stands, and the erased ones."""
        run = _state.run_of(self.graph)
        changed, previous, nodes = [], None, []
        for n in self.graph.nodes:
            nodes.append(n)
            known = before.get(n)
            if known is None or known[0] is not n.args or known[1] is not n.kwargs:
                changed.append({"after": previous, "new": known is None, **json.loads(run.node_text(n))})
            previous = n.name
        present = set(nodes)
        return {"nodes": changed, "erased": [n.name for n in before if n not in present]}

    def settle(self):
        """Writes the pending initial match, with the reason why it was dropped if it was."""
        if self.pending is None:
            return
        row, entry, node, match = self.pending
        self.pending = None
        if "applied" not in row and "raised" not in row:
            second = row.get("second")
            if second is None or second["ok"]:
                row["dropped"] = self.drop_reason(entry, match, second)
        self.write_attempt(row, keep=True)

    def drop_reason(self, entry, match, second):
        if self.raised_in_trace is not None:
            return {"why": "trace", "text": self.raised_in_trace}
        if second is None:
            regions = {pm.get_mutation_region_id(self.graph, n) for n in match.nodes if not n._erased}
            if len(regions) > 1:
                return {"why": "mutation-regions"}
            contexts = set()
            for n in match.nodes:
                custom = n.meta.get("custom") or {}
                contexts.add((custom.get("stream", 0), custom.get("mempool"), custom.get("mempool_device")))
            if len(contexts) > 1 and hasattr(pm, "_common_custom_context"):
                return {"why": "streams"}
            if _is_replacement(entry):
                return {"why": "arguments"}
        return {"why": "extra-check"}

    def write_attempt(self, row, keep=False):
        line = {"record": "attempt", "apply": self.number, **row}
        if not _file.write(line, None if keep else ATTEMPTS_SHARE):
            self.missed += 1
            _file.miss("attempts")

    @_safely
    def end(self, count, error):
        elapsed = time.perf_counter() - self.started
        if error is not None and self.pending is not None:
            self.pending[0].setdefault("raised", error)
        self.settle()
        record = {"record": "applied", "apply": self.number, "count": count, "rootFailures": self.roots}
        if error is not None:
            record["error"] = error
        record["after"] = _write_graph(_state, self.graph)
        record["ms"] = round(elapsed * 1000, 3)
        if self.missed:
            record["attemptsLeftOut"] = self.missed
        _file.write(record)
        if _file.left_out:
            _file.write({"record": "left-out", "limit": _file.limit, **_file.left_out})
        _file.flush()
        if _state.on_end is not None:
            _call(_state.on_end, _state.run_of(self.graph).number, self.graph, count)


def _failed_at_root(failed, pattern, node):
    """True if the operator or the number of arguments of the anchor itself differs."""
    if not str(getattr(failed, "format_string", "")).startswith("function_mismatch") or len(failed.args) < 2:
        return False
    root = pattern.outputs[0] if isinstance(pattern, pm.MultiOutputPattern) else pattern
    return failed.args[0] is node and failed.args[1] is root


def _target_of(node):
    extract = getattr(pm, "extract_target", None)
    return extract(node) if extract is not None else node.target


# ---------------------------------------------------------------- sources


def _write_sources(entry):
    """Once per file: the text of the files that define an entry, and of loaded modules beside them."""
    files = {f["file"] for f in entry["functions"].values() if f["file"]}
    files.update(frame[0] for frame in entry["registered"])
    for file in sorted(filter(_is_user_file, files)):
        _write_source(file)
        if not file.startswith("<"):
            _write_siblings(os.path.dirname(os.path.abspath(file)))


def _write_siblings(folder):
    stdlib = folder.startswith(os.path.dirname(os.__file__)) and "-packages" not in folder
    if ("folder", folder) in _state.files or stdlib:
        return
    _state.files[("folder", folder)] = True
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(".py") and os.path.dirname(os.path.abspath(file)) == folder:
            _write_source(file)


def _write_source(file):
    if ("source", file) in _state.files or os.path.abspath(file) == _HERE:
        return
    _state.files[("source", file)] = True
    try:
        with open(file, encoding="utf-8", errors="replace") as f:
            text = f.read(MAX_SOURCES + 1)
    except OSError:  # a cell of a notebook is no file
        text = "".join(linecache.getlines(file))[: MAX_SOURCES + 1]
    if not text:
        return
    total = _state.files.get("source bytes", 0) + len(text)
    if total > MAX_SOURCES or not _file.room(GRAPHS_SHARE, len(text)):
        _file.miss("sources")
        return
    _state.files["source bytes"] = total
    _file.write({"record": "source", "file": file, "module": _module_of(file), "text": text})


def _module_of(file):
    for name, module in list(sys.modules.items()):
        if name != "__main__" and getattr(module, "__file__", None) == file:
            return name
    return None


# ---------------------------------------------------------------- the wrappers


def _current():
    return getattr(_local, "application", None)


def _graph_of(gm):
    return gm.graph if isinstance(gm, torch.fx.GraphModule) else gm


@_safely
def _started(matcher_pass, gm):
    graph = _graph_of(gm)
    if not matcher_pass.patterns or not isinstance(graph, torch.fx.Graph) or not _wanted(matcher_pass):
        return None
    with _file.lock:
        if not _file.begin():
            return None
        if not _file.room(1):
            _file.miss("passes")
            _file.write({"record": "left-out", "limit": _file.limit, **_file.left_out}) if _file.left_out["passes"] == 1 else None
            return None
        application = _Application(matcher_pass, graph)
        application.start()
        return application


def _wrap_apply(inner):
    if getattr(inner, "_fusescope", False):
        return inner

    @functools.wraps(inner)
    def apply(self, gm, *args, **kwargs):
        outer = _current()
        # An override that calls the base class's apply is one application.
        application = None if outer is not None and outer.matcher_pass is self else _started(self, gm)
        if application is None:
            return inner(self, gm, *args, **kwargs)
        _local.application = application
        count = error = None
        try:
            count = inner(self, gm, *args, **kwargs)
            return count
        except BaseException as e:
            error = _error_text(e)
            raise
        finally:
            _local.application = outer
            application.end(count if type(count) is int and count >= 0 else None, error)

    apply._fusescope = True
    return apply


def _wrap_match(inner):
    @functools.wraps(inner)
    def match(self, node):
        result = inner(self, node)
        application = getattr(_local, "application", None)
        if application is not None:
            application.attempt(self, node, result)
        return result

    return match


def _wrap_entry_apply(inner):
    if getattr(inner, "_fusescope", False):
        return inner

    @functools.wraps(inner)
    def apply(self, match, graph, node):
        application = _current()
        if application is None:
            return inner(self, match, graph, node)
        application.applying(self, match, node)
        try:
            result = inner(self, match, graph, node)
        except BaseException as e:
            application.applied(_error_text(e))
            raise
        application.applied(None)
        return result

    apply._fusescope = True
    return apply


def _wrap_register(inner):
    @functools.wraps(inner)
    def register(self, *args, **kwargs):
        _note_entry(self)
        return inner(self, *args, **kwargs)

    return register


def _wrap_fx_to_pattern(inner):
    """Traced search functions: at registration, and in stage two inside an application."""

    @functools.wraps(inner)
    def fx_to_pattern(gm, *args, **kwargs):
        pattern = inner(gm, *args, **kwargs)
        _note_trace(gm, pattern, kwargs.get("argnames") or (args[1] if len(args) > 1 else ()))
        return pattern

    return fx_to_pattern


@_safely
def _note_trace(gm, pattern, argnames):
    if not isinstance(gm, torch.fx.GraphModule):
        return
    application = _current()
    if application is not None and application.pending is not None:
        application.traced = (gm, pattern, list(argnames))
    elif not _from_inductor():
        _traced[id(pattern)] = (pattern, gm, list(argnames))


def _wrap_gen_pattern(inner):
    """The example inputs of a search function, which its pattern does not hold."""

    @functools.wraps(inner)
    def gen_pattern_and_search_gm(search_fn, example_inputs, *args, **kwargs):
        out = inner(search_fn, example_inputs, *args, **kwargs)
        _note_inputs(out, example_inputs)
        return out

    return gen_pattern_and_search_gm


@_safely
def _note_inputs(out, example_inputs):
    if id(out[0]) in _traced:
        _inputs[id(out[0])] = (out[0], [val_data(v) for v in example_inputs])


def _from_inductor():
    """True where PyTorch registers patterns of its own, whose traces nobody needs."""
    frame = next(_user_frames(), None)
    caller = sys._getframe(2)
    while caller is not None and caller is not frame:
        if os.sep + "fx_passes" + os.sep in caller.f_code.co_filename:
            return True
        caller = caller.f_back
    return False


def _wrap_trace_failure(inner):
    @functools.wraps(inner)
    def log_trace_failure(search_fn, e, *args, **kwargs):
        application = _current()
        if application is not None:
            application.raised_in_trace = _error_text(e)
        return inner(search_fn, e, *args, **kwargs)

    return log_trace_failure


def _subclasses(cls):
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)


_undo = []  # (owner, name, value before), in the order of the changes


def _set(owner, name, value):
    _undo.append((owner, name, vars(owner).get(name, _undo)))
    setattr(owner, name, value)


def _wrap_class(cls, name, wrap):
    """Wraps a method of a class and of its present and later subclasses that override it."""
    for one in (cls, *_subclasses(cls)):
        if name in vars(one):
            _set(one, name, wrap(vars(one)[name]))
    inherited = cls.__init_subclass__

    def init_subclass(sub, **kwargs):
        inherited(**kwargs)
        if name in vars(sub):
            _set(sub, name, wrap(vars(sub)[name]))

    _set(cls, "__init_subclass__", classmethod(init_subclass))


def install():
    """Wraps PyTorch's pattern matcher in this process. Importing this module calls it."""
    if _undo:
        return
    _wrap_class(pm.PatternMatcherPass, "apply", _wrap_apply)
    _wrap_class(pm.PatternEntry, "apply", _wrap_entry_apply)
    _set(pm.PatternEntry, "register", _wrap_register(pm.PatternEntry.register))
    for cls in (pm.PatternExpr, *_subclasses(pm.PatternExpr)):
        if "match" in vars(cls):
            _set(cls, "match", _wrap_match(vars(cls)["match"]))
    _set(pm, "fx_to_pattern", _wrap_fx_to_pattern(pm.fx_to_pattern))
    if hasattr(pm, "gen_pattern_and_search_gm"):
        _set(pm, "gen_pattern_and_search_gm", _wrap_gen_pattern(pm.gen_pattern_and_search_gm))
    if hasattr(pm, "log_trace_failure"):
        _set(pm, "log_trace_failure", _wrap_trace_failure(pm.log_trace_failure))


def uninstall():
    """Restores PyTorch's functions and closes the file. Returns its path; None if nothing was recorded."""
    while _undo:
        owner, name, value = _undo.pop()
        if value is _undo:
            delattr(owner, name)
        else:
            setattr(owner, name, value)
    _file.close()
    return _file.path


@contextlib.contextmanager
def recording(out, may_hold_sources=True):
    """Records what happens inside to the file `out`, and not to the file of an outer recording. Yields the file and its state."""
    global _file, _state
    outer, wrapped = (_file, _state), bool(_undo)
    _file = _File(out, may_hold_sources)
    _state = _State()
    install()
    try:
        yield _file, _state
    finally:
        _file.close()
        _file, _state = outer
        if not wrapped:
            uninstall()


@contextlib.contextmanager
def tried(out):
    """As `recording`, for passes that are tried and let go: nothing of them is kept after it."""
    kept = [(table, dict(table)) for table in (_registered, _traced, _inputs)]
    try:
        with recording(out, may_hold_sources=False) as (file, _):
            yield file
    finally:
        for table, before in kept:
            table.clear()
            table.update(before)


# ---------------------------------------------------------------- running a program


def cache_hits():
    """Number of graphs that came from a cache, so that no pass went over them."""
    from torch._dynamo.utils import counters

    return max(counters["inductor"]["fxgraph_cache_hit"], counters["aot_autograd"]["autograd_cache_hit"])


def cache_sentence(hits):
    came = "1 graph came" if hits == 1 else f"{hits} graphs came"
    return f"{came} from Inductor's cache, so no pass went over it: set TORCHINDUCTOR_FORCE_DISABLE_CACHES=1."


# In this process a program is called by these, which its own traceback does not show.
_RUNNERS = {os.path.basename(__file__), "runpy.py", "<frozen runpy>"}


def run_program(argv, module=None):
    """Runs a script, or a module, as __main__ of this process. Returns its exit status; an exception is printed."""
    sys.argv[:] = argv if module is None else [module, *argv]
    sys.path[0] = os.getcwd() if module is not None else os.path.dirname(os.path.abspath(argv[0]))
    try:
        if module is None:
            runpy.run_path(argv[0], run_name="__main__")
        else:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as e:
        if e.code is None or isinstance(e.code, int):
            return e.code or 0
        print(e.code, file=sys.stderr)
        return 1
    except BaseException as e:
        trace = e.__traceback__
        while trace is not None and os.path.basename(trace.tb_frame.f_code.co_filename) in _RUNNERS:
            trace = trace.tb_next
        sys.excepthook(type(e), e.with_traceback(trace), trace)
        return 130 if isinstance(e, KeyboardInterrupt) else 1
    return 0


def _lines(folder, name):
    with contextlib.suppress(OSError), open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read().splitlines()
    return []


def own_folder(folder):
    """True if there is, or now is, such a folder that only the user can write, or put another in place of."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.lstat(folder)
        above = [os.stat(path) for path in _parents(os.path.realpath(folder))]
    except OSError:
        return False
    owner = os.getuid() if hasattr(os, "getuid") else found.st_uid
    held = all(f.st_uid in (0, owner) and (not f.st_mode & 0o022 or f.st_mode & stat.S_ISVTX) for f in above)
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == owner and not found.st_mode & 0o022
    return mine and (held or os.name == "nt") and os.access(folder, os.W_OK)


def _parents(path):
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        yield path


def _of_the_user():
    """
    A folder that only the user can write. It outlives the run: what the program leaves behind, such as a scheduler, keeps it on
    PYTHONPATH, so nobody else may be able to make it again.
    """
    cache = os.environ.get("XDG_CACHE_HOME") or ""
    base = cache if os.path.isabs(cache) else os.path.expanduser(os.path.join("~", ".cache"))
    folder = os.path.join(base, "fusescope-recorder")
    return folder if own_folder(folder) else tempfile.mkdtemp(prefix="fusescope-recorder-")


def _watching(folder):
    """The folder of a sitecustomize.py that records with this file."""
    text = sitecustomize()
    place = os.path.join(folder, hashlib.sha256(text.encode()).hexdigest()[:16])
    os.makedirs(place, mode=0o700, exist_ok=True)
    handle, written = tempfile.mkstemp(dir=place)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(written, os.path.join(place, "sitecustomize.py"))
    return place


def record_program(found, argv):
    """Runs a program and records it. Returns (exit status, the files that were written)."""
    out = found.get("out") or os.environ.get("FUSESCOPE_OUT")
    earlier = []
    if out:
        make_room(out)
        os.environ["FUSESCOPE_OUT"] = place = os.path.abspath(out)
        if not os.path.isdir(os.path.dirname(place)):
            raise Refused(f"{out} cannot be written: there is no folder {os.path.dirname(place)}.")
        earlier = _of_earlier_runs(place)
    own = _of_the_user()
    parent, folder = os.getpid(), tempfile.mkdtemp(prefix="run-", dir=own)
    if "sources" in found:
        os.environ["FUSESCOPE_SOURCES"] = "1"
    os.environ["FUSESCOPE_RUN"] = folder
    os.environ["FUSESCOPE_CHILDREN"] = "1" if "children" in found else "0"
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (_watching(own), os.environ.get("PYTHONPATH"))))
    try:
        status = run_program(argv, found.get("m"))
        if os.getpid() != parent:
            sys.exit(status)  # a forked child that ran to the end of the script
        _file.close()
        if unrecorded := len(set(_lines(folder, "unrecorded"))):
            workers = "1 worker process" if unrecorded == 1 else f"{unrecorded} worker processes"
            _say(f"{workers} with the pattern matcher {'was' if unrecorded == 1 else 'were'} not recorded: add --children.")
        if hits := cache_hits():
            _say(cache_sentence(hits))
        files = [path for path in _lines(folder, "files") if os.path.getsize(path)]
        if earlier:
            more = f" and {len(earlier) - 1} more" if len(earlier) > 1 else ""
            _say(f"of an earlier run, and still there: {earlier[0]}{more}")
        if inside := _lines(folder, "inside"):
            wrote = "1 recording of its own:" if len(inside) == 1 else f"{len(inside)} recordings of its own, the last"
            _say(f"record() wrote {wrote} {inside[-1]}")
        if not files and not _lines(folder, "failed") and _file.pid is None:
            _say(f"no pass with patterns of yours was applied{' outside of record()' if inside else ''}.")
        return status, files
    finally:
        if os.getpid() == parent:
            shutil.rmtree(folder, ignore_errors=True)


def main(found, argv):
    """python -m fusescope_capture SCRIPT [ARGUMENTS]"""
    # The script's imports find this module, and not a second copy of it beside __main__.
    sys.modules.setdefault("fusescope_capture", sys.modules["__main__"])
    status, files = _as_command(record_program, found, argv)
    for path in files:
        _say(path)
    # `fusescope run` reports what is in the files.
    globals().get("after_run", bool)(files)
    return status


install()

if __name__ == "__main__":
    sys.exit(main(_options, _program))
