"""vllm.ir.op: the operator interface of vLLM's IR lowering. Each operator has one implementation here, in plain torch or as its kernel."""

import inspect

from _fusescope import environment


class IrOpImpl:
    def __init__(self, op, provider, impl_fn):
        self.op, self.provider, self.impl_fn = op, provider, impl_fn
        self.inplace = False

    def uuid(self):
        return f"{self.op.name}.{self.provider}"


class IrOp:
    registry = {}

    def __init__(self, name, torch_op, signature, implementations):
        self.name, self.torch_op = name, torch_op
        self._signature = signature
        self.impls = {provider: IrOpImpl(self, provider, fn) for provider, fn in implementations.items()}
        IrOp.registry[name] = self

    def __call__(self, *args, **kwargs):
        return self.torch_op(*args, **kwargs)

    def apply_arg_defaults(self, *args, **kwargs):
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def dispatch(self, *args):
        """The kernel if the environment enables the custom operator, else plain torch."""
        by_kernel = "vllm_c" in self.impls and environment.answer(
            f"is_custom_op_enabled({self.name!r})", environment.op_enabled(self.name)
        )
        return self.impls["vllm_c" if by_kernel else "native"]

    def get_priority(self):
        """Providers in the order in which dispatch considers them."""
        chosen = self.dispatch().provider
        return [chosen] if chosen == "native" else [chosen, "native"]


def register(name, torch_op, fake, implementations):
    return IrOp(name, torch_op, inspect.signature(fake), implementations)
