"""Module names of the user's files. The relative imports of a file pasted without its folder identify its package."""

import ast
import importlib.util
import re

# The packages whose files users paste, innermost first.
_PACKAGES = (
    "vllm.compilation.passes.fusion",
    "vllm.compilation.passes.utility",
    "vllm.compilation.passes",
    "vllm.compilation",
    "vllm_ascend.compilation.passes",
    "vllm_ascend.compilation",
    "sglang.srt.compilation",
    "torch._inductor.fx_passes",
    "torch._inductor",
)
# The package of a file whose relative imports no known package resolves: its missing modules are stubs.
_UNKNOWN = "unknown_package.of.the"
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w[\w.]*)", re.MULTILINE)
_RELATIVE = re.compile(r"\bfrom(?:\s|\\)*\.")
_DOTS = re.compile(r"\bfrom\s+(\.+)")


def of_files(files: list[tuple]) -> dict:
    """File by module name: from its path or, for a top-level file with relative imports, from the package that resolves them. A
    folder whose files import each other below other packages is below these, too."""
    relative = {name: _relative_imports(text) for name, text in files if "/" not in name}
    packages = {}
    for name, imports in relative.items():
        if imports:
            package = _package_of(imports, relative)
            packages[name] = package
            packages.update(
                (f"{stem}.py", package) for level, stem, _ in imports if level == 1 and f"{stem}.py" in relative
            )
    outside = _outside_packages(files)
    modules = {
        _dotted(name.removeprefix(outside.get(name, "")), packages.get(name)): name
        for name, _ in files
        if name.endswith(".py")
    }
    folders = any("." in module for module in modules)
    texts = dict(files)
    above = {**_above_relative(modules, texts), **_above(modules, texts)} if folders else {}
    return {f"{above[top]}.{m}" if (top := m.split(".")[0]) in above else m: name for m, name in modules.items()}


def _above_relative(modules, texts):
    """{`passes`: `unknown_package.of.the`} for folders whose files import from above the folder."""
    outside = {}
    for module, file in modules.items():
        package = module if file.endswith("/__init__.py") else module.rpartition(".")[0]
        own = package.count(".") + 1
        if package and any(len(dots) > own for dots in _DOTS.findall(texts[file])):
            imports = [
                (level - own, name, names) for level, name, names in _relative_imports(texts[file]) if level > own
            ]
            outside.setdefault(package.split(".")[0], []).extend(imports)
    known = {top: next((p for p in _PACKAGES if _fits(p, imports, {})), _UNKNOWN) for top, imports in outside.items()}
    return {top: package for top, package in known.items() if outside[top]}


def _above(modules, texts):
    """{`passes`: `vllm.compilation`} for folders whose modules the files import by the longer name, and never by their own."""
    imports = {name: _imported(text) for name, text in texts.items()}
    imported = set().union(*imports.values())
    own = {name.split(".")[0] for name in imported}
    packages = {}
    foreign = set()
    for name in imported:
        parts = name.split(".")
        # A name of one part, as utils, is that of many modules.
        for i in range(1, len(parts) - 1):
            if parts[i] not in own and ".".join(parts[i:]) in modules:
                packages.setdefault(parts[i], set()).add(".".join(parts[:i]))
                # No module imports itself: passes/pass_manager.py means another package by torch.fx.passes.pass_manager.
                if name in imports[modules[".".join(parts[i:])]]:
                    foreign.add(parts[i])
    return {top: found.pop() for top, found in packages.items() if len(found) == 1 and top not in foreign}


def bare(modules: dict, files: dict) -> dict:
    """{`util`: `pkg.util`} for files in packages that files beside them import as `util`, where that names one file and no module."""
    found = {}
    for module in modules:
        last = module.rsplit(".", 1)[-1]
        if last != module:
            found.setdefault(last, []).append(module)
    importers = {}  # (folder, name) → the files of the folder that import the name
    for file, text in files.items() if found else ():
        for name in _imported_tops(text):
            importers.setdefault((_folder(file), name), set()).add(file)

    def beside(last, file):
        # A file that imports its own name means a library: flashinfer of vllm/utils/flashinfer.py.
        return importers.get((_folder(file.removesuffix("/__init__.py")), last), set()) - {file}

    return {
        last: names[0]
        for last, names in found.items()
        if len(names) == 1 and last not in modules and beside(last, modules[names[0]]) and _spec(last) is None
    }


def _outside_packages(files):
    """{file: the folders above its package}, where no file imports by these: `vllm-main/` of vllm-main/vllm/envs.py."""
    names = {name for name, _ in files}
    above = {}
    for name in names:
        parts = name.split("/")[:-1]
        depth = len(parts)
        while depth and "/".join([*parts[:depth], "__init__.py"]) in names:
            depth -= 1
        if 0 < depth < len(parts):
            above[name] = "/".join(parts[:depth]) + "/"
    tops = {prefix.split("/")[0] for prefix in above.values()}
    used = set().union(*(_imported_tops(text) for _, text in files)) if tops else set()
    return {name: prefix for name, prefix in above.items() if prefix.split("/")[0] not in used}


def _imported(text):
    """The modules that a text imports, by their whole names."""
    return set(_IMPORT.findall(text))


def _imported_tops(text):
    return {name.split(".")[0] for name in _imported(text)}


def _folder(path):
    return path.rpartition("/")[0]


def _dotted(file, package):
    path = file.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    return f"{package}.{path}" if package else path


def _relative_imports(text):
    """[(level, module, names)] of `from ..module import …` in the text."""
    if not _RELATIVE.search(text):  # parsing takes milliseconds, at every run
        return []
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level]
    return [(n.level, n.module or "", [a.name for a in n.names]) for n in imports]


def _package_of(imports, beside):
    """The package that resolves every import; else the one that resolves most of those to modules that are not beside the file."""
    if found := next((p for p in _PACKAGES if _fits(p, imports, beside)), None):
        return found
    outside = [each for each in imports if not (each[0] == 1 and f"{each[1]}.py" in beside)]
    best = max(_PACKAGES, key=lambda p: sum(_fits(p, [each], beside) for each in outside))
    return best if any(_fits(best, [each], beside) for each in outside) else _UNKNOWN


def _fits(package, imports, beside):
    """True if every import resolves to a sibling file, or to a module (or submodule) of the package."""

    def resolves(level, module, names):
        if level == 1 and f"{module}.py" in beside:
            return True
        if level - 1 > package.count("."):
            return False
        if not module and level == 1 and all(f"{name}.py" in beside for name in names):
            return True
        found = _spec(f"{package.rsplit('.', level - 1)[0]}.{module}".rstrip("."))
        if found is None or found.submodule_search_locations is None:
            return found is not None
        return all(_spec(f"{found.name}.{name}") for name in names)

    return all(resolves(*each) for each in imports)


def _spec(name):
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
