"""torch._inductor.codecache: modules of generated Python. Nothing is written to a disk, and nothing else compiles."""

import hashlib
import types

from _fusescope import partial_modules as _partial


def code_hash(code, extra=""):
    return "c" + hashlib.sha256(f"{code}||{extra}".encode()).hexdigest()[:51].lower()


class PyCodeCache:
    """The module of a source text, made once."""

    modules, modules_no_attr, linemaps = [], {}, {}

    @classmethod
    def load(cls, source_code, extra="", *, set_sys_modules=None):
        key = code_hash(source_code, extra)
        if key not in cls.modules_no_attr:
            made = types.ModuleType(f"{__name__}.{key}")
            made.__file__, made.key = f"{key}.py", key
            exec(compile(source_code, made.__file__, "exec"), made.__dict__)
            cls.modules_no_attr[key] = made
            cls.modules.append(made)
        return cls.modules_no_attr[key]

    @classmethod
    def cache_clear(cls, purge=False):
        cls.modules.clear()
        cls.modules_no_attr.clear()
        cls.linemaps.clear()


__getattr__ = _partial.of_pytorch(__name__, listed=False)
