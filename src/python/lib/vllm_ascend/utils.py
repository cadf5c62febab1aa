"""vllm_ascend.utils: the chip, and the operators that vLLM-Ascend was built with."""

import enum

from _fusescope import environment, stubs

COMPILATION_PASS_KEY = "graph_fusion_manager"


class AscendDeviceType(enum.Enum):
    A2 = 0
    A3 = 1
    _310P = 2
    A5 = 3


_TYPES = {"ascend-a5": AscendDeviceType.A5, "ascend-910b": AscendDeviceType.A2, "ascend-310p": AscendDeviceType._310P}


def get_ascend_device_type():
    found = _TYPES.get(environment.platform())
    environment.answer("get_ascend_device_type()", found, found.name.lstrip("_") if found else "no Ascend device")
    if found is None:
        raise RuntimeError(f"the environment's platform is {environment.platform()}: it has no Ascend device")
    return found


def is_310p():
    return environment.answer("is_310p()", environment.platform() == "ascend-310p")


def enable_custom_op():
    """True if torch.ops._C_ascend has its operators."""
    return environment.answer(
        "enable_custom_op()", environment.flag("enable_custom_op", environment.vendor() == "ascend")
    )


def vllm_version_is(target_vllm_version):
    """True if the environment flag `vllm_version` names this version; without the flag, the newest version is simulated."""
    here = str(environment.flag("vllm_version", "newest"))
    return environment.answer(f"vllm_version_is({target_vllm_version!r})", here == target_vllm_version)


def is_moe_model(vllm_config):
    return environment.answer("is_moe_model()", bool(environment.flag("is_moe_model", False)))


def enable_sp(vllm_config=None, enable_shared_expert_dp=False):
    return environment.answer("enable_sp()", bool(environment.flag("enable_sp", False)))


def get_rope_dim(vllm_config):
    """Columns of a head that rotary embeddings turn: those of the model's settings, else the whole head."""
    if environment.flag("use_mla", False):
        columns = environment.flag("qk_rope_head_dim", 64)
    else:
        head = vllm_config.model_config.get_head_size()
        columns = environment.flag("rotary_dim", int(head * environment.flag("partial_rotary_factor", 1)))
    return environment.answer("get_rope_dim()", columns)


def __getattr__(name):
    if name == "HAS_ACLNN_ADD_RMS_NORM_BIAS":
        there = environment.flag(name, environment.platform() in ("ascend-a5", "ascend-910b"))
        return environment.answer(name, bool(there))
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
