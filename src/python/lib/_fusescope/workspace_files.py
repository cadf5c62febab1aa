"""Imports the user's files one by one. A file that raises stops itself and what imports it; the others go on."""

import ast
import importlib
import importlib.abc
import importlib.machinery
import sys

from . import frames, stubs, suggestions
from .source import compiled, followed, module_names
from .unit_tests import tests

_CALLS = "registration_calls.py"  # src/workspace/registration_calls.ts writes it
files = {}  # name → text
modules = {}  # module name → file
_bare = {}  # file's own name → module name, for a file in a package that is imported by its own name, too
_failed = {}  # file → its exception
_stopped_by = {}  # file → the file whose exception stopped it


class _Alias(importlib.abc.Loader):
    """A second name of a module that is loaded."""

    def __init__(self, module):
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        module.__spec__ = self.spec


class _UserFiles(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """`import matchers` finds matchers.py of the workspace; `pkg.mod` finds pkg/mod.py."""

    def find_spec(self, name, path=None, target=None):
        file = modules.get(name)
        if file is None and name in _bare:
            return importlib.machinery.ModuleSpec(name, _Alias(importlib.import_module(_bare[name])))
        package = file is not None and file.endswith("/__init__.py")
        if file is not None and not package:
            return importlib.machinery.ModuleSpec(name, self, origin=file)
        if package or any(m.startswith(f"{name}.") for m in modules):
            # A bundled package of the same name supplies modules missing from the user's package: vllm.platforms beside their vllm/….
            ours = stubs.library_spec(name, path)
            if ours is not None and not package:
                return ours
            origin = file or name.replace(".", "/") + "/__init__.py"
            spec = importlib.machinery.ModuleSpec(name, self, origin=origin, is_package=True)
            spec.submodule_search_locations = list(getattr(ours, "submodule_search_locations", None) or [])
            return spec
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.origin
        module.__file__ = frames.WORKSPACE + file
        if file in _failed:
            raise _failed[file]
        try:
            _execute(file, module)
        except BaseException as e:
            _note(file, e)
            if not file.endswith("/__init__.py"):
                raise
            # The modules of the package can be imported without its own names.
            module.__getattr__ = _failed_package(module.__name__, e)


def _execute(file, module):
    text, filename = files.get(file, ""), frames.WORKSPACE + file
    if file == _CALLS:
        return _execute_calls(text, filename, module)
    code = (
        tests.compiled(text, filename) if tests.is_test_file(file) else followed.follow(file, compiled.code(file, text))
    )
    exec(code, module.__dict__)


def _execute_calls(text, filename, module):
    """Runs each call, also after one that raises, and raises the first exception at the end."""
    first = None
    for statement in ast.parse(text, filename).body:
        try:
            exec(compile(ast.Module([statement], []), filename, "exec", dont_inherit=True), module.__dict__)
        except Exception as e:
            first = first or e
    if first is not None:
        raise first


def _note(file, error):
    """Keeps the exception for a file's next importer, except that of a cycle, which another entry point may avoid."""
    origin = getattr(error, "_fusescope_file", None)
    if origin is None:
        error._fusescope_file = origin = file
    if _is_cycle(error):
        return
    _failed[file] = error
    if origin != file:
        _stopped_by[file] = origin


def _is_cycle(error):
    return isinstance(error, ImportError) and "partially initialized module" in str(error)


def _failed_package(package, error):
    """The `__getattr__` of a package whose __init__.py failed: its submodules, or the exception."""

    def name_of(name):
        if name.startswith("__"):
            raise AttributeError(name)
        if f"{package}.{name}" in modules:
            return importlib.import_module(f"{package}.{name}")
        raise error

    return name_of


def install() -> None:
    sys.meta_path.insert(0, _UserFiles())


def begin(given: list[list]) -> None:
    """A run starts with these [[name, text, what compiled.make returned for it or None], …]."""
    files.clear()
    _failed.clear()
    _stopped_by.clear()
    for name, text, made in given:
        files[name] = text
        frames.remember_source(name, text)
        if made is not None:
            compiled.take(name, text, made)
    modules.clear()
    modules.update(module_names.of_files([(name, text) for name, text, _ in given]))
    _bare.clear()
    _bare.update(module_names.bare(modules, files))


def make_compiled(file: str, text: str) -> str | None:
    """What the engine keeps of a file for later runs, or None. Unit tests and calls are compiled differently."""
    return None if tests.is_test_file(file) or file == _CALLS else compiled.make(file, text)


def load() -> list:
    """Imports every file but the tests; those in a cycle that fails are tried again, from another entry point. Returns the
    modules that ran."""
    wanted = [name for name, file in modules.items() if not tests.is_test_file(file)]
    again = [name for name in wanted if (error := _import(name)) and _is_cycle(error)]
    for name in again:
        if (error := _import(name)) and modules[name] not in _failed:
            _failed[modules[name]] = error
    return [sys.modules[name] for name in wanted if modules[name] not in _failed and name in sys.modules]


def _import(name):
    """The exception that the import raised, or None."""
    try:
        importlib.import_module(name)
    except BaseException as e:  # SystemExit and KeyboardInterrupt of user code are failures like any other
        if modules[name] not in _failed:
            _note(modules[name], e)
        return e
    return None


def fail(file: str, error: BaseException) -> None:
    """An object of the file, made after its import, raised."""
    _failed.setdefault(file, error)


def errors() -> list:
    """The exceptions of files that failed themselves, in the order of the files."""
    return [_failed[file] for file in modules.values() if file in _failed and file not in _stopped_by]


def outcomes(registered: dict, uncalled: dict) -> list[dict]:
    """[{file, module, registered, failure, stoppedBy, uncalled}] of the files that were imported."""
    return [
        {
            "file": file,
            "module": name,
            "registered": registered.get(file, 0),
            "failure": suggestions.described(_failed[file]) if file in _failed and file not in _stopped_by else None,
            "stoppedBy": _stopped_by.get(file),
            "uncalled": uncalled.get(file, []),
        }
        for name, file in modules.items()
        if not tests.is_test_file(file)
    ]
