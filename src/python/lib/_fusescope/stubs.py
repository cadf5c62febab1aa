"""Stubs for missing modules, made on import. Each stub and its accessed attributes are reported."""

import abc
import contextlib
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from . import bundle, frames

_asked = {}  # module → accessed attributes
instantiated = set()  # classes of user code, with their bases, of which this run made an object
called_in_pass = []  # functions that hear of each stub that a pass calls, with its arguments
_places = {}  # module → the user's line that imported it first
_latest = []  # decisions since the last call of latest()
_decided = {}  # (module, name, (file, line)) → the first decision there
_phase = ["load"]

# Our modules and the standard library are never stubbed: a misspelled stdlib import must fail.
_OURS = ("_fusescope",)
CLOSED = frozenset("js pyodide pyodide_js _pyodide _pyodide_core micropip".split())


def report() -> list[dict]:
    """The stubs as data, without packages that only contain another stub."""
    return [
        {"module": name, "asked": sorted(asked), "place": _places.get(name), "decided": decided(name)}
        for name, asked in _asked.items()
        if asked or not any(other.startswith(f"{name}.") for other in _asked)
    ]


def decided(module: str) -> list[list]:
    """The decisions that depend on a stub of this module: [[module, what was asked, line, answer, phase]]."""
    return [decision for (owner, *_), decision in _decided.items() if owner == module]


def latest() -> list:
    """The decisions of all modules since the last call."""
    found = list(_latest)
    _latest.clear()
    return found


def _decides(stub, answer, text=None):
    """Notes that a check, a branch or a loop uses a stub's answer; returns the answer."""
    place = frames.user_place()
    if place is not None:
        decision = [stub._module, stub._name, [*place, frames.code_at(*place[:2])], text or repr(answer), _phase[-1]]
        _decided.setdefault((stub._module, stub._name, tuple(place[:2])), decision)
        _latest.append(decision)
    return answer


def decides(module: str, name: str, answer: bool, text: str) -> bool:
    """Notes that code uses an answer about `module.name` that is a stub's; returns the answer."""
    return _decides(missing(module, name), answer, text)


@contextlib.contextmanager
def phase(name: str) -> Iterator:
    """Decisions inside the block are reported with this phase: load, trace, extra_check, handler, pass, match or test."""
    _phase.append(name)
    try:
        yield
    finally:
        _phase.pop()


def missing(module: str, name: str) -> "Stub":
    """A stub of `module.name`, recorded in the report."""
    _asked.setdefault(module, set()).add(name)
    _places.setdefault(module, frames.user_place())
    return Stub(module, name)


def moved(old: str, new: str) -> None:
    """Imports module `new` under the name `old`."""
    sys.modules[old] = importlib.import_module(new)


class StubBase:
    """Base class that replaces a missing base of one of our classes: accepts any arguments, has any attribute."""

    _stub = None

    def __new__(cls, *args, **kwargs):
        instantiated.update(cls.__mro__)
        return super().__new__(cls)

    def __init__(self, *args, **kwargs):
        pass

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__()

    def __getattr__(self, name):
        if name.startswith("__") or self._stub is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(self._stub, name)


class _StubClass(abc.ABCMeta):
    """Makes attributes of such a base (`Base.decorator`) stubs."""

    def __getattr__(cls, name):
        stub = cls.__dict__.get("_stub") or next((k._stub for k in cls.__mro__[1:] if "_stub" in vars(k)), None)
        if name.startswith("__") or stub is None:
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        return getattr(stub, name)


def base_of(cls: Any) -> "Stub | None":
    """The stub that stands for a base class, or None."""
    return next((vars(k)["_stub"] for k in cls.__mro__[1:] if isinstance(vars(k).get("_stub"), Stub)), None)


def _derives(cls, stub):
    found = (vars(k)["_stub"] for k in cls.__mro__ if isinstance(vars(k).get("_stub"), Stub))
    # A class without a path is known by its name.
    return any(s._name == stub._name and s._module in (stub._module, "") for s in found)


