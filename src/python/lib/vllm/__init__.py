"""The part of vLLM that fusion passes query; the answers come from the workspace's environment. The rest of vLLM is stubbed and reported as stubbed."""

__version__ = "0.0.0+fusescope"
