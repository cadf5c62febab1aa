"""torch.fx.symbolic_trace: calls a function or a module's forward with proxies, which record its operations."""

import collections
import inspect
import itertools
import math
import types
import warnings

import torch
from _fusescope import partial_modules as _partial
from _fusescope.graph.graph import tracing as _tracing
from _fusescope.pipeline import own_models, searches
from torch.utils import _pytree as pytree

from . import patching
from .concrete import PH, PHBase, PHWithMeta, STARRED, by_position, transfer_attrs  # noqa: F401
from .graph import Graph, _PyTreeCodeGen, _PyTreeInfo
from .graph_module import _make_graph_module
from .node import base_types
from .proxy import ParameterProxy, Scope, ScopeContextManager, TracerBase

_CONSTANTS = (torch.Tensor, torch.ScriptObject, pytree.TreeSpec)
_proxyable_classes = {}


def is_fx_tracing():
    return _tracing[-1]


is_fx_symbolic_tracing = is_fx_tracing


class ProxyableClassMeta(type):
    """The metaclass of a class whose construction from proxies is a node."""

    def __init__(cls, name, bases, attrs):
        _proxyable_classes.setdefault(cls)
        super().__init__(name, bases, attrs)

    def __call__(cls, *args, **kwargs):
        found = patching.find_proxy(args, kwargs) if is_fx_tracing() else None
        if found is not None:
            return found.tracer.create_proxy("call_function", cls, args, kwargs)
        made = cls.__new__(cls)
        cls.__init__(made, *args, **kwargs)
        return made


