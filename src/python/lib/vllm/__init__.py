"""The part of vLLM that fusion passes ask about their surroundings: it answers from the workspace's environment. All
else of vLLM is a stub, and said to be one."""
__version__ = "0.0.0+fusescope"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from _fusescope import stubs

    return stubs.missing("vllm", name)
