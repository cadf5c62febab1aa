"""torch.nn: enough Module for the helper classes that fusion passes are written with."""
from torch._tensor import Parameter, Tensor  # noqa: F401

from . import functional  # noqa: F401


class Module:
    training = False

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def register_buffer(self, name, tensor, persistent=True):
        setattr(self, name, tensor)

    def register_parameter(self, name, param):
        setattr(self, name, param)

    def parameters(self, recurse=True):
        return iter(v for v in vars(self).values() if isinstance(v, Tensor))

    def eval(self):
        return self

    def train(self, mode=True):
        return self

    def to(self, *args, **kwargs):
        return self

    cuda = half = bfloat16 = float = to


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        import torch

        self.weight = torch.empty(out_features, in_features, device=device, dtype=dtype)
        self.bias = torch.empty(out_features, device=device, dtype=dtype) if bias else None

    def forward(self, input):
        return functional.linear(input, self.weight, self.bias)


def _activation(name):
    return type(name, (Module,), {"forward": lambda self, x, _f=getattr(functional, name.lower()): _f(x)})


ReLU, SiLU, GELU, Sigmoid, Tanh = map(_activation, ("ReLU", "SiLU", "GELU", "Sigmoid", "Tanh"))
Identity = type("Identity", (Module,), {"forward": lambda self, x: x})
ModuleList = type("ModuleList", (list,), {})


class Sequential(Module):
    def __init__(self, *modules):
        self._modules_in_order = modules

    def forward(self, x):
        for m in self._modules_in_order:
            x = m(x)
        return x
