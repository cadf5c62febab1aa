"""torch.utils._ordered_set: a set that keeps the order of insertion."""

from _fusescope import partial_modules as _partial
from collections.abc import MutableSet, Set


class OrderedSet(MutableSet):
    __slots__ = ("_dict",)

    def __init__(self, iterable=None):
        self._dict = dict.fromkeys(iterable) if iterable is not None else {}

    @staticmethod
    def _of(items):
        made = OrderedSet()
        made._dict = items
        return made

    def __contains__(self, elem):
        return elem in self._dict

    def __iter__(self):
        return iter(self._dict)

    def __len__(self):
        return len(self._dict)

    def __bool__(self):
        return bool(self._dict)

    def __reversed__(self):
        return reversed(self._dict)

    def __getitem__(self, index):
        if index == 0:
            return next(iter(self._dict))
        if index == -1:
            return next(reversed(self._dict))
        return list(self._dict)[index]

    def add(self, elem):
        self._dict[elem] = None

    def discard(self, elem):
        self._dict.pop(elem, None)

    def remove(self, elem):
        if elem not in self._dict:
            raise KeyError(elem)
        del self._dict[elem]

    def clear(self):
        self._dict.clear()

    def pop(self):
        if not self:
            raise KeyError("pop from an empty set")
        return self._dict.popitem()[0]

    def copy(self):
        return OrderedSet._of(self._dict.copy())

    def difference(self, *others):
        made = self.copy()
        made.difference_update(*others)
        return made

    def difference_update(self, *others):
        for other in others:
            self -= OrderedSet(other)

    def intersection(self, *others):
        made = self.copy()
        made.intersection_update(*others)
        return made

    def intersection_update(self, *others):
        for other in others:
            kept = set(other)
            self._dict = {k: None for k in self._dict if k in kept}

    def union(self, *others):
        made = self.copy()
        made.update(*others)
        return made

    def update(self, *others):
        for other in others:
            self._dict.update(dict.fromkeys(other))

    def symmetric_difference(self, other):
        return self ^ OrderedSet(other)

    def symmetric_difference_update(self, other):
        self ^= OrderedSet(other)

    def issubset(self, other):
        return self <= self._wrap(other)

    def issuperset(self, other):
        return self >= self._wrap(other)

    @staticmethod
    def _wrap(iterable):
        return iterable if isinstance(iterable, (OrderedSet, Set)) else OrderedSet(iterable)

    def __sub__(self, other):
        return OrderedSet._of({k: None for k in self._dict if k not in other})

    def __and__(self, other):
        return OrderedSet(k for k in other if k in self._dict)

    def __or__(self, other):
        return OrderedSet._of({**self._dict, **dict.fromkeys(other)})

    def __isub__(self, other):
        self._dict = {k: None for k in self._dict if k not in other}
        return self

    def __ior__(self, other):
        self._dict.update(dict.fromkeys(other))
        return self

    def __eq__(self, other):
        return self._dict == other._dict if isinstance(other, OrderedSet) else super().__eq__(other)

    def __ne__(self, other):
        return not self == other

    def __repr__(self):
        return f"{type(self).__name__}({list(self)})"

    def __getstate__(self):
        return list(self._dict)

    def __setstate__(self, state):
        self._dict = dict.fromkeys(state)


__getattr__ = _partial.of_pytorch(__name__)
