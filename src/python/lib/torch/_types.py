"""The types of values that are not tensors: dtype, device, layout, memory_format, Size, SymInt."""

from _fusescope import wire

from ._sym_functions import SymBool, SymFloat, SymInt  # noqa: F401

_DTYPES = {}


class dtype:
    """A torch dtype. One object per name."""

    __slots__ = ("_name", "itemsize", "is_floating_point", "is_complex", "is_signed")

    def __init__(self, name, itemsize, kind):
        self._name = name
        self.itemsize = itemsize
        self.is_floating_point = kind == "f"
        self.is_complex = kind == "c"
        self.is_signed = kind != "u" and name != "float8_e8m0fnu"
        _DTYPES[name] = self

    @staticmethod
    def named(name):
        return _DTYPES.get(name) or dtype(name, 1, "f")

    def __repr__(self):
        return f"torch.{self._name}"

    def __reduce__(self):
        return f"{self._name}"

    def to_real(self):
        real = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}.get(self._name)
        return _DTYPES[real] if real else self

    def to_complex(self):
        made = {"float16": "complex32", "bfloat16": "complex64", "float32": "complex64", "float64": "complex128"}
        return _DTYPES[made[self._name]] if self._name in made else self

    __module__ = "torch"


for _name, _size, _kind in (
    ("float32", 4, "f"),
    ("float64", 8, "f"),
    ("float16", 2, "f"),
    ("bfloat16", 2, "f"),
    ("float8_e4m3fn", 1, "f"),
    ("float8_e5m2", 1, "f"),
    ("float8_e4m3fnuz", 1, "f"),
    ("float8_e5m2fnuz", 1, "f"),
    ("float8_e8m0fnu", 1, "f"),
    ("float4_e2m1fn_x2", 1, "f"),
    ("int8", 1, "i"),
    ("int16", 2, "i"),
    ("int32", 4, "i"),
    ("int64", 8, "i"),
    ("uint8", 1, "u"),
    ("uint16", 2, "u"),
    ("uint32", 4, "u"),
    ("uint64", 8, "u"),
    ("bool", 1, "u"),
    ("complex32", 4, "c"),
    ("complex64", 8, "c"),
    ("complex128", 16, "c"),
    *((f"{sign}int{bits}", 1, "b") for bits in range(1, 8) for sign in ("u", "")),
    ("bits1x8", 1, "b"),
    ("bits2x4", 1, "b"),
    ("bits4x2", 1, "b"),
    ("bits8", 1, "b"),
    ("bits16", 2, "b"),
    ("qint8", 1, "b"),
    ("quint8", 1, "b"),
    ("qint32", 4, "b"),
    ("quint4x2", 1, "b"),
    ("quint2x4", 1, "b"),
):
    dtype(_name, _size, _kind)

ALIASES = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "chalf": "complex32",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
_DEVICES = (
    "cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia privateuseone"
).split()
_PLUGGED = {"npu", "musa", "gcu", "mlu", "sdaa"}  # the name of privateuseone in the backends that passes target
_DEVICE_NAMES = frozenset(_DEVICES) | _PLUGGED


def type_name(value):
    """The name of a value's type in errors of C++: torch.dtype, int."""
    kind = type(value)
    return f"torch.{kind.__name__}" if kind in (dtype, device, layout, memory_format, Size) else kind.__name__


def bare(value):
    """A type's name in torch's error messages."""
    return type(value).__name__


class _Named:
    __slots__ = ("_name",)
    _all = {}

    @classmethod
    def named(cls, name):
        key = (cls, name)
        if key not in cls._all:
            value = object.__new__(cls)
            value._name = name
            cls._all[key] = value
        return cls._all[key]

    def __repr__(self):
        return f"torch.{self._name}"


class layout(_Named):
    __slots__ = ()


class memory_format(_Named):
    __slots__ = ()


class device:
    """torch.device('cuda', 0), torch.device('cuda:0'), torch.device(0)."""

    __slots__ = ("type", "index")

    def __init__(self, type, index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        elif isinstance(type, int):
            type, index = "cuda", type
        elif not isinstance(type, str):
            raise TypeError(f"device(): argument 'type' (position 1) must be str, not {bare(type)}")
        else:
            whole = type
            type, colon, text = whole.partition(":")
            if type not in _DEVICE_NAMES:
                raise RuntimeError(
                    f"Expected one of {', '.join(_DEVICES)} device type at start of device string: {type}"
                )
            if colon:
                if not text.isdigit():
                    raise RuntimeError(f"Invalid device string: '{whole}'")
                index = int(text)
        self.type = type
        self.index = index

    def with_index(self):
        """The index of `cuda` without an index: the current device, 0."""
        return self if self.index is not None or self.type in ("cpu", "meta") else device(self.type, 0)

    def __repr__(self):
        return (
            f"device(type='{self.type}')" if self.index is None else f"device(type='{self.type}', index={self.index})"
        )

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __enter__(self):
        default_devices.append(self)
        return self

    def __exit__(self, *exc):
        default_devices.pop()


class Size(tuple):
    def numel(self):
        n = 1
        for d in self:
            n = n * d
        return n

    def __getitem__(self, index):
        got = tuple.__getitem__(self, index)
        return Size(got) if isinstance(index, slice) else got

    def __add__(self, other):
        return Size(tuple.__add__(self, tuple(other)))

    def __radd__(self, other):
        return Size(tuple(other) + tuple(self))

    def __repr__(self):
        return f"torch.Size({list(self)})"


default_devices = []  # innermost last
wire.register(dtype, lambda value: {"dt": value._name}, "dt", lambda data: dtype.named(data["dt"]))
wire.register(
    device, lambda value: {"dv": value.type, "n": value.index}, "dv", lambda data: device(data["dv"], data["n"])
)
wire.register(layout, lambda value: {"ly": value._name}, "ly", lambda data: layout.named(data["ly"]))
wire.register(memory_format, lambda value: {"mf": value._name}, "mf", lambda data: memory_format.named(data["mf"]))
