"""torch.export: exported programs as passes read them. A dump has the graph and no model, so nothing is exported here."""

from _fusescope import partial_modules as _partial
from _fusescope.pipeline import own_models as _own_models
from _fusescope.pipeline import programs as _programs

from .exported_program import ExportedProgram, ModuleCallEntry, ModuleCallSignature  # noqa: F401
from .graph_signature import ExportBackwardSignature, ExportGraphSignature  # noqa: F401


class Dim:
    """A size that torch.export leaves open."""

    def __init__(self, name, *, min=None, max=None):
        self.__name__, self.min, self.max = name, 0 if min is None else min, max

    class _Hint:
        def __init__(self, name):
            self._name = name

        def __repr__(self):
            return f"Dim.{self._name}"

    AUTO, DYNAMIC, STATIC = _Hint("AUTO"), _Hint("DYNAMIC"), _Hint("STATIC")


def dims(*names, min=None, max=None):
    return tuple(Dim(name, min=min, max=max) for name in names)


def register_dataclass(cls, *, serialized_type_name=None):
    """Nothing is exported, so no class needs to be known."""


def default_decompositions():
    from torch._decomp import get_decompositions

    return get_decompositions([])


def export(mod, args=(), kwargs=None, **options):
    module = _own_models.traced()
    if module is None:
        raise NotImplementedError("Fusescope has no torch.export.export: open what print(exported_program) prints")
    return _programs.program_of(module)


export_for_training = export

draft_export, save, load, unflatten = _partial.refused_functions(
    __name__,
    "open what print(exported_program) prints",
    "draft_export",
    "save",
    "load",
    "unflatten",
)

__getattr__ = _partial.of_pytorch(__name__, listed=False)
