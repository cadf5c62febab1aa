"""Restores the state of Python before any user code ran, so that runs are isolated.

A snapshot at the start has the names of every module and of each of our classes, and the contents of their lists,
dicts and sets. Modules that user code imported are imported again; patches and additions to our tables are reverted."""
import logging
import os
import random
import sys
import types
import warnings

_modules = {}  # name → (module, its names)
_classes = {}  # class → its names
_contents = []  # (a container, a copy of it)
_process = {}
_KEPT = ("_fusescope.",)  # our modules that reset their state in each run
_CONTAINERS = (dict, list, set)
# Names that the interpreter changes.
_MOVING = frozenset("__warningregistry__ _cache _cache2 _type_cache".split())


def remember():
    """Takes the snapshot."""
    for name, module in list(sys.modules.items()):
        # None blocks a module, permanently.
        _modules[name] = (module, dict(vars(module)) if isinstance(module, types.ModuleType) else None)
    for name, (module, names) in _modules.items():
        if names is not None and _is_ours(name):
            _remember_parts(name, names)
    _process.update(
        environ=dict(os.environ), path=list(sys.path), meta_path=list(sys.meta_path), filters=list(warnings.filters),
        argv=list(sys.argv), cwd=os.getcwd(), handlers=list(logging.root.handlers), level=logging.root.level,
        random=random.getstate(), streams=(sys.stdout, sys.stderr, sys.stdin), hooks=(sys.excepthook, sys.displayhook),
    )


def _is_ours(name):
    return name.partition(".")[0] == "torch"


def _remember_parts(name, names):
    for value in names.values():
        if isinstance(value, type) and value.__module__.partition(".")[0] in ("torch", "_fusescope"):
            _classes.setdefault(value, dict(vars(value)))
        elif type(value) in _CONTAINERS:
            _contents.append((value, value.copy()))


def restore():
    """Reverts the changes of user code since the first run."""
    if not _modules:
        remember()
        return
    for name in [n for n in sys.modules if n not in _modules and _goes(n)]:
        del sys.modules[name]
    for name, (module, names) in _modules.items():
        sys.modules[name] = module
        if names is not None and not name.startswith(_KEPT):
            _put_back(vars(module), names, lambda key, module=module: vars(module).pop(key, None))
    for cls, names in _classes.items():
        _restore_class(cls, names)
    for container, copy in _contents:
        if _differs(container, copy):
            container.clear()
            container.extend(copy) if isinstance(container, list) else container.update(copy)
    _restore_operators()
    _restore_process()


def _restore_operators():
    """torch.ops keeps its cached operators, except those that user code replaced."""
    ops = sys.modules["torch._ops"].ops
    for namespace in vars(ops).values():
        for key, value in list(vars(namespace).items()):
            if not key.startswith("_") and getattr(value, "_fusescope_op", None) != f"{namespace._name}.{key}":
                delattr(namespace, key)


def _differs(container, copy):
    """By identity: tensors are not compared."""
    if len(container) != len(copy):
        return True
    if isinstance(container, dict):
        return any(k not in container or container[k] is not v for k, v in copy.items())
    if isinstance(container, set):
        return container != copy
    return any(a is not b for a, b in zip(container, copy))


def _goes(name):
    """The modules that user code imported, ours and the user's. The standard library stays, because its modules refer
    to each other."""
    return name.partition(".")[0] not in sys.stdlib_module_names


def _put_back(now, before, drop):
    for key in [k for k in now if k not in before and k not in _MOVING and not _is_submodule(now, k)]:
        drop(key)
    for key, value in before.items():
        if now.get(key) is not value and key not in _MOVING:
            now[key] = value


def _is_submodule(names, key):
    """True for a submodule of a standard package that was imported since: `xml.dom` stays in `xml`."""
    value = names[key]
    return isinstance(value, types.ModuleType) and not _goes(value.__name__)


def _restore_class(cls, names):
    for key in [k for k in vars(cls) if k not in names]:
        try:
            delattr(cls, key)
        except (AttributeError, TypeError):
            pass
    for key, value in names.items():
        if vars(cls).get(key) is not value:
            try:
                setattr(cls, key, value)
            except (AttributeError, TypeError):
                pass


def _restore_process():
    for name in [n for n in os.environ if n not in _process["environ"]]:
        del os.environ[name]
    for name, value in _process["environ"].items():
        if os.environ.get(name) != value:
            os.environ[name] = value
    sys.path[:], sys.meta_path[:], sys.argv[:] = _process["path"], _process["meta_path"], _process["argv"]
    sys.stdout, sys.stderr, sys.stdin = _process["streams"]
    sys.excepthook, sys.displayhook = _process["hooks"]
    warnings.filters[:] = _process["filters"]
    logging.root.handlers[:], logging.root.level = _process["handlers"], _process["level"]
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.handlers.clear()
            logger.setLevel(logging.NOTSET)
            logger.propagate, logger.disabled = True, False
    logging.root.manager.disable = 0
    random.setstate(_process["random"])
    if os.getcwd() != _process["cwd"]:
        os.chdir(_process["cwd"])
