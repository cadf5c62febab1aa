from . import CompilationConfig, CompilationMode, CUDAGraphMode, PassConfig  # noqa: F401
