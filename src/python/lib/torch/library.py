"""torch.library: operators that the user declares, with a schema and a fake implementation. Kernels are not needed."""

import contextlib
import functools

from _fusescope import engine, callables, operators, stubs

from ._infer_schema import infer_schema
from ._ops import overload_named
from ._tags import Tag


class Library:
    """A user's namespace of operators. Schemas, fakes and Python bodies matter: nothing runs a kernel here."""

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        if ns == "prim" and kind in ("DEF", "FRAGMENT"):
            raise ValueError(f"{ns} is a reserved namespace. Please try creating a library with another name.")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def __repr__(self):
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def define(self, schema, alias_analysis="", *, tags=()):
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        operators.define(self.ns, schema, tags)
        return schema.split("(")[0].strip()

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=True):
        if not callable(fn):
            raise TypeError(f"Input function is required to be a callable but found type {type(fn)}")
        qualified = _overload_name(op_name if isinstance(op_name, str) else op_name.name(), self.ns)
        key = dispatch_key or self.dispatch_key or "CompositeImplicitAutograd"
        if key == "CompositeImplicitAutograd":
            operators.define_composite(qualified, fn)
        elif key == "Meta" and operators.composite(qualified):
            raise RuntimeError(
                f"We should not register a meta kernel directly to the operator '{op_name}', because it has a "
                "CompositeImplicitAutograd kernel in core. Instead we should let the operator decompose, and ensure "
                "that we have meta kernels for the base ops that it decomposes into."
            )
        elif key in ("Meta", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"):
            _fake(qualified, fn)
        operators.define_body(qualified, fn, key)

    def fallback(self, fn, dispatch_key="", *, with_keyset=False):
        """A kernel for every operator of a dispatch key: no kernel runs here."""

    def register_symm_mem_args(self, op_name, arg_names):
        """Memory placement changes no graph."""

    def _register_fake(self, op_name, fn, _stacklevel=1, *, allow_override=True):
        _fake(_overload_name(op_name, self.ns), fn)

    def _register_torch_dispatch_rule(self, op_name, torch_dispatch_class, fn):
        """Tensor subclasses are not traced here."""

    def _destroy(self):
        pass


@contextlib.contextmanager
def _scoped_library(*args, **kwargs):
    library = Library(*args, **kwargs)
    try:
        yield library
    finally:
        library._destroy()


def fallthrough_kernel():
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def _overload_name(name, namespace=None):
    """`ns::op.overload` or, inside a library, `op` → `ns.op.overload`, as a graph prints the target."""
    if isinstance(name, stubs.Stub):
        raise NotImplementedError(
            f"Fusescope lacks {name._module}.{name._name}, which names the library of an operator: add the file that defines it"
        )
    if "::" not in name:
        if namespace is None:
            raise ValueError(
                f'Expected `qualname` to be of the form "namespace::name", but got {name}. The qualname passed to the '
                "torch.library APIs must consist of a namespace and a name, e.g. aten::sin"
            )
        name = f"{namespace}::{name}"
    given, op = name.split("::")
    if namespace is not None and given != namespace:
        raise RuntimeError(
            f'impl("{name}", ...): Explicitly provided namespace ({given}) in operator name does not match namespace '
            f"of enclosing TORCH_LIBRARY_FRAGMENT block ({namespace})."
        )
    return f"{given}.{op}" if "." in op else f"{given}.{op}.default"


def _fake(qualified, fn):
    engine.fake(qualified, callables.number(fn))


@functools.singledispatch
def define(qualname, schema, *, lib=None, tags=()):
    if not isinstance(qualname, str):
        raise ValueError(f"define(qualname, schema): expected qualname to be instance of str, got {type(qualname)}")
    _overload_name(qualname)
    if not schema.startswith("("):
        raise ValueError(
            f'define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got "{schema}"'
        )
    ns, name = qualname.split("::")
    operators.define(ns, name + schema, tags)


@define.register
def _(lib: Library, schema, alias_analysis=""):
    """The older form: decorates the operator's default implementation."""

    def wrap(fn):
        lib.impl(lib.define(schema, alias_analysis), fn)
        return fn

    return wrap


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    name = _overload_name(_name_of(op))
    if func is None:
        return lambda fn: (_fake(name, fn), fn)[1]
    _fake(name, func)
    return func


impl_abstract = register_fake


@functools.singledispatch
def impl(qualname, types, func=None, *, lib=None):
    """A kernel for devices. `default` runs on any device, fake tensors included, so it gives shapes too."""
    name = _overload_name(qualname)
    types = (types,) if isinstance(types, str) else tuple(types)

    def register(fn):
        if "default" in types:
            _fake(name, fn)
        for device in types:
            operators.define_body(name, fn, device)

    return register if func is None else register(func)


@impl.register
def _(lib: Library, name, dispatch_key=""):
    """The older form: decorates the kernel of one dispatch key."""

    def wrap(fn):
        lib.impl(name, fn, dispatch_key)
        return fn

    return wrap


def register_kernel(op, device_types, func=None, /, *, lib=None):
    return _body(_overload_name(_name_of(op)), device_types, func)


def _body(overload, device_types, fn):
    """Records a function that computes an operator on devices; None: on every device."""
    if fn is None:
        return lambda function: _body(overload, device_types, function)
    for device in (device_types,) if device_types is None or isinstance(device_types, str) else device_types:
        operators.define_body(overload, fn, device or "default")
    return fn


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    """Autocast is off while patterns are traced."""


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    pass


def _name_of(op):
    if isinstance(op, str):
        return op
    return op._qualname if isinstance(op, CustomOpDef) else op.name()


class CustomOpDef:
    """The result of @torch.library.custom_op: calls the operator. Its body is traced only where numbers are computed."""

    def __init__(self, qualname, schema, fn, tags=(), device_types=None):
        self._qualname, self._init_fn, self._schema = qualname, fn, schema
        ns, name = qualname.split("::")
        operators.define(ns, name + schema, [Tag.pt2_compliant_tag, *tags], overwrite=True)
        self._opoverload = overload_named(f"{ns}.{name}.default")
        self.__name__ = getattr(fn, "__name__", name)
        _body(f"{ns}.{name}.default", device_types, fn)
        if schema.endswith("-> ()"):
            _fake(qualname, lambda *args, **kwargs: None)

    def register_fake(self, fn):
        _fake(_overload_name(self._qualname), fn)
        return fn

    register_abstract = register_fake

    def register_kernel(self, device_types, fn=None, /):
        return _body(_overload_name(self._qualname), device_types, fn)

    def register_autograd(self, backward, /, *, setup_context=None):
        pass

    def __call__(self, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    def make(function):
        return CustomOpDef(
            name,
            schema if schema is not None else infer_schema(function, mutates_args=mutates_args),
            function,
            tags or (),
            device_types,
        )

    return make if fn is None else make(fn)


def opcheck(*args, **kwargs):
    raise NotImplementedError("Fusescope has no kernels for torch.library.opcheck to run")


def triton_op(name, fn=None, /, *, mutates_args, schema=None):
    return custom_op(name, fn, mutates_args=mutates_args, schema=schema)


def wrap_triton(kernel):
    return kernel


def register_vmap(op, func=None, /, *, lib=None):
    return (lambda fn: fn) if func is None else func


def register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None):
    return (lambda fn: fn) if func is None else func


def get_ctx():
    raise NotImplementedError("Fusescope has no torch.library.get_ctx: sizes that depend on data have no numbers here")
