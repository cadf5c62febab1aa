"""torch._prims_common: the helpers for dtypes and Python number types."""

from enum import Enum

import torch

_INTEGERS = tuple(getattr(torch, f"{sign}int{bits}") for sign in ("u", "") for bits in (8, 16, 32, 64))
_COMPLEX = (torch.complex32, torch.complex64, torch.complex128)
_REAL_OF = {torch.complex128: torch.float64, torch.complex64: torch.float32, torch.complex32: torch.float16}
_COMPLEX_OF = {
    torch.float16: torch.complex32,
    torch.bfloat16: torch.complex64,
    torch.float32: torch.complex64,
    torch.float64: torch.complex128,
}
_COMPUTED_IN = {torch.bfloat16: torch.float32, torch.float16: torch.float32, torch.complex32: torch.complex64}
_SUMMED_ON_CPU_IN = {
    torch.bfloat16: torch.float64,
    torch.float16: torch.float64,
    torch.float32: torch.float64,
    torch.complex32: torch.complex128,
    torch.complex64: torch.complex128,
}
_TYPES = (bool, int, float, complex)
_ORDER = (
    (torch.bool,),
    (torch.uint8, torch.int8),
    (torch.int16,),
    (torch.int32,),
    (torch.int64,),
    (torch.float16, torch.bfloat16),
    (torch.float32,),
    (torch.float64,),
    (torch.complex32,),
    (torch.complex64,),
    (torch.complex128,),
)
Number = (bool, int, float, complex, torch.SymInt, torch.SymFloat, torch.SymBool)


class ELEMENTWISE_TYPE_PROMOTION_KIND(Enum):
    DEFAULT = (0,)
    NO_OPMATH = (1,)
    INT_TO_FLOAT = (2,)
    ALWAYS_BOOL = (3,)
    COMPLEX_TO_FLOAT = (4,)
    BOOL_TO_LONG = (5,)


class REDUCTION_OUTPUT_TYPE_KIND(Enum):
    SAME = (0,)
    COMPLEX_TO_FLOAT = (1,)
    KEEP_PROMOTED_TYPE = (2,)
    ALWAYS_BOOL = (3,)


class RETURN_TYPE(Enum):
    NEW = (0,)
    VIEW = (1,)
    INPLACE = (2,)
    NONE = (3,)


def _expect(dtype):
    if not isinstance(dtype, torch.dtype):
        raise AssertionError(f"Expected torch.dtype, got {type(dtype)}")
    return dtype


def is_boolean_dtype(dtype):
    return _expect(dtype) is torch.bool


def is_integer_dtype(dtype):
    return _expect(dtype) in _INTEGERS


def is_low_precision_dtype(dtype):
    return _expect(dtype) in (torch.float16, torch.bfloat16, torch.complex32)


def is_float_dtype(dtype):
    return _expect(dtype).is_floating_point


def is_complex_dtype(dtype):
    return _expect(dtype) in _COMPLEX


def is_grad_dtype(dtype):
    return dtype.is_floating_point or is_complex_dtype(dtype)


def corresponding_real_dtype(dtype):
    return _REAL_OF[dtype]


def corresponding_complex_dtype(dtype):
    return _COMPLEX_OF[dtype]


def dtype_to_type(dtype):
    for matches, kind in (
        (is_boolean_dtype, bool),
        (is_integer_dtype, int),
        (is_float_dtype, float),
        (is_complex_dtype, complex),
    ):
        if matches(dtype):
            return kind
    raise ValueError("Invalid dtype!")


def dtype_to_type_ctor(dtype):
    kind = dtype_to_type(dtype)
    return lambda x: kind(x)


def type_to_dtype(typ):
    if not isinstance(typ, type):
        raise AssertionError(f"Expected type, got {type(typ)}")
    if typ in (bool, torch.SymBool):
        return torch.bool
    if typ in (int, torch.SymInt):
        return torch.int64
    if typ in (float, torch.SymFloat):
        return torch.get_default_dtype()
    if typ is complex:
        return corresponding_complex_dtype(torch.get_default_dtype())
    raise ValueError(f"Invalid type {typ}!")


def get_dtype(x):
    return x.dtype if isinstance(x, torch.Tensor) else type_to_dtype(type(x))


def number_type(x):
    for symbolic, plain in ((torch.SymFloat, float), (torch.SymBool, bool), (torch.SymInt, int)):
        if isinstance(x, symbolic):
            return plain
    return type(x)


def _plain_type(kind):
    return {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}.get(kind, kind)


def _ranks(a, b):
    a, b = _plain_type(a), _plain_type(b)
    if a not in _TYPES or b not in _TYPES:
        raise RuntimeError(f"Expected builtin numeric types, found {a}, {b}")
    return _TYPES.index(a), _TYPES.index(b)


def get_higher_type(a, b):
    return _TYPES[max(_ranks(a, b))]


def is_weakly_lesser_type(a, b):
    first, second = _ranks(a, b)
    return first <= second


