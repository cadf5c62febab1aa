"""Module names of the user's files. The relative imports of a file pasted without its folder identify its package."""
import ast
import importlib.util

# The packages whose files users paste, innermost first.
_PACKAGES = (
    "vllm.compilation.passes.fusion",
    "vllm.compilation.passes.utility",
    "vllm.compilation.passes",
    "vllm.compilation",
    "vllm_ascend.compilation.passes",
    "vllm_ascend.compilation",
)


def of_files(files):
    """File by module name: from its path or, for a top-level file with relative imports, from the package that resolves them."""
    relative = {name: _relative_imports(text) for name, text in files if "/" not in name}
    packages = {}
    for name, imports in relative.items():
        if imports:
            package = next((p for p in _PACKAGES if _fits(p, imports, relative)), None)
            if package:
                packages[name] = package
                packages.update((f"{stem}.py", package) for level, stem, _ in imports if level == 1 and f"{stem}.py" in relative)
    return {_dotted(name, packages.get(name)): name for name, _ in files if name.endswith(".py")}


def _dotted(file, package):
    path = file.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    return f"{package}.{path}" if package else path


def _relative_imports(text):
    """[(level, module, names)] of `from ..module import …` in the text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level and n.module]
    return [(n.level, n.module, [a.name for a in n.names]) for n in imports]


def _fits(package, imports, beside):
    """True if every import resolves to a sibling file, or to a module (or submodule) of the package."""

    def resolves(level, module, names):
        if level == 1 and f"{module}.py" in beside:
            return True
        found = _spec(f"{package.rsplit('.', level - 1)[0]}.{module}")
        if found is None or found.submodule_search_locations is None:
            return found is not None
        return all(_spec(f"{found.name}.{name}") for name in names)

    return all(resolves(*each) for each in imports)


def _spec(name):
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
