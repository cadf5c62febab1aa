"""Maps Node.target names to functions and back."""
import importlib
import sys


def function(name):
    """The function or operator that Node.target names."""
    if name.startswith("python:"):  # a user function, inserted by a lowering pattern
        module, _, attr = name.removeprefix("python:").rpartition(".")
        return getattr(sys.modules.get(module), attr, name)
    if not name.startswith(("operator.", "_operator.", "torch.", "math.", "builtins.")):
        from torch._ops import overload_named

        return overload_named(name)
    module, _, attr = name.rpartition(".")
    return getattr(importlib.import_module(module), attr)


# Public functions that are aliases of another function, whose name graphs use.
_ELSEWHERE = {
    "torch": {
        name: f"torch.functional.{name}"
        for name in (
            "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors",
            "cartesian_prod", "cdist", "chain_matmul", "einsum", "lu", "meshgrid", "norm", "split", "stft", "tensordot",
            "unique", "unique_consecutive", "unravel_index",
        )
    },
    "torch.nn.functional": {
        "logsigmoid": "torch._C._nn.log_sigmoid", "threshold": "torch.nn.functional._threshold",
        **{
            name: f"torch._C._nn.{name}"
            for name in (
                "avg_pool2d", "avg_pool3d", "elu_", "gelu", "hardtanh_", "leaky_relu_", "linear", "one_hot",
                "scaled_dot_product_attention", "softplus", "softshrink",
            )
        },
        **{
            name: f"torch.{name}"
            for name in (
                "adaptive_avg_pool1d", "avg_pool1d", "bilinear", "celu_", "channel_shuffle", "conv1d", "conv2d",
                "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity",
                "hardshrink", "native_channel_shuffle", "pairwise_distance", "pdist", "pixel_shuffle",
                "pixel_unshuffle", "prelu", "relu_", "rrelu_", "selu_",
            )
        },
    },
}


def fn_name(f):
    """The Node.target name of a function: `aten.add.Tensor`, `operator.getitem`, `torch.relu`."""
    if isinstance(f, str):
        return f
    name = getattr(f, "_fusescope_op", None)
    if isinstance(name, str):
        return name
    module = getattr(f, "__module__", None) or "builtins"
    if module.startswith("torch"):
        for public in ("torch", "torch.nn.functional"):
            found = next((k for k, v in vars(sys.modules[public]).items() if v is f), None)
            if found is not None:
                return _ELSEWHERE[public].get(found) or f"{public}.{found}"
    return f"{'operator' if module == '_operator' else module}.{getattr(f, '__qualname__', type(f).__name__)}"