def names_pass(cls: type, stub: "Stub") -> bool:
    """True if the name of a class or of its missing base says that it is a pass."""
    return any("pass" in name.rpartition(".")[2].lower() for name in (cls.__name__, stub._name))


class Stub:
    """An attribute of a missing module: usable as a callable, a decorator, a base class or a value."""

    def __init__(self, module, name):
        self._module, self._name = module, name

    def __call__(self, *args, **kwargs):
        # @stub and @stub(...) return the decorated object unchanged.
        if len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, types.MethodType, type)):
            return args[0]
        if _phase[-1] == "pass":
            for told in called_in_pass:
                told(self, [*args, *kwargs.values()])
        return Stub(self._module, f"{self._name}()")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return missing(self._module, f"{self._name}.{name}")

    def __mro_entries__(self, bases):
        return (_StubClass(self._name.rpartition(".")[2], (StubBase,), {"_stub": self}),)

    def __instancecheck__(self, instance):
        # A class derived from the missing one, or one that the environment describes.
        return _derives(type(instance), self) or _decides(self, False)

    def __subclasscheck__(self, subclass):
        return _decides(self, False)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    def __iter__(self):
        return _decides(self, iter(()), "no items")

    def __len__(self):
        return _decides(self, 0)

    def __bool__(self):
        return _decides(self, False)

    def __contains__(self, item):
        return _decides(self, False)

    def __getitem__(self, item):
        return Stub(self._module, f"{self._name}[…]")

    def __setitem__(self, key, value):
        pass

    def __or__(self, other):
        return self

    __ror__ = __or__

    def _no_order(self, other):
        return _decides(self, False)

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def _no_value(self, *args):
        raise TypeError(f"{self!r} has no value: {self._module} is not available in Fusescope")

    __index__ = __int__ = __float__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _no_value
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __neg__ = _no_value

    def __eq__(self, other):
        return _decides(self, self is other)

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return f"<stub {self._module}.{self._name}>"


class StubModule(types.ModuleType):
    def __init__(self, name):
        super().__init__(name)
        self.__path__ = []
        self.__all__ = []
        _asked.setdefault(name, set())
        _places.setdefault(name, frames.user_place())

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"{self.__name__} is a stub: Fusescope lacks it, and knows no {name} of it")
        return missing(self.__name__, name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        if root in CLOSED or root in _OURS or root in sys.stdlib_module_names or _looked_up():
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return StubModule(spec.name)

    def exec_module(self, module):
        pass


_LASTING = ("torch", "_fusescope")  # our own helpers, not a library; independent of the environment


class _Library(bundle.Loader):
    """Attribute access of our version of a project's module: missing names are submodules that are not imported yet, or
    stubs."""

    def exec_module(self, module):
        super().exec_module(module)
        module.__dict__.setdefault("__getattr__", functools.partial(_lacking, module))


def _lacking(module, name):
    if name.startswith("__"):
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
    submodule = f"{module.__name__}.{name}"
    if hasattr(module, "__path__") and importlib.util.find_spec(submodule):
        return importlib.import_module(submodule)
    return missing(module.__name__, name)


def library_spec(name: str, path: list[str] | None = None) -> Any:
    """The import spec of our module of this name; None if there is none."""
    spec = importlib.machinery.PathFinder.find_spec(name, path) if name.partition(".")[0] not in _LASTING else None
    if spec is None or not isinstance(spec.loader, bundle.Loader):
        return None
    spec.loader = _Library(name, spec.origin)
    return spec


class _LibraryFinder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        return library_spec(name, path)


def is_library(module: ModuleType | None) -> bool:
    return isinstance(getattr(module, "__loader__", None), _Library)


def _looked_up():
    """importlib.util.find_spec("triton") returns None for a missing module."""
    frame = sys._getframe(2)
    while frame is not None and "importlib" in frame.f_code.co_filename:
        if frame.f_globals.get("__name__") == "importlib.util":
            return True
        frame = frame.f_back
    return False


def install() -> None:
    """Installs the finders: our library before the rest of the path, and stubs last, for modules that no other finder
    finds."""
    sys.meta_path.insert(0, _LibraryFinder())
    sys.meta_path.append(_Finder())
