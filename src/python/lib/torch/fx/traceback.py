"""torch.fx.traceback: the metadata of the node that an interpreter runs, which nodes traced meanwhile get."""

import contextlib

from _fusescope import partial_modules as _partial

_preserving = [False]
_current = []  # the metadata of the nodes that run, innermost last, while it is preserved


@contextlib.contextmanager
def preserve_node_meta(enable=True):
    _preserving.append(enable)
    try:
        yield
    finally:
        _preserving.pop()


def has_preserved_node_meta():
    return _preserving[-1]


@contextlib.contextmanager
def set_current_meta(node, pass_name=""):
    if not _preserving[-1] or not node.meta:
        yield
        return
    _current.append(dict(node.meta))
    try:
        yield
    finally:
        _current.pop()


def get_current_meta():
    return _current[-1] if _current else {}


def format_stack():
    return []


@contextlib.contextmanager
def annotate(annotation_dict):
    yield


def annotate_fn(annotation_dict):
    """A decorator that annotates the nodes traced in a function; here, as `annotate`, none."""
    return lambda function: function


__getattr__ = _partial.of_pytorch(__name__)
