"""torch.Tensor: a fake tensor. It has its metadata; each operation is a call to the tracer."""

import functools
import types

from _fusescope import wire

from .. import _calls, overrides
from .._calls import sizes as _sizes
from .._names import METHODS, OTHER_METHODS
from .._types import Size, SymInt, device as Device, dtype as DType, layout as _Layout
from .conversions import Conversions
from .factories import Factories
from .late_functions import later
from .metadata import Metadata
from .signs import Signs
from .values import Values
from .views import Views


@functools.cache
def _function_of(name):
    """`Tensor.add`, also for what stands for a tensor."""

    def function(self, *args, **kwargs):
        return (_Method(self, name) if isinstance(self, Tensor) else getattr(self, name))(*args, **kwargs)

    function.__name__, function.__qualname__ = name, f"Tensor.{name}"
    return function


class _TensorType(type):
    def __getattr__(cls, name):
        if name in METHODS:
            return _function_of(name)
        raise AttributeError(f"type object 'Tensor' has no attribute '{name}'")


class Tensor(Metadata, Values, Conversions, Views, Factories, Signs, metaclass=_TensorType):
    __module__ = "torch"
    __slots__ = ("_id", "dtype", "shape", "_stride", "device", "requires_grad", "layout", "__weakref__", "__dict__")
    grad = None
    is_leaf = True
    is_sparse = False
    is_quantized = False
    is_meta = False
    is_nested = False
    _value = None  # the result of tolist(), for a constant made by torch.tensor
    grad_fn = None
    names = None

    def __new__(cls, *args, **kwargs):
        if len(args) == 1 and isinstance(args[0], (list, Tensor)) or len(args) == 1 and type(args[0]) is tuple:
            return args[0] if isinstance(args[0], Tensor) else later["tensor"](args[0], dtype=DType.named("float32"))
        return later["empty"](*args) if args else later["empty"](0)

    @classmethod
    def _of(cls, id, meta):
        """The tensor with the tracer's `id`; meta = [dtype, shape, stride, device type, index, requires_grad]."""
        known = _known.get(id)
        if known is not None:
            if meta:  # t_() and similar change the tensor itself
                known.shape, known._stride = Size(_dims(meta[1])), tuple(_dims(meta[2]))
            return known
        self = object.__new__(cls)
        self._id = id
        self.dtype = DType.named(meta[0])
        self.shape = Size(_dims(meta[1]))
        self._stride = tuple(_dims(meta[2]))
        self.device = Device(meta[3], meta[4])
        self.requires_grad = meta[5]
        self.layout = _strided
        _known[id] = self
        return self

    def __repr__(self):
        kind = "" if self.dtype._name == "float32" else f", dtype={self.dtype}"
        where = "" if self.device.type == "cpu" else f", device='{self.device}'"
        return f"FakeTensor(..., size={tuple(self.shape)}{kind}{where})"

    def __format__(self, spec):
        return repr(self)

    def __hash__(self):
        return id(self)

    def __getitem__(self, index):
        return later["getitem"](self, index)

    def __setitem__(self, index, value):
        later["setitem"](self, index, value)

    def __getattr__(self, name):
        if name in METHODS:
            return _Method(self, name)
        if name in OTHER_METHODS:
            raise NotImplementedError(f"Fusescope's torch has no Tensor.{name}")
        raise AttributeError(f"'FakeTensor' object has no attribute '{name}'")

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class _Method:
    """A bound operator: `x.clamp`."""

    __slots__ = ("_tensor", "_name")

    def __init__(self, tensor, name):
        self._tensor = tensor
        self._name = name

    def __call__(self, *args, **kwargs):
        if self._name in _calls.VARARGS and args:
            args = (_sizes(args),)
        return _calls.method(self._name, (self._tensor, *args), kwargs)


def _dims(dims):
    return [d if type(d) is int else SymInt(*d) if type(d) is list else SymInt(d) for d in dims]


def _name_after_tensor(*bases):
    """Error messages and node targets show `Tensor.item`, not the base that defines it."""
    for base in bases:
        for method in vars(base).values():
            if isinstance(method, types.FunctionType) and method.__name__ != "<lambda>":
                method.__module__, method.__qualname__ = __name__, f"Tensor.{method.__name__}"


_name_after_tensor(Metadata, Values, Conversions, Views, Factories)
_known = {}
_strided = _Layout.named("strided")


class Parameter(Tensor):
    """torch.nn.Parameter(t): the tensor itself, with requires_grad set."""

    def __new__(cls, data=None, requires_grad=True):
        return parameter(Tensor() if data is None else data).requires_grad_(requires_grad)


def parameter(tensor):
    """Marks a tensor as a parameter, without requires_grad: a pattern is traced for inference."""
    tensor.__class__ = Parameter
    return tensor


def _encoded(tensor):
    return {"x": tensor._id, "g": 1} if tensor.requires_grad else {"x": tensor._id}


overrides.tensor_class = Tensor
wire.register(Tensor, _encoded, "x", lambda data: Tensor._of(data["x"], data.get("m")), subclasses=True)
