"""The part of vLLM-Ascend that fusion passes ask about their surroundings; the rest of it is a stub."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from _fusescope import stubs

    return stubs.missing("vllm_ascend", name)
