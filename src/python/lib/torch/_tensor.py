"""torch.Tensor: a fake tensor. It knows its metadata; each operation is a call to the tracer."""
from _fusescope import bridge

from . import _dispatch
from ._dispatch import sizes as _sizes
from ._names import METHODS, OTHER_METHODS
from ._signs import Signs
from ._storage import Storage
from ._types import (
    Size, SymInt, bare, device as Device, dtype as DType, layout as _Layout, memory_format as _MemoryFormat,
)

_INT64_MAX = 9223372036854775807


class _TensorType(type):
    def __getattr__(cls, name):
        if name in METHODS:
            return lambda self, *args, **kwargs: _Method(self, name)(*args, **kwargs)
        raise AttributeError(f"type object 'Tensor' has no attribute '{name}'")


class Tensor(Signs, metaclass=_TensorType):
    __slots__ = ("_id", "dtype", "shape", "_stride", "device", "requires_grad", "layout", "__weakref__", "__dict__")
    grad = None
    is_leaf = True
    is_sparse = False
    is_quantized = False
    is_meta = False
    is_nested = False
    _value = None  # of a constant made by torch.tensor: what tolist() gives
    grad_fn = None
    names = None

    def __new__(cls, *args, **kwargs):
        from . import _factories

        if len(args) == 1 and isinstance(args[0], (list, Tensor)) or len(args) == 1 and type(args[0]) is tuple:
            return args[0] if isinstance(args[0], Tensor) else _factories.tensor(args[0], dtype=DType.named("float32"))
        return _factories.empty(*args) if args else _factories.empty(0)

    @classmethod
    def _of(cls, id, meta):
        """The tensor the tracer knows as `id`; meta = [dtype, shape, stride, device type, index, requires_grad]."""
        known = _known.get(id)
        if known is not None:
            if meta:  # t_() and its like change the tensor itself
                known.shape, known._stride = Size(_dim(d) for d in meta[1]), tuple(_dim(d) for d in meta[2])
            return known
        self = object.__new__(cls)
        self._id = id
        self.dtype = DType.named(meta[0])
        self.shape = Size(_dim(d) for d in meta[1])
        self._stride = tuple(_dim(d) for d in meta[2])
        self.device = Device(meta[3], meta[4])
        self.requires_grad = meta[5]
        self.layout = _strided
        _known[id] = self
        return self

    # metadata

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def stride(self, dim=None):
        if dim is None:
            return tuple(self._step(i) for i in range(len(self.shape)))
        return self._step(dim)

    def _step(self, dim):
        step = self._stride[dim]
        return step if isinstance(step, int) else bridge.op("aten.sym_stride.int", (self, dim), {})

    def dim(self):
        return len(self.shape)

    ndimension = dim

    @property
    def ndim(self):
        return len(self.shape)

    def numel(self):
        if all(isinstance(d, int) for d in self.shape):
            return self.shape.numel()
        return bridge.op("aten.sym_numel.default", (self,), {})

    nelement = numel

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def element_size(self):
        return self.dtype.itemsize

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.numel() * self.dtype.itemsize

    def storage_offset(self):
        return 0

    def data_ptr(self):
        return 0

    def is_contiguous(self, memory_format=None):
        order = range(len(self.shape) - 1, -1, -1)
        if memory_format is not None and memory_format is not _contiguous:
            if memory_format is not _channels_last.get(len(self.shape)):
                return False
            order = [1, *range(len(self.shape) - 1, 1, -1), 0]
        expected = 1
        for i in order:
            size = self.shape[i]
            if size == 1:
                continue
            if size != 0 and self._stride[i] != expected:
                return False
            expected = expected * size
        return True

    def is_signed(self):
        return self.dtype.is_signed

    def is_pinned(self, device=None):
        return False

    def is_same_size(self, other):
        return self.shape == other.shape

    def dim_order(self):
        return tuple(sorted(range(self.ndim), key=lambda i: -self._stride[i]))

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def is_complex(self):
        return self.dtype.is_complex

    def get_device(self):
        return -1 if self.device.type == "cpu" else (self.device.index or 0)

    @property
    def is_cuda(self):
        return self.device.type == "cuda"

    @property
    def is_cpu(self):
        return self.device.type == "cpu"

    def requires_grad_(self, requires_grad=True):
        self.requires_grad = requires_grad
        return self

    def untyped_storage(self):
        return Storage(self)

    # values: a fake tensor has none

    def _read(self, what):
        if self._value is None:
            raise bridge.exception("DataDependentOutputException", "aten._local_scalar_dense.default")
        value = self._value
        while type(value) is list:
            if len(value) != 1:
                raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to {what}")
            value = value[0]
        return value

    def item(self):
        if isinstance(self.numel(), int) and self.numel() != 1:
            raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
        return self._read("Scalar")

    def __bool__(self):
        return bool(self._read("Scalar"))

    def __int__(self):
        return int(self._read("Scalar"))

    def __float__(self):
        return float(self._read("Scalar"))

    def __index__(self):
        if self._value is not None and self.dtype.is_floating_point:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._read("Scalar"))

    def tolist(self):
        return self._value if self._value is not None else self._read("list")

    def numpy(self, *, force=False):
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")

    def __repr__(self):
        kind = "" if self.dtype._name == "float32" else f", dtype={self.dtype}"
        where = "" if self.device.type == "cpu" else f", device='{self.device}'"
        return f"FakeTensor(..., size={tuple(self.shape)}{kind}{where})"

    def __format__(self, spec):
        return repr(self)

    def __hash__(self):
        return id(self)

    def __iter__(self):
        return iter(self.unbind(0))

    def __contains__(self, item):
        return bool((self == item).any())

    # casts and moves

    def to(self, *args, **kwargs):
        """The forms of Tensor.to: (dtype), (device[, dtype]), (other); then non_blocking, copy."""
        dtype, device, layout = kwargs.get("dtype"), kwargs.get("device"), None
        flags = []
        for arg in args:
            if isinstance(arg, DType):
                dtype = arg
            elif isinstance(arg, Tensor):
                dtype, device, layout = arg.dtype, arg.device, arg.layout
            elif isinstance(arg, bool):
                flags.append(arg)
            elif isinstance(arg, (Device, str, int)):
                device = arg
            elif arg is not None:
                raise TypeError(f"to() received an invalid combination of arguments - got ({type(arg).__name__})")
        if isinstance(kwargs.get("other"), Tensor):
            return self.to(kwargs["other"], *flags)
        if dtype is not None and not isinstance(dtype, DType):
            raise TypeError(f"to(): argument 'dtype' must be torch.dtype, not {bare(dtype)}")
        non_blocking = kwargs.get("non_blocking", flags[0] if flags else False)
        copy = kwargs.get("copy", flags[1] if len(flags) > 1 else False)
        memory_format = kwargs.get("memory_format")
        return self._convert(dtype, layout, device, non_blocking, copy, memory_format)

    def _convert(self, dtype=None, layout=None, device=None, non_blocking=False, copy=False, memory_format=None):
        """Itself where nothing changes; else aten._to_copy with what was asked for, changed or not."""
        device = None if device is None else Device(device).with_index()
        same = (dtype is None or dtype is self.dtype) and (device is None or device == self.device.with_index())
        if same and not copy and (memory_format in (None, _preserve) or self.is_contiguous(memory_format)):
            return self
        asked = {"dtype": dtype, "layout": layout, "device": device, "non_blocking": non_blocking or None,
                 "memory_format": memory_format}
        return bridge.op("aten._to_copy.default", (self,), {k: v for k, v in asked.items() if v is not None})

    def type(self, dtype=None, non_blocking=False):
        if dtype is None:
            kind = _TYPE_NAMES.get(self.dtype._name, self.dtype._name)
            return f"torch.{'cuda.' if self.is_cuda else ''}{kind}Tensor"
        if isinstance(dtype, type):
            raise NotImplementedError("Fusescope's torch has no Tensor.type of a tensor class: give a dtype")
        return self._convert(dtype, non_blocking=non_blocking)

    def type_as(self, other):
        return self.to(other)

    def cuda(self, device=None, non_blocking=False, memory_format=None):
        device = Device("cuda", 0) if device is None else Device(device)
        return self._convert(device=device, non_blocking=non_blocking, memory_format=memory_format)

    def cpu(self, memory_format=None):
        return self._convert(device="cpu", memory_format=memory_format)

    def contiguous(self, memory_format=None):
        wanted = memory_format or _contiguous
        if self.is_contiguous(wanted):
            return self
        return bridge.op("aten.clone.default", (self,), {"memory_format": wanted})

    def view(self, *args):
        if len(args) == 1 and isinstance(args[0], DType):
            return bridge.op("aten.view.dtype", (self, args[0]), {})
        return bridge.op("aten.view.default", (self, _sizes(args)), {})

    def reshape(self, *shape):
        return bridge.op("aten.reshape.default", (self, _sizes(shape)), {})

    def view_as(self, other):
        return self.view(other.shape)

    def reshape_as(self, other):
        return self.reshape(other.shape)

    def permute(self, *dims):
        return bridge.op("aten.permute.default", (self, _sizes(dims)), {})

    def expand(self, *sizes):
        return bridge.op("aten.expand.default", (self, _sizes(sizes)), {})

    def expand_as(self, other):
        return self.expand(other.shape)

    def repeat(self, *sizes):
        return bridge.op("aten.repeat.default", (self, _sizes(sizes)), {})

    def flip(self, *dims):
        return bridge.op("aten.flip.default", (self, _sizes(dims)), {})

    def split(self, split_size, dim=0):
        if isinstance(split_size, (list, tuple)):
            return tuple(bridge.op("aten.split_with_sizes.default", (self, list(split_size), dim), {}))
        return tuple(bridge.op("aten.split.Tensor", (self, split_size, dim), {}))

    def chunk(self, chunks, dim=0):
        """Dispatches to split, as at::chunk does."""
        if self.ndim == 0:
            raise RuntimeError("chunk expects at least a 1-dimensional tensor")
        if chunks <= 0:
            raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        size = self.shape[dim]
        each = (size + chunks - 1) // chunks
        if each == 0:
            return self.split([0] * (chunks - 1) + [size], dim)
        return self.split(each, dim)

    def unbind(self, dim=0):
        return tuple(bridge.op("aten.unbind.int", (self, dim), {}))

    def unflatten(self, dim, sizes):
        return bridge.op("aten.unflatten.int", (self, dim, list(sizes)), {})

    def where(self, condition, other):
        return bridge.op("aten.where", (condition, self, other), {})

    def argsort(self, dim=-1, descending=False, stable=None):
        options = {} if stable is None else {"stable": stable}
        return bridge.op("aten.sort", (self,), {**options, "dim": dim, "descending": descending})[1]

    def outer(self, vec2):
        return self.reshape(self.shape[0], 1) * vec2

    ger = outer

    @property
    def T(self):
        return self.permute(*range(self.ndim - 1, -1, -1))

    @property
    def real(self):
        return bridge.op("aten.real.default", (self,), {})

    @property
    def imag(self):
        return bridge.op("aten.imag.default", (self,), {})

    @property
    def mT(self):
        return bridge.op("aten.mT.default", (self,), {})

    @property
    def mH(self):
        return bridge.op("aten.mH.default", (self,), {})

    @property
    def H(self):
        return bridge.op("aten.matrix_H.default", (self,), {})

    @property
    def data(self):
        return self.detach()

    def new_empty(self, *size, **kwargs):
        return self._new("new_empty", size, kwargs)

    def new_zeros(self, *size, **kwargs):
        return self._new("new_zeros", size, kwargs)

    def new_ones(self, *size, **kwargs):
        return self._new("new_ones", size, kwargs)

    def new_full(self, size, fill_value, **kwargs):
        return _finish(bridge.op("aten.new_full.default", (self, list(size), fill_value), _options(kwargs)), kwargs)

    def new_empty_strided(self, size, stride, **kwargs):
        made = bridge.op("aten.new_empty_strided.default", (self, list(size), list(stride)), _options(kwargs))
        return _finish(made, kwargs)

    def new_tensor(self, data, dtype=None, device=None, requires_grad=False):
        from ._factories import tensor

        return tensor(data, dtype or self.dtype, device or self.device, requires_grad)

    def _new(self, name, size, kwargs):
        size = _sizes(size if size else (kwargs.pop("size"),))
        return _finish(bridge.op(f"aten.{name}.default", (self, size), _options(kwargs)), kwargs)

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        """torch.functional.norm: 2-norms of vectors go to linalg_vector_norm."""
        if dim is not None and not isinstance(dim, (list, tuple)):
            dim = [dim]
        p = 2 if p in ("fro", None) else p
        options = {} if dtype is None else {"dtype": dtype}
        return bridge.op("aten.linalg_vector_norm.default", (self, p, None if dim is None else list(dim), keepdim), options)

    def __getitem__(self, index):
        from ._indexing import getitem

        return getitem(self, index)

    def __setitem__(self, index, value):
        from ._indexing import setitem

        setitem(self, index, value)

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
        if self._name in _dispatch.VARARGS and args:
            args = (_sizes(args),)
        return _dispatch.call(self._name, (self._tensor, *args), kwargs)


