"""torch.autograd.function: `apply` calls the user's forward, as without gradients, and refuses where backward would be called."""

from _fusescope import partial_modules as _partial

from .grad_mode import is_grad_enabled


class FunctionCtx:
    needs_input_grad = ()
    materialize_grads = True
    dirty_tensors = non_differentiable = ()
    _saved = ()

    def save_for_backward(self, *tensors):
        self._saved = tensors

    def save_for_forward(self, *tensors):
        self.saved_for_forward = tensors

    @property
    def saved_tensors(self):
        return self._saved

    def mark_dirty(self, *args):
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        self.materialize_grads = value


BackwardCFunction = FunctionCtx


class Function(FunctionCtx):
    @classmethod
    def apply(cls, *args, **kwargs):
        _refuse_derivative(cls, args)
        ctx = FunctionCtx()
        ctx.needs_input_grad = (False,) * len(args)
        if cls.setup_context is Function.setup_context:
            return cls.forward(ctx, *args, **kwargs)
        made = cls.forward(*args, **kwargs)
        cls.setup_context(ctx, args, made)
        return made

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
        )

    vjp = backward


def _refuse_derivative(cls, args):
    """The backward of `cls` would be that of its operators."""
    from torch._functorch import apis
    from torch._tensor import Tensor

    if apis.in_transform() and cls.setup_context is Function.setup_context:
        raise RuntimeError(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override the "
            "setup_context staticmethod. For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
        )
    followed = is_grad_enabled() and any(isinstance(a, Tensor) and a.requires_grad for a in args)
    if apis.in_transform() or followed:
        raise NotImplementedError(f"Fusescope cannot differentiate the torch.autograd.Function {cls.__name__} yet")


def once_differentiable(fn):
    return fn


__getattr__ = _partial.of_pytorch(__name__, listed=False)
