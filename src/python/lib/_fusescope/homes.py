"""Where a file belongs that was pasted without its folder: relative imports say what stands around it."""
import ast
import importlib.util

# The packages whose files people paste, innermost first.
_PACKAGES = (
    "vllm.compilation.passes.fusion",
    "vllm.compilation.passes.utility",
    "vllm.compilation.passes",
    "vllm.compilation",
    "vllm_ascend.compilation.passes",
    "vllm_ascend.compilation",
)


def module_names(files):
    """File by module name: as its path says, or, at the top with relative imports, as a file of the package they fit."""
    relative = {name: _relative_imports(text) for name, text in files if "/" not in name}
    homes = {}
    for name, imports in relative.items():
        if imports:
            home = next((p for p in _PACKAGES if _fits(p, imports, relative)), None)
            if home:
                homes[name] = home
                homes.update((f"{stem}.py", home) for level, stem, _ in imports if level == 1 and f"{stem}.py" in relative)
    return {_dotted(name, homes.get(name)): name for name, _ in files if name.endswith(".py")}


def _dotted(file, home):
    path = file.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    return f"{home}.{path}" if home else path


def _relative_imports(text):
    """[(level, module, names)] of `from ..module import …` in the text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level and n.module]
    return [(n.level, n.module, [a.name for a in n.names]) for n in imports]


def _fits(package, imports, beside):
    """Whether each import finds a file beside, or a module of that package; of a package in it, its submodules."""

    def there(level, module, names):
        if level == 1 and f"{module}.py" in beside:
            return True
        found = _spec(f"{package.rsplit('.', level - 1)[0]}.{module}")
        if found is None or found.submodule_search_locations is None:
            return found is not None
        return all(_spec(f"{found.name}.{name}") for name in names)

    return all(there(*each) for each in imports)


def _spec(name):
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
