"""torch.fx.experimental.const_fold: which names a module has free. Folding needs the values of constants, which a dump lacks."""

from _fusescope import partial_modules as _partial

from ..graph_module import GraphModule

FoldedGraphModule = _partial.refused(
    "torch.fx.experimental.const_fold.FoldedGraphModule", (GraphModule,), "folding needs the values of constants"
)


def get_unique_attr_name_in_module(mod_traced, name):
    """The name with characters that are none of Python's replaced, and a number behind it where the module has it."""
    made = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    made = f"_{made}" if made[:1].isdigit() else made
    while hasattr(mod_traced, made):
        base, _, number = made.rpartition("_")
        made = f"{base}_{int(number) + 1}" if base and number.isdigit() else f"{made}_1"
    return made


def split_const_subgraphs(*args, **kwargs):
    raise NotImplementedError(
        "Fusescope has no split_const_subgraphs: it folds constants by their values, which the text of a graph lacks"
    )


__getattr__ = _partial.of_pytorch(__name__, listed=False)
