"""Mocks of the packages that vLLM imports and that are not installed."""

import abc
import importlib.abc
import importlib.machinery
import re
import sys
from unittest import mock

# Packages that code looks for to find out what the machine has.
ABSENT = {"triton", "triton_kernels", "flashinfer", "aiter", "deep_gemm", "flash_attn", "numba", "helion", "cutlass"}
ABSENT_MODULES = {"vllm._rocm_C", "vllm._version"}
# Parts that no pass uses, and that need much that is not installed.
UNUSED = re.compile(r"vllm\.(entrypoints|tool_parsers|reasoning|tokenizers\.mistral|vllm_flash_attn)\b")


class _Class(abc.ABCMeta):
    """A class of which everything exists, and which may be a base."""

    def __new__(meta, name, bases=(), scope=None, **_):
        return super().__new__(meta, name, bases, scope or dict(_CLASS))

    def __init__(cls, *args, **_):
        pass

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(name)
        # An enumerator of C++: kARResidualRMSNorm.
        return sum(map(ord, name)) if re.match("k[A-Z]", name) else mock.MagicMock(name=name)


def _attribute(self, name):
    if name.startswith("_"):
        raise AttributeError(name)
    return mock.MagicMock(name=name)


_CLASS = {"__init__": lambda self, *_, **__: None, "__getattr__": _attribute, "__class_getitem__": classmethod(lambda cls, _: cls)}


class _Mock(mock.MagicMock):
    """A module of which everything exists."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__path__, self.__spec__, self.__file__, self.__version__ = [], None, "", "1.0"

    def _get_child_mock(self, **kwargs):
        name = kwargs.get("name") or ""
        return _Class(name) if name[:1].isupper() and not name.isupper() else mock.MagicMock(**kwargs)


class Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder: a module that a file of vLLM imports and that is not there."""

    def __init__(self, root):
        self.root = f"{root}/"

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        own = top in ("torch", "tests") or (top == "vllm" and not name.startswith("vllm._"))
        if own or top in ABSENT or name in ABSENT_MODULES or top in sys.stdlib_module_names:
            return None
        frame = sys._getframe(1)
        while frame and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if not frame or not frame.f_code.co_filename.startswith(self.root):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = _Mock(name=spec.name)
        module.__name__ = spec.name
        return module

    def exec_module(self, module):
        pass


class Unused(Missing):
    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if UNUSED.match(name) else None