def get_higher_dtype(a, b):
    """The lowest dtype that is at least both; each may be a dtype, a tensor, a number or None."""
    a, b = (x if x is None or isinstance(x, torch.dtype) else get_dtype(x) for x in (a, b))
    if a is b or b is None:
        return a
    if a is None:
        return b
    for rank, dtypes in enumerate(_ORDER):
        if a in dtypes and b in dtypes:
            return _ORDER[rank + 1][0]
        if a in dtypes:
            return b
        if b in dtypes:
            return a
    raise RuntimeError("Unexpected termination!")


def can_safe_cast_to(*, cast_to, cast_from):
    for matches in (is_complex_dtype, is_float_dtype, is_integer_dtype, is_boolean_dtype):
        if matches(cast_to):
            return True
        if matches(cast_from):
            return False
    raise ValueError(f"Received unknown dtypes {cast_to}, {cast_from}!")


def get_computation_dtype(dtype):
    return _COMPUTED_IN.get(dtype, dtype)


def get_acc_type(dtype, device):
    return _SUMMED_ON_CPU_IN.get(dtype, dtype) if device.type == "cpu" else get_computation_dtype(dtype)


def check_same_dtype(*args):
    expected = None
    for arg in args:
        if isinstance(arg, torch.Tensor):
            expected = expected or arg.dtype
            if arg.dtype is not expected:
                raise RuntimeError(f"Tensor with dtype {arg.dtype} is not the expected dtype of {expected}!")
        elif not isinstance(arg, Number):
            raise RuntimeError(f"Unexpected type when checking for same dtype, {type(arg)}!")


def check_fp_or_complex(dtype, fn_name, allow_low_precision_dtypes=True):
    torch._check(
        is_float_dtype(dtype) or is_complex_dtype(dtype),
        lambda: f"{fn_name}: Expected a floating point or complex tensor as input. Got {dtype}",
    )
    torch._check(
        allow_low_precision_dtypes or not is_low_precision_dtype(dtype),
        lambda: f"{fn_name}: Half precision dtypes not supported. Got {dtype}",
    )


def elementwise_dtypes(*args, type_promotion_kind):
    """(dtype to compute in, dtype of the result) of an elementwise operator on these tensors and numbers."""
    given = [a for a in args if a is not None]
    kind = bool
    for x in given:
        if not isinstance(x, (*Number, torch.Tensor)):
            raise ValueError(f"Unexpected type {type(x)} when computing elementwise type promotion!")
        kind = get_higher_type(kind, dtype_to_type(x.dtype) if isinstance(x, torch.Tensor) else number_type(x))
    result = _result_dtype(kind, [x for x in given if isinstance(x, torch.Tensor)])
    kinds = ELEMENTWISE_TYPE_PROMOTION_KIND
    if type_promotion_kind is kinds.NO_OPMATH:
        return result, result
    if type_promotion_kind is kinds.INT_TO_FLOAT and not (is_float_dtype(result) or is_complex_dtype(result)):
        result = torch.get_default_dtype()
    if type_promotion_kind is kinds.BOOL_TO_LONG and is_boolean_dtype(result):
        return torch.int64, torch.int64
    computed_in = get_computation_dtype(result)
    if type_promotion_kind is kinds.COMPLEX_TO_FLOAT and is_complex_dtype(result):
        result = corresponding_real_dtype(result)
    return computed_in, torch.bool if type_promotion_kind is kinds.ALWAYS_BOOL else result


def _result_dtype(kind, tensors):
    if kind is bool:
        return torch.bool
    if kind is int:
        return _highest(tensors, is_integer_dtype) or torch.int64
    if kind is float:
        return _highest(tensors, is_float_dtype) or torch.get_default_dtype()
    found = _highest(tensors, lambda d: is_float_dtype(d) or is_complex_dtype(d), lambda d: _COMPLEX_OF.get(d, d))
    return found or corresponding_complex_dtype(torch.get_default_dtype())


def _highest(tensors, wanted, made=lambda d: d):
    """The highest dtype of the tensors with dimensions, else of those without."""
    found = {True: None, False: None}
    for t in tensors:
        if wanted(t.dtype):
            found[t.ndim > 0] = get_higher_dtype(found[t.ndim > 0], made(t.dtype))
    return found[True] or found[False]


def reduction_dtypes(arg, output_dtype_kind, dtype=None):
    kinds = REDUCTION_OUTPUT_TYPE_KIND
    result = dtype or arg.dtype
    computed_in = get_computation_dtype(result)
    if output_dtype_kind is kinds.COMPLEX_TO_FLOAT and is_complex_dtype(result):
        result = corresponding_real_dtype(result)
    if output_dtype_kind is kinds.KEEP_PROMOTED_TYPE:
        result = None
    return computed_in, torch.bool if output_dtype_kind is kinds.ALWAYS_BOOL else result


def dtype_or_default(dtype):
    return dtype if dtype is not None else torch.get_default_dtype()
