"""Imports the bundled packages from memory. Their texts are in a file that is put back before each run, as the memory is."""

import gc
import json
import marshal
import re
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, FunctionType

ROOT = "/fusescope/lib"

_paths = set()
_texts = {}  # path → text; a memory snapshot has none: few runs read one
_file = ""  # where the texts are
_codes = {}  # path → compiled module as bytes, which take a third of the code in a memory snapshot
_columns = True  # code that is compiled keeps the columns of its instructions


class Loader(SourceFileLoader):
    def get_data(self, path: str) -> bytes:
        return _text_of(path).encode()

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
        package = f"{base}/__init__.py" in _paths
        path = f"{base}/__init__.py" if package else f"{base}.py"
        if path not in _paths:
            return None
        spec = ModuleSpec(name, Loader(name, path), origin=path, is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations.append(base)
        return spec


def code_of(path: str) -> CodeType:
    if path in _codes:
        return marshal.loads(_codes[path])
    code = compile(_text_of(path), path, "exec", dont_inherit=True)
    return code if _columns else _without_columns(code)


def _text_of(path):
    if not _texts:
        with open(_file) as file:
            _texts.update((f"{ROOT}/{name}", text) for name, text in json.load(file).items())
    return _texts[path]


def install(file: str, files: dict[str, str]) -> None:
    """Makes {path below ROOT: text} importable, the content of a file of JSON."""
    global _file
    _file = file
    _texts.update((f"{ROOT}/{name}", text) for name, text in files.items())
    _paths.update(_texts)
    sys.path_hooks.insert(0, _Folder)
    sys.path.insert(0, ROOT)


def leave_out_columns() -> None:
    """Drops the columns of library code, which take an eighth of a memory snapshot. Only user code's are read."""
    global _columns
    _columns = False


def _without_columns(code):
    table, known = bytearray(), code.co_firstlineno
    for start, end, line in code.co_lines():
        units = (end - start) // 2
        while units > 0:
            length = min(units, 8)
            # The forms of CPython's InternalDocs/code_objects.md: 15 has no line, 13 the difference to the line before.
            table.append(0x80 | (15 if line is None else 13) << 3 | length - 1)
            if line is not None:
                delta, known = line - known, line
                rest = -delta << 1 | 1 if delta < 0 else delta << 1
                while rest > 63:
                    table.append(0x40 | rest & 63)
                    rest >>= 6
                table.append(rest)
            units -= length
    consts = tuple(_without_columns(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_linetable=bytes(table), co_consts=consts)


# Modules that few projects import, compiled on import: the memory snapshot has little room.
_SELDOM = re.compile(
    r"/(torchgen|torch/(distributed|autograd|_dispatch|profiler|_functorch/_aot_autograd|utils/_sympy|_inductor/codegen))/"
    r"|/torch/(_inductor/(ir|lowering|scheduler|codecache|fx_passes/overlap_scheduling)|nn/utils/parametrize"
    r"|utils/(_indented_buffer|_mode_utils|checkpoint)|_tensor/heard|export/unflatten|fx/passes/dialect/common/cse_pass)\.py$"
)


def compile_all() -> None:
    """Compiles each file that is not imported, except those in _SELDOM, and leaves the texts in their file."""
    global _columns
    imported = {getattr(module, "__file__", None) for module in sys.modules.values()}
    for path in sorted(_paths - imported):
        if not _SELDOM.search(path):
            _codes[path] = marshal.dumps(code_of(path))
    _texts.clear()
    if not _columns:
        _shorten_functions()
    # A run does not wait for shorter tables.
    _columns = True


def _shorten_functions():
    """The functions of the standard library, which were imported with their columns."""
    of_code = {}  # its id → functions
    for function in gc.get_objects():
        # Frozen modules are in CPython's binary, not in the snapshot.
        if type(function) is FunctionType and not function.__code__.co_filename.startswith(("<", f"{ROOT}/")):
            of_code.setdefault(id(function.__code__), []).append(function)
    for functions in of_code.values():
        code = _without_columns(functions[0].__code__)
        for function in functions:
            function.__code__ = code
