from . import CompilationConfig, CompilationMode, CUDAGraphMode, PassConfig  # noqa: F401
from .utils import Range  # noqa: F401
