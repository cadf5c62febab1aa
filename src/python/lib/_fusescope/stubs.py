"""Modules we do not have: stubbed on import, never silently. Each stub and what was asked of it is reported."""
import importlib.abc
import importlib.machinery
import sys
import types

_asked = {}

# What is ours or Python's is never stubbed: a misspelt stdlib import should fail as it does anywhere.
_OURS = ("_fusescope",)
_CLOSED = frozenset("js pyodide pyodide_js _pyodide _pyodide_core micropip".split())


def report():
    return [{"module": name, "asked": sorted(asked)} for name, asked in _asked.items()]


def forget():
    for name in [n for n, m in sys.modules.items() if isinstance(m, StubModule)]:
        del sys.modules[name]
    _asked.clear()


def missing(module, name):
    """A stand-in for `module.name`, noted in the report."""
    _asked.setdefault(module, set()).add(name)
    return Stub(f"{module}.{name}")


class _StubType(type):
    """Stub classes can be subclassed and instantiated; attributes of the class are stubs too."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub(f"{cls.__name__}.{name}")


class Stub:
    """Anything asked of a module that is not here: callable, usable as a decorator, a base class, a value."""

    def __init__(self, path):
        self._path = path

    def __call__(self, *args, **kwargs):
        # @stub and @stub(...) both leave the function they decorate as it is.
        if len(args) == 1 and not kwargs and (isinstance(args[0], types.FunctionType) or isinstance(args[0], type)):
            return args[0]
        return Stub(f"{self._path}()")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub(f"{self._path}.{name}")

    def __mro_entries__(self, bases):
        return (_StubType(self._path.rsplit(".", 1)[-1], (), {"__init__": lambda self, *a, **k: None}),)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    def __iter__(self):
        return iter(())

    def __bool__(self):
        return False

    def __getitem__(self, item):
        return Stub(f"{self._path}[…]")

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __repr__(self):
        return f"<stub {self._path}>"


class StubModule(types.ModuleType):
    def __init__(self, name):
        super().__init__(name)
        self.__path__ = []
        self.__file__ = None
        _asked.setdefault(name, set())

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return missing(self.__name__, name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        if root in _CLOSED or root in _OURS or root in sys.stdlib_module_names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return StubModule(spec.name)

    def exec_module(self, module):
        pass


def install():
    """Last in line: only what nobody else finds becomes a stub."""
    sys.meta_path.append(_Finder())
