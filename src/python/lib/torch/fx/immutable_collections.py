"""The immutable lists and dicts in a node's arguments."""

from _fusescope import partial_modules as _partial


def _refuse(self, *args, **kwargs):
    raise TypeError(
        f"{type(self).__name__!r} object does not support mutation. If you are attempting to modify the kwargs or args of a torch.fx.Node object,\ninstead create a new copy of it and assign the copy to the node:\n\n    new_args = ...  # copy and mutate args\n    node.args = new_args"
    )


class immutable_list(list):
    append = clear = extend = insert = pop = remove = reverse = sort = __delitem__ = __iadd__ = __imul__ = (
        __setitem__
    ) = _refuse

    def __hash__(self):
        return hash(tuple(self))

    def __reduce__(self):
        return immutable_list, (tuple(self),)


class immutable_dict(dict):
    clear = pop = popitem = setdefault = update = __delitem__ = __ior__ = __setitem__ = _refuse

    def __hash__(self):
        return hash(frozenset(self.items()))

    def __reduce__(self):
        return immutable_dict, (dict(self),)


__getattr__ = _partial.of_pytorch(__name__)
