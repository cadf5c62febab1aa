"""Runs other people's unit tests on a real PyTorch 2.14.1, up to the passes that are recorded.

The test functions run unmodified, on the CPU. Four things differ from a run by a test runner: Inductor's code generation is
left out behind the post-grad passes, an assertion that is false does not end its test, a test for a GPU gets CPU tensors, and a
test ends after a minute.
"""

import functools
import importlib.util
import signal
import sys
import unittest
from unittest import mock

import torch
from torch._inductor import compile_fx, utils
from torch._inductor.fx_passes import post_grad
from torch.testing import FileCheck
from torch.testing._internal import common_quantization, common_utils, inductor_utils

SECONDS = 60

inductor_utils.GPU_TYPE, inductor_utils.HAS_GPU = "cpu", True
# Names that test files of earlier versions import.
inductor_utils.HAS_CUDA = False
inductor_utils.requires_gpu = lambda *_: lambda f: f
compile_fx.complex_memory_overlap = None
torch.export.export_for_training = torch.export.export
common_quantization._generate_qdq_quantized_model = mock.MagicMock()
sys.modules["torch.ao.quantization.quantizer"] = mock.MagicMock()
sys.modules["torch.ao.quantization.quantizer.x86_inductor_quantizer"] = mock.MagicMock()


def _without_code(gm, example_inputs, is_inference=False, **options):
    """compile_fx_inner up to the post-grad passes; what runs is the graph before them."""
    fake_mode = torch._guards.detect_fake_mode(example_inputs)
    fake_mode = fake_mode or torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True)
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(gm.graph, {}))
    before = torch.fx.GraphModule(gm, graph)
    with torch._inductor.virtualized.V.set_fake_mode(fake_mode):
        post_grad.view_to_reshape(gm)
        torch.fx.passes.fake_tensor_prop.FakeTensorProp(gm, mode=fake_mode).propagate(*example_inputs)
        post_grad.post_grad_passes(gm, is_inference)
    return torch._functorch.aot_autograd.make_boxed_func(before.forward)


def _softened(inner):
    """An assertion that does not end its test."""

    @functools.wraps(inner)
    def check(*args, **kwargs):
        try:
            return inner(*args, **kwargs)
        except AssertionError:
            return None

    return check


def _leave_out():
    compile_fx.compile_fx.__defaults__ = (_without_code, *compile_fx.compile_fx.__defaults__[1:])
    torch._inductor.config.fx_graph_cache = False
    utils.run_and_get_code = lambda fn, *args, **kwargs: (fn(*args, **kwargs), [""])
    FileCheck.run = lambda *_: None
    torch.testing.assert_close = _softened(torch.testing.assert_close)
    for cls in (unittest.TestCase, common_utils.TestCase):
        for name, inner in list(vars(cls).items()):
            if name.startswith("assert") and "Raises" not in name and callable(inner):
                setattr(cls, name, _softened(inner))


def _too_long(*_):
    raise TimeoutError("too long")


def _tests(suite):
    """The tests of a suite of suites, in order."""
    return [t for s in suite for t in (_tests(s) if isinstance(s, unittest.TestSuite) else [s])]


def run(path, on_test, part=(0, 1)):
    """
    @param on_test: called with the name of each test before it starts
    @param part: (i, n) runs each n-th test, from the i-th
    """
    _leave_out()
    signal.signal(signal.SIGALRM, _too_long)

    class Result(unittest.TextTestResult):
        def startTest(self, test):
            torch._dynamo.reset()
            on_test(test.id())
            super().startTest(test)
            signal.alarm(SECONDS)

        def stopTest(self, test):
            signal.alarm(0)
            super().stopTest(test)

    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    suite = unittest.TestSuite(_tests(unittest.defaultTestLoader.loadTestsFromModule(module))[part[0] :: part[1]])
    unittest.TextTestRunner(stream=sys.stderr, resultclass=Result, verbosity=2).run(suite)
