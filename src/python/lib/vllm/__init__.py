"""The part of vLLM that fusion passes ask about their surroundings: it answers from the workspace's environment. All
else of vLLM is a stub, and said to be one."""

__version__ = "0.0.0+fusescope"
