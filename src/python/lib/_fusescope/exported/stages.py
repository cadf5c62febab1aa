"""
Imports the files, finds their passes by name, applies them in order and counts the matches.
Reason for length: one sequence, from the text of a file to a count or to what raised.
"""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import io
import os
import pathlib
import re
import sys
import tempfile
import tokenize
import traceback
import types

import torch
from torch._inductor import config, pattern_matcher
from torch._inductor.virtualized import V
from torch._subclasses.fake_tensor import FakeTensorMode

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="fusescope_"))


class TextLoader(importlib.machinery.SourceFileLoader):
    """Runs the text that people read: a file on a disk can declare another encoding, in which a comment is code."""

    def __init__(self, name, path, text):
        super().__init__(name, path)
        self.text = text

    def get_code(self, fullname):
        return compile(self.text, self.path, "exec", dont_inherit=True)


class ModuleFinder(importlib.abc.MetaPathFinder):
    """`import fusion` finds the text of that module; folders of files are packages."""

    def __init__(self, modules, files):
        self.modules, self.files = modules, files

    def find_spec(self, name, path=None, target=None):
        file = self.modules.get(name)
        if file is None:
            return None
        # A package of the files that is also bundled has the modules of both.
        parts = [FOLDER / "files" / pathlib.PurePath(file).parent, FOLDER / "bundled" / name.replace(".", "/")]
        places = [str(p) for p in parts] if file.endswith("__init__.py") else None
        path = str(FOLDER / "files" / file)
        loader = TextLoader(name, path, self.files[file])
        return importlib.util.spec_from_file_location(name, path, loader=loader, submodule_search_locations=places)


class FolderFinder(importlib.abc.MetaPathFinder):
    """A package without __init__.py, after all other finders."""

    def __init__(self, modules):
        self.modules = modules

    def find_spec(self, name, path=None, target=None):
        if not any(m.startswith(f"{name}.") for m in self.modules):
            return None
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = []
        return spec


def write(folder, files):
    for name, text in files.items():
        path = FOLDER / folder / name
        if ".." in pathlib.PurePath(name).parts or not path.is_relative_to(FOLDER / folder):
            raise ValueError(f"{name!r} is no path inside a folder.")
        if path.suffix != ".py":
            raise ValueError(f"{name!r} is no Python file.")
        if (found := tokenize.detect_encoding(io.BytesIO(text.encode()).readline)[0]) not in ("utf-8", "utf-8-sig"):
            raise ValueError(f"{name!r} declares the encoding {found}, in which other code may stand; expected utf-8.")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def bundle(files, environment):
    """Makes the bundled modules of packages importable that are not installed here."""
    if environment["platform"].startswith("ascend"):
        import_or_name_npu()
    if not files:
        return
    roots = {name.split("/")[0].removesuffix(".py") for name in files}
    installed = {r for r in roots if r != "_fusescope" and importlib.util.find_spec(r) is not None}
    write("bundled", {n: t for n, t in files.items() if n.split("/")[0].removesuffix(".py") not in installed})
    sys.path.insert(0, str(FOLDER / "bundled"))
    from _fusescope import environment as simulated, frames, stubs

    frames.WORKSPACE = f"{FOLDER}/files/"
    simulated.begin(environment)
    sys.meta_path.insert(0, stubs._LibraryFinder())


def import_or_name_npu():
    """Makes `torch.device("npu")` valid, except in a live process, whose backend it would rename."""
    if importlib.util.find_spec("torch_npu") is not None:
        importlib.import_module("torch_npu")
    elif __name__ != "fusescope_live_files":
        with contextlib.suppress(RuntimeError):
            torch.utils.rename_privateuse1_backend("npu")


def stub(names):
    """Modules that are not installed and that nobody bundles: any attribute of them is a stub."""
    if not names:
        return
    from _fusescope import stubs

    class Finder(stubs._Finder):
        def find_spec(self, name, path=None, target=None):
            return importlib.machinery.ModuleSpec(name, self, is_package=True) if name in names else None

    sys.meta_path.append(Finder())


HOOKS = (
    *("pre_grad_custom_pass", "joint_custom_pre_pass", "joint_custom_post_pass", "post_grad_custom_pre_pass"),
    *("post_grad_custom_post_pass", "_pre_fusion_custom_pass", "_post_fusion_custom_pass"),
)

failed = []  # exceptions of files, then of passes, each as one sentence


class HookIsEmpty(Exception):
    """Importing the files puts nothing into a hook that code fills when it runs."""


def note(where, error):
    """A file that imports one that raises has the same sentence."""
    text = sentence(where, error)
    if text not in failed and not isinstance(error, HookIsEmpty):
        failed.append(text)


