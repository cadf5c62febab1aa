"""Imports the bundled packages from memory: no file system holds them, so user code cannot change them."""

import re
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType

ROOT = "/fusescope/lib"

_texts = {}  # path → text
_codes = {}  # path → compiled module; each run imports most modules again


class Loader(SourceFileLoader):
    def get_data(self, path: str) -> bytes:
        return _texts[path].encode()

    def get_code(self, fullname: str) -> CodeType:
        return code_of(self.path)


class _Folder:
    """The finder of one folder, which PathFinder makes for an entry of sys.path or of a package's __path__."""

    def __init__(self, path):
        if path != ROOT and not path.startswith(f"{ROOT}/"):
            raise ImportError(f"{path} is not a folder of the bundle", path=path)
        self._path = path

    def find_spec(self, name, target=None):
        base = f"{self._path}/{name.rpartition('.')[2]}"
        package = f"{base}/__init__.py" in _texts
        path = f"{base}/__init__.py" if package else f"{base}.py"
        if path not in _texts:
            return None
        spec = ModuleSpec(name, Loader(name, path), origin=path, is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations.append(base)
        return spec


def code_of(path: str) -> CodeType:
    if path not in _codes:
        _codes[path] = compile(_texts[path], path, "exec", dont_inherit=True)
    return _codes[path]


def install(files: dict[str, str]) -> None:
    """Makes {path below ROOT: text} importable."""
    _texts.update((f"{ROOT}/{name}", text) for name, text in files.items())
    sys.path_hooks.insert(0, _Folder)
    sys.path.insert(0, ROOT)


# What few projects import: compiled when it is, because the memory snapshot has room for little more than the rest.
_SELDOM = re.compile(
    r"/(torchgen|torch/(distributed|autograd|_dispatch|profiler|_functorch/_aot_autograd|utils/_sympy|_inductor/codegen))/"
    r"|/torch/(_inductor/(ir|lowering|scheduler|codecache|fx_passes/overlap_scheduling)|nn/utils/parametrize"
    r"|utils/(_indented_buffer|_mode_utils|checkpoint)|_tensor/heard|export/unflatten|fx/passes/dialect/common/cse_pass)\.py$"
)


def compile_all() -> None:
    """Compiles every file but those ahead of its import."""
    for path in _texts:
        if not _SELDOM.search(path):
            code_of(path)
