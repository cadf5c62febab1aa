"""torch.autograd.function: `apply` calls the user's forward, as without gradients; backward is not called."""

from _fusescope import partial_modules as _partial


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


def once_differentiable(fn):
    return fn


__getattr__ = _partial.of_pytorch(__name__, listed=False)
