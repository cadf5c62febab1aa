"""vllm.config: the configuration for passes, filled from the workspace's environment."""

import contextlib
import enum
import hashlib
import json
import pathlib
import sys

import torch

from _fusescope import environment, operators, stubs

from ._layers import MODEL, model_layers
from ._layers import get_layers_from_vllm_config as get_layers_from_vllm_config


class _Config:
    """A config object: given attributes, else pass flags of the environment, else reported stubs."""

    def __init__(self, **given):
        self.__dict__.update(given)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        known = environment.flags()
        if name in known:
            return environment.answer(f"{type(self).__name__}.{name}", known[name])
        return stubs.missing("vllm.config", f"{type(self).__name__}.{name}")

    def __repr__(self):
        return (
            f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items() if not k.startswith('_'))})"
        )


class CompilationMode(enum.IntEnum):
    NONE = 0
    STOCK_TORCH_COMPILE = 1
    DYNAMO_TRACE_ONCE = 2
    VLLM_COMPILE = 3


class CUDAGraphMode(enum.Enum):
    NONE = 0
    PIECEWISE = 1
    FULL = 2


_PASS_FLAGS = {
    "fuse_norm_quant": True,
    "fuse_act_quant": True,
    "fuse_attn_quant": False,
    "eliminate_noops": True,
    "enable_noop": True,
    "enable_fusion": True,
    "enable_sp": False,
    "fuse_gemm_comms": False,
    "fuse_allreduce_rms": False,
    "enable_qk_norm_rope_fusion": False,
    "fuse_act_padding": False,
    "fuse_rope_kvcache": False,
    "fuse_rope_kvcache_cat_mla": False,
    "fuse_mla_dual_rms_norm": False,
    "fuse_qk_norm_rope_kvcache": False,
    "rope_kvcache_fusion_max_token_num": 256,
    "sp_min_token_num": None,
    # Former names.
    "enable_reshape": True,
    "enable_sequence_parallelism": False,
    "enable_async_tp": False,
    "enable_fi_allreduce_fusion": False,
    "enable_attn_fusion": False,
}


# By compute capability and number of ranks, in MiB.
_FLASHINFER_MB = {
    90: {2: 64, 4: 2, 8: 0.5},
    100: {2: 64, 4: 32, 8: 1},
    103: {2: 64, 4: 64, 8: 2},
}


class PassConfig(_Config):
    """Flags that enable passes: those of the environment, else vLLM's defaults for an optimized build."""

    def __getattr__(self, name):
        if name in _PASS_FLAGS or name in environment.flags():
            return environment.answer(f"pass_config.{name}", environment.flag(name, _PASS_FLAGS.get(name)))
        return super().__getattr__(name)

    def flashinfer_max_size(self, world_size):
        """Bytes up to which FlashInfer's fused all-reduce is used; None where it is not."""
        from vllm.platforms import current_platform

        capability = current_platform.get_device_capability()
        sizes = _FLASHINFER_MB.get(capability.to_int() if capability else None, {})
        megabytes = environment.flag("fi_allreduce_fusion_max_size_mb", sizes.get(world_size))
        return None if megabytes is None else int(megabytes * 1024 * 1024)

    def uuid(self):
        return hash_of({**_PASS_FLAGS, **environment.flags(), **vars(self)})

    compute_hash = uuid


class CompilationConfig(_Config):
    PassConfig = PassConfig  # its name until May 2025

    def __init__(self, **given):
        super().__init__(
            **{
                "mode": CompilationMode.VLLM_COMPILE,
                "level": 3,
                "backend": "inductor",
                "custom_ops": environment.custom_ops(),
                "pass_config": PassConfig(),
                "splitting_ops": [],
                "cudagraph_mode": CUDAGraphMode.NONE,
                "use_inductor": True,
                "use_inductor_graph_partition": False,
                "static_forward_context": model_layers(),
                "inductor_compile_config": {"enable_auto_functionalized_v2": environment.functionalization() == "v2"},
                "inductor_passes": {},
                **given,
            }
        )

    def is_custom_op_enabled(self, op):
        on = f"+{op}" in self.custom_ops or (f"-{op}" not in self.custom_ops and "none" not in self.custom_ops)
        return environment.answer(f"is_custom_op_enabled({op!r})", on)

    def splitting_ops_contain_attention(self):
        return any("attention" in op for op in self.splitting_ops or [])

    def compute_hash(self):
        return hash_of({"custom_ops": self.custom_ops, "flags": environment.flags(), "mode": int(self.mode)})


class HfConfig(_Config):
    """The model's configuration: a small model with 32 heads, unless the settings differ."""

    def __getattr__(self, name):
        if name in MODEL:
            return environment.answer(f"hf_config.{name}", environment.flag(name, MODEL[name]))
        if operators.asks(sys._getframe(1)):
            found = environment.answer(f"hf_config.{name}", environment.flag(name))
            if found is None:
                raise AttributeError(f"this model's configuration has no {name}")
            return found
        return super().__getattr__(name)


class ModelConfig(_Config):
    def __init__(self, **given):
        super().__init__(**{"model": "fusescope", "hf_config": HfConfig(), "hf_text_config": HfConfig(), **given})

    def get_hidden_size(self):
        return self.hf_config.hidden_size

    def using_transformers_backend(self):
        return environment.answer("using_transformers_backend()", environment.flag("using_transformers_backend", False))

    def get_head_size(self):
        return self.hf_config.head_dim

    @property
    def dtype(self):
        given = self.__dict__.get("_dtype")
        return (
            given
            if given is not None
            else environment.answer("model_config.dtype", getattr(torch, environment.dtype()))
        )

    @dtype.setter
    def dtype(self, value):
        self.__dict__["_dtype"] = value


class SchedulerConfig(_Config):
    def __init__(self, **given):
        super().__init__(**{"max_num_batched_tokens": 8192, "max_num_seqs": 256, **given})


class DeviceConfig(_Config):
    def __init__(self, device="auto", **given):
        import torch

        from vllm.platforms import current_platform

        where = current_platform.device_type if device == "auto" else device
        super().__init__(device=torch.device(where), device_type=where, **given)


class ParallelConfig(_Config):
    def __init__(self, **given):
        super().__init__(
            **{
                "tensor_parallel_size": environment.flag("tensor_parallel_size", 2),
                "pipeline_parallel_size": 1,
                "data_parallel_size": 1,
                **given,
            }
        )


class VllmConfig(_Config):
    def __init__(self, **given):
        super().__init__(
            **{
                "model_config": ModelConfig(),
                "compilation_config": CompilationConfig(),
                "device_config": DeviceConfig(),
                "parallel_config": ParallelConfig(),
                "scheduler_config": SchedulerConfig(),
                "additional_config": {"ascend_compilation_config": environment.flags()},
                **given,
            }
        )

    def compile_debug_dump_path(self):
        """The folder for pattern dumps, or None. Here patterns are printed instead."""
        path = environment.flag("debug_dump_path")
        return pathlib.Path(path) if path else None

    def compute_hash(self):
        return hash_of({"compilation": self.compilation_config.compute_hash(), "dtype": f"torch.{environment.dtype()}"})


def hash_of(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:10]


_current = []


def get_current_vllm_config():
    return _current[-1] if _current else VllmConfig()


get_current_vllm_config_or_none = get_current_vllm_config


@contextlib.contextmanager
def set_current_vllm_config(vllm_config, check_compile=False, prefix=None):
    _current.append(vllm_config)
    try:
        yield
    finally:
        _current.pop()


def config(cls=None, **kwargs):
    return cls if cls is not None else (lambda c: c)