def sentence(where, error):
    """`fusion.py, line 19: RuntimeError: …`, with the innermost line of the user's files in the traceback, or the line that does not parse."""
    lines = [(f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        lines.append((error.filename or "", error.lineno))
    root = f"{FOLDER / 'files'}/"
    own = [(file[len(root) :], line) for file, line in lines if file.startswith(root)]
    text = str(error.msg if isinstance(error, SyntaxError) else error).strip().partition("\n")[0]
    place = f"{own[-1][0]}, line {own[-1][1]}" if own else where
    return f"{place}: {type(error).__name__}: {text}"[:500]


def eager():
    """What a file compiles and calls while it is imported runs operator by operator: a compiled kernel reads the memory of a fake tensor,
    which has none, and ends the process."""
    return torch.compiler.set_stance("force_eager")


def import_files(files, modules):
    """Imports each file. An exception of one file ends that file only. Returns the modules, in order."""
    write("files", files)
    own_words.update(word for text in files.values() for word in re.findall(r"\w+", text))
    sys.meta_path.insert(0, ModuleFinder(modules, files))
    sys.meta_path.append(FolderFinder(modules))
    imported = []
    for name, file in modules.items():
        try:
            with FakeTensorMode(), eager(), own_definitions():
                imported.append(importlib.import_module(name))
            functions = [f for f in vars(imported[-1]).values() if isinstance(f, types.FunctionType)]
            own_functions.update({f"{name}.{f.__name__}": f for f in functions if f.__module__ == name})
        except Exception as e:
            note(file, e)
            print(visible_lines(f"{file} could not be imported:\n{traceback.format_exc()}"), file=sys.stderr)
    return imported


@contextlib.contextmanager
def own_definitions():
    """Notes the operators that code of the files defines, not those of a package that it imports: their kernels are the user's code."""
    inner, root = torch.library.Library.define, f"{FOLDER / 'files'}/"

    def define(self, schema, *args, **kwargs):
        frames = (f.f_code.co_filename for f, _ in traceback.walk_stack(sys._getframe(1)))
        place = next((f for f in frames if not f.startswith(os.path.dirname(torch.__file__))), "")
        if place.startswith(root):
            own_operators.add(f"{self.ns}::{schema.partition('(')[0].strip().rpartition('::')[2].partition('.')[0]}")
        return inner(self, schema, *args, **kwargs)

    torch.library.Library.define = define
    try:
        yield
    finally:
        torch.library.Library.define = inner


class Passes:
    """The passes of the imported files, by the names that Fusescope gives them."""

    def __init__(self, modules):
        self.modules = modules
        self._made = {}

    def resolve(self, name):
        """`patterns`, `fusion.pm_pass`, `manager.NoOpEliminationPass`, `manager.FusionPass#2.patterns[1]`."""
        parts = name.partition("@")[0].split(".")
        value = self._root(parts[0])
        for part in parts[1:]:
            value = self._member(value, part)
        return value

    def is_class(self, name):
        """True if user code defines a class of this name. Only the hook holds its object, so no pass of this name records matches."""
        return any(isinstance(vars(module).get(name), type) for module in self.modules)

    def owner(self, name):
        """The object that contains the pass: `fusion` of `fusion.pm_pass`, or the one that holds the pass of a variable."""
        outer = name.partition("@")[0].rpartition(".")[0]
        if outer:
            return self.resolve(outer)
        patterns = self.resolve(name)
        objects = [
            v for m in self.modules for v in vars(m).values() if hasattr(v, "__dict__") and not inspect.ismodule(v)
        ]
        return next(o for o in objects if callable(o) and any(v is patterns for v in vars(o).values()))

    def _root(self, name):
        for module in self.modules:
            value = vars(module).get(name)
            if value is not None and not inspect.ismodule(value):
                return self._instance(value) if isinstance(value, type) else value
        if name in sys.modules:
            return sys.modules[name]
        raise LookupError(f"There is no variable {name} in the imported files.")

    def _member(self, value, part):
        name, _, index = part.partition("[")
        if hasattr(value, name):
            found = getattr(value, name)
            return found[int(index[:-1])] if index else found
        kind, _, number = part.partition("#")
        listed = [p for p in [*getattr(value, "passes", []), *vars(value).values()] if type(p).__name__ == kind]
        if len(listed) < int(number or 1):
            raise LookupError(f"{type(value).__name__} has no pass {part}.")
        return listed[int(number or 1) - 1]

    def _instance(self, cls):
        """The object in a hook, or one with the default configuration if the files do not instantiate its class."""
        if cls not in self._made:
            if held := [f for f in _in_hooks() if isinstance(f, cls)]:
                return held[0]
            try:
                from vllm.config import VllmConfig, set_current_vllm_config
            except ImportError:
                self._made[cls] = cls()
                return self._made[cls]
            given, wanted = VllmConfig(), _required(cls.__init__)
            with set_current_vllm_config(given):
                self._made[cls] = made = cls(*[_argument(name, given) for name in wanted])
                if not wanted and hasattr(made, "configure"):
                    made.configure(*[given][: len(_required(made.configure))])
        return self._made[cls]


def _required(call):
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    given = inspect.signature(call).parameters.values()
    return [p.name for p in given if p.name != "self" and p.default is p.empty and p.kind not in kinds]


def _argument(name, vllm_config):
    if name == "server_args":
        return importlib.import_module("sglang.srt.server_args").ServerArgs()
    if name == "model_config":
        return importlib.import_module("sglang.srt.configs.model_config").ModelConfig()
    return vllm_config


class Applications:
    """Counts the matches of each pass while code applies passes; passes in `off` match nothing."""

    def __init__(self, off):
        self.off, self.counts = off, {}

    def __enter__(self):
        self.inner = inner = pattern_matcher.PatternMatcherPass.apply

        def apply(patterns, graph):
            found = 0 if any(patterns is p for p in self.off) else inner(patterns, graph)
            self.counts[id(patterns)] = self.counts.get(id(patterns), 0) + found
            return found

        pattern_matcher.PatternMatcherPass.apply = apply
        return self

    def __exit__(self, *exc):
        pattern_matcher.PatternMatcherPass.apply = self.inner


def _built_in(name, module):
    """Runs one of Inductor's own passes."""
    from torch._inductor.fx_passes import post_grad, reinplace

    if name == "reinplace_inplaceable_ops":
        extra = []
        if len(inspect.signature(reinplace.reinplace_inplaceable_ops).parameters) > 1:
            from torch._inductor.fx_utils import FakeTensorUpdater

            updated = next(iter(inspect.signature(FakeTensorUpdater).parameters))
            extra = [FakeTensorUpdater(module if updated == "gm" else module.graph)]
        reinplace.reinplace_inplaceable_ops(*extra, module.graph)
    else:
        getattr(post_grad, name)(module.graph)


def _held_by(name):
    """The value of a hook of torch._inductor.config; for a method, its object."""
    value = getattr(config, name, None)
    functions = [f for f in (value if isinstance(value, (list, tuple)) else [value]) if f is not None]
    return [getattr(f, "__self__", f) if isinstance(f, types.MethodType) else f for f in functions]


def _in_hooks():
    return [f for name in HOOKS for f in _held_by(name)]


def _hook(name, variable):
    """The function in a hook that applies the pass, or is called itself."""
    functions = _held_by(name)
    root = variable.split(".")[0]
    if not functions:
        raise HookIsEmpty(f"{name} is empty once the files are imported.")

    def calls(f):
        code = getattr(f, "__code__", None)
        return getattr(f, "__name__", type(f).__name__) == root or code is not None and root in code.co_names

    return next((f for f in functions if calls(f)), functions[0])


def run_stages(passes, stages, off, module, mode):
    """Applies the stages to a graph. Returns {pass: number of matches}; None for a pass that the files lack here."""
    counts = {}
    off = [passes.resolve(name) for name in off]
    for how, names in stages:
        error = None
        try:
            own = how in ("call", "built-in") or how.startswith("hook:") and passes.is_class(names[0])
            patterns = [] if own else [passes.resolve(name) for name in names]
        except LookupError as e:
            print(visible(e.args[0]), file=sys.stderr)
            counts.update(dict.fromkeys(names))
            continue
        except Exception as e:  # of the class whose object is made
            note(", ".join(names), e)
            counts.update(dict.fromkeys(names))
            continue
        with V.set_fake_mode(mode), Applications(off) as applied:
            try:
                if how == "apply":
                    patterns[0].apply(module.graph)
                elif how == "own":
                    (patterns[0] if callable(patterns[0]) else patterns[0].apply)(module.graph)
                elif how == "built-in":
                    _built_in(names[0].removeprefix("inductor:"), module)
                elif how.startswith("hook:"):
                    _hook(how.removeprefix("hook:"), names[0])(module.graph)
                else:
                    (passes.owner if how == "owner" else passes.resolve)(names[0])(module.graph)
            except Exception as e:
                error = f"{type(e).__name__}: {e}"
                note(", ".join(names), e)
                if patterns and not applied.counts and how not in ("apply", "own"):
                    for each in patterns:
                        each.apply(module.graph)
        for name, each in zip(names, patterns):
            base = name.partition("@")[0]
            counts[base] = counts.get(base, 0) + applied.counts.get(id(each), 0)
        if error is not None:
            print(visible(f"{', '.join(names)} raised {error}"), file=sys.stderr)
    return counts