class Tracer(TracerBase):
    _qualname_counter = collections.defaultdict(int)

    def __init__(self, autowrap_modules=(math,), autowrap_functions=(), param_shapes_constant=False):
        named = itertools.chain.from_iterable(vars(m).items() for m in autowrap_modules)
        self._autowrap_function_ids = {id(v) for name, v in named if not name.startswith("_") and callable(v)}
        self._autowrap_function_ids.update(map(id, autowrap_functions))
        self._autowrap_search = list(autowrap_modules)
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths, self.root_module_name = None, ""
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.num_calls, self.node_name_to_scope = {}, {}

    def get_fresh_qualname(self, prefix):
        if not hasattr(self.root, f"{prefix}0"):
            self._qualname_counter[prefix] = 0
            return f"{prefix}0"
        i = self._qualname_counter[prefix]
        while hasattr(self.root, f"{prefix}{i}"):
            i += 1
        self._qualname_counter[prefix] = i + 1
        return f"{prefix}{i}"

    def create_arg(self, a):
        member = self._member(a)
        if member is not None:
            return self.create_node("get_attr", member, (), {})
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            return self.create_node("call_function", a.__class__, tuple(map(self.create_arg, a)), {})
        if isinstance(a, _CONSTANTS):
            name = self.tensor_attrs.get(a)
            if not name:
                kind = "_tensor_constant" if isinstance(a, torch.Tensor) else "_tree_spec_constant"
                name = self.tensor_attrs[a] = self.get_fresh_qualname(kind)
                setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        if type(a) in _proxyable_classes:
            name = self.get_fresh_qualname(f"_{a.__class__.__name__}_constant_")
            setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        return super().create_arg(a)

    def _member(self, a):
        """The path of a parameter, buffer or module of the root; None for another value."""
        if isinstance(a, torch.nn.Parameter):
            for name, value in self.root.named_parameters():
                if a is value:
                    return name
            raise NameError("parameter is not a member of this module")
        members = ()
        if isinstance(a, torch.Tensor):
            members = self.root.named_buffers()
        elif isinstance(a, torch.nn.Module):
            members = self.root.named_modules()
        return next((name for name, value in members if a is value), None)

    def is_leaf_module(self, m, module_qualified_name):
        ours = m.__module__.startswith(("torch.nn", "torch.ao.nn"))
        return ours and not isinstance(m, torch.nn.Sequential)

    def path_of_module(self, mod):
        if self.submodule_paths:
            path = self.submodule_paths.get(mod)
        else:
            path = next((name for name, value in self.root.named_modules() if mod is value), None)
        if path is None:
            raise NameError("module is not installed as a submodule")
        return path

    def call_module(self, m, forward, args, kwargs):
        path = self.path_of_module(m)
        with ScopeContextManager(self.scope, Scope(path, type(m))) as scope:
            calls = self.num_calls.get(path, 0)
            key = f"{scope.module_path}@{calls}" if calls > 0 else scope.module_path
            self.module_stack[key] = (path, scope.module_type)
            self.num_calls[path] = calls + 1
            if self.is_leaf_module(m, path):
                made = self.create_proxy("call_module", path, args, kwargs)
            else:
                made = forward(*args, **kwargs)
            self.module_stack.popitem(last=True)
        return made

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        members = ()
        if isinstance(attr_val, torch.nn.Parameter):
            members = self.root.named_parameters()
        elif self.proxy_buffer_attributes and isinstance(attr_val, torch.Tensor):
            members = self.root.named_buffers()
        for name, value in members:
            if attr_val is value:
                if name not in parameter_proxy_cache:
                    parameter_proxy_cache[name] = self._parameter_proxy(name, attr_val)
                return parameter_proxy_cache[name]
        return attr_val

    def _parameter_proxy(self, name, value):
        options = {}
        if "proxy_factory_fn" in inspect.signature(self.create_proxy).parameters and self.param_shapes_constant:
            options["proxy_factory_fn"] = lambda node: ParameterProxy(self, node, name, value)
        return self.create_proxy("get_attr", name, (), {}, **options)

    def create_args_for_root(self, root_fn, is_module, concrete_args=None):
        analyzed = inspect.unwrap(root_fn)
        code = analyzed.__code__
        total = code.co_argcount + code.co_kwonlyargcount
        names = list(code.co_varnames)
        args, start = [], 0
        if is_module:
            if total == 0:
                raise RuntimeError("``self`` argument cannot be part of *args expansion!")
            args, start = [self.root], 1
        starred = bool(code.co_flags & STARRED)
        if isinstance(concrete_args, tuple) and concrete_args and starred and total == 1:
            args += [self.create_proxy("placeholder", f"input_{i}", (), {}) for i in range(len(concrete_args))]
            return root_fn, args
        parameters = names[start:total]
        if isinstance(concrete_args, tuple):
            if len(parameters) != len(concrete_args):
                raise RuntimeError(
                    f"Tracing expected {len(parameters)} arguments but got {len(concrete_args)} concrete arguments"
                )
            concrete_args = dict(zip(parameters, concrete_args))
        signature = inspect.signature(analyzed)
        args += [self._proxy_placeholder(name, concrete_args, signature, analyzed) for name in parameters]
        if code.co_kwonlyargcount > 0 or starred:
            rest = iter(names[total:])
            for flag, stars in ((inspect.CO_VARARGS, "*"), (inspect.CO_VARKEYWORDS, "**")):
                if code.co_flags & flag:
                    args.append(self._proxy_placeholder(stars + next(rest), concrete_args, signature, analyzed))
            root_fn = by_position(root_fn, len(args))
        if all(pytree._is_leaf(a) for a in args):
            return root_fn, args
        return self._flattened(root_fn, args, names[:total])

    def _flattened(self, root_fn, args, names):
        """For containers in concrete_args: the function of the leaves."""
        flat, in_spec = pytree.tree_flatten(tuple(args))
        self.graph._codegen = _PyTreeCodeGen(_PyTreeInfo(names, in_spec, None))

        def flatten_fn(*args):
            made = root_fn(*pytree.tree_unflatten(list(args), in_spec))
            leaves, out_spec = pytree.tree_flatten(made)
            self.graph._codegen.pytree_info = self.graph._codegen.pytree_info._replace(out_spec=out_spec)
            return leaves

        return flatten_fn, flat

    def _proxy_placeholder(self, name, concrete_args, sig, fn_for_analysis):
        default = ()
        if name[0] != "*" and sig.parameters[name].default is not inspect.Parameter.empty:
            default = (sig.parameters[name].default,)
        if concrete_args is None or name not in concrete_args:
            return self.create_proxy(
                "placeholder", name, default, {}, type_expr=fn_for_analysis.__annotations__.get(name)
            )
        count = itertools.count(1)

        def replace(x):
            out = self.create_proxy("placeholder", f"{name}_{next(count)}", default, {})
            if isinstance(x, PHBase):
                if x is not PH:
                    transfer_attrs(x, out.node)
                return out
            if type(x) is bool or (type(x) in base_types and type(x) is not torch.Tensor):
                torch._assert(out == x, f"{name} has been specialized to have value {x} but got another value")
            elif x is None:
                message = f"{name} has been specialized to have value None but got another value"
                self.create_proxy("call_function", _assert_is_none, (out, message), {})
            else:
                warnings.warn(
                    f"Was not able to add assertion to guarantee correct input {name} to specialized function. It is up to the user to "
                    "make sure that your inputs match the inputs you specialized the function with."
                )
            return x

        return pytree.tree_map(replace, concrete_args[name])

    def trace(self, root, concrete_args=None):
        _tracing.append(True)
        try:
            return self._trace(root, concrete_args)
        finally:
            _tracing.pop()

    def _trace(self, root, concrete_args):
        is_module = isinstance(root, torch.nn.Module)
        if is_module:
            if not hasattr(type(root), self.traced_func_name):
                raise AssertionError(f"traced_func_name={self.traced_func_name} doesn't exist in {type(root).__name__}")
            self.root, fn = root, getattr(type(root), self.traced_func_name)
            self.root_module_name = root._get_name()
            self.submodule_paths = {mod: name for name, mod in root.named_modules()}
        else:
            self.root, fn = torch.nn.Module(), root
        self.graph = Graph(tracer_cls=type(self))
        self.tensor_attrs = {}
        self._collect(self.root, "")
        if not isinstance(fn, types.FunctionType):
            raise AssertionError(f"Expected FunctionType, got {type(fn)}")
        scope = fn.__globals__
        fn, args = self.create_args_for_root(fn, is_module, concrete_args)
        with patching.patched(self, scope):
            returns = inspect.get_annotations(inspect.unwrap(fn)).get("return")
            self.create_node("output", "output", (self.create_arg(fn(*args)),), {}, type_expr=returns)
        self.submodule_paths = None
        return self.graph

    def _collect(self, module, prefix):
        for name, value in vars(module).items():
            if isinstance(value, _CONSTANTS):
                self.tensor_attrs[value] = prefix + name
        for name, child in module.named_children():
            self._collect(child, f"{prefix}{name}.")


def wrap(fn_or_name):
    """Records calls of a function of the module's, instead of what it does. A decorator, or a call with a name."""
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    name = fn_or_name.__name__ if callable(fn_or_name) else fn_or_name
    frame = inspect.currentframe().f_back
    if frame.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    patching.wrapped[(id(frame.f_globals), name)] = frame.f_globals
    return fn_or_name


def symbolic_trace(root, concrete_args=None):
    if isinstance(root, torch.nn.Module) and (module := own_models.traced()) is not None:
        return module
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    searches.traced(graph, root)
    name = root.__class__.__name__ if isinstance(root, torch.nn.Module) else root.__name__
    return _make_graph_module(tracer.root, graph, name)


@wrap
def _assert_is_none(value, msg):
    if value is not None:
        raise AssertionError(msg)


__getattr__ = _partial.of_pytorch(__name__)
