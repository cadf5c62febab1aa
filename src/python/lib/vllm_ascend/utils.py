"""vllm_ascend.utils: which chip this is."""
import enum

from _fusescope import environment


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