def _options(kwargs):
    """Keywords of new_empty and its like, as torch's bindings pass them: pin_memory always."""
    out = {k: v for k, v in kwargs.items() if v is not None and k in ("dtype", "layout", "device")}
    if "device" in out:
        out["device"] = Device(out["device"])
    out["pin_memory"] = bool(kwargs.get("pin_memory", False))
    return out


def _finish(made, kwargs):
    return made.requires_grad_() if kwargs.get("requires_grad") else made


def _dim(d):
    return d if isinstance(d, int) else SymInt(d)


_known = {}
_strided = _Layout.named("strided")
_contiguous = _MemoryFormat.named("contiguous_format")
_preserve = _MemoryFormat.named("preserve_format")
_channels_last = {4: _MemoryFormat.named("channels_last"), 5: _MemoryFormat.named("channels_last_3d")}
_TYPE_NAMES = {"float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "int32": "Int",
               "int64": "Long", "int16": "Short", "int8": "Char", "uint8": "Byte", "bool": "Bool"}

_CASTS = {"float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "int": "int32",
          "long": "int64", "short": "int16", "char": "int8", "byte": "uint8", "bool": "bool", "cfloat": "complex64",
          "cdouble": "complex128", "chalf": "complex32"}


def _cast(dtype):
    return lambda self, memory_format=None: self._convert(dtype, memory_format=memory_format)


for _name, _wanted in _CASTS.items():
    setattr(Tensor, _name, _cast(DType.named(_wanted)))


class Parameter(Tensor):
    """torch.nn.Parameter(t) is the tensor itself, requiring a gradient."""

    def __new__(cls, data, requires_grad=True):
        return data.requires_grad_(requires_grad)


def forget():
    """A new run begins: tensors of the last one are gone."""
    _known.clear()
