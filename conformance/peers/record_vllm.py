"""Records what the pattern matcher does in vLLM's tests/compile (vllm_machine.py), as record.py does for PyTorch's.

    PYTHONPATH=public/capture python3 conformance/peers/record_vllm.py OUT CHECKOUT TEST_FILE[::N] …

Of a function that has more than N sets of parameters, N run, spread evenly. Needs pytest and pydantic. PRESENT=flashinfer
in the environment fakes that package too. A folder Qwen/Qwen3-0.6B with that model's config.json below
the present one takes the place of a download.
"""

import os
import pathlib
import re
import signal
import sys
import tempfile

import vllm_machine

vllm_machine.install(sys.argv[2], os.environ.get("PRESENT", "").split())

import fusescope_capture as capture  # noqa: E402
import pytest  # noqa: E402
import record  # noqa: E402
import suite  # noqa: E402
import torch  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402


def _end_groups():
    from vllm.distributed import parallel_state

    if torch.distributed.is_initialized():
        parallel_state.destroy_model_parallel()
        parallel_state.destroy_distributed_environment()


def _spread(group, most):
    return group if len(group) <= most else [group[int((i + 0.5) * len(group) / most)] for i in range(most)]


class _Named:
    """Names each test in the capture, and runs it on fake tensors."""

    def __init__(self, most):
        self.most = most

    @pytest.fixture
    def use_fresh_inductor_cache(self):
        yield

    @pytest.fixture
    def default_vllm_config(self):
        from vllm.config import VllmConfig, set_current_vllm_config

        with set_current_vllm_config(VllmConfig()):
            yield

    @pytest.fixture
    def dist_init(self):
        from tests.utils import ensure_current_vllm_config
        from vllm import distributed

        with ensure_current_vllm_config():
            distributed.init_distributed_environment(1, 0, "fake", 0)
            distributed.initialize_model_parallel(1, 1)
            yield
        _end_groups()

    def pytest_collection_modifyitems(self, items):
        groups = {}
        for item in items:
            groups.setdefault(item.nodeid.partition("[")[0], []).append(item)
        items[:] = [item for group in groups.values() for item in _spread(group, self.most)]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        torch._dynamo.reset()
        path, _, name = item.nodeid.partition("::")  # a model's name in it may hold a slash
        record.note_test(f"{path.rpartition('/')[2]}::{name}")
        signal.alarm(2 * suite.SECONDS)
        with FakeTensorMode(allow_non_fake_inputs=True):
            yield
        signal.alarm(0)
        _end_groups()
        torch.set_default_device(None)
        torch.set_default_dtype(torch.float32)


def main(out, checkout, tests):
    suite._leave_out()
    torch.testing.assert_close = lambda *_, **__: None  # fake tensors have no values
    signal.signal(signal.SIGALRM, suite._too_long)
    for test in tests:
        file, _, most = test.partition("::")
        path = pathlib.Path(file).absolute()
        with tempfile.TemporaryDirectory() as folder:
            captured = pathlib.Path(folder) / "capture"
            with capture.recording(str(captured)):
                options = ["-p", "no:cacheprovider", "--confcutdir", str(path.parent), "-q", "-rs", "-W", "ignore"]
                pytest.main([str(path), *options], plugins=[_Named(int(most or 1 << 30))])
            text = captured.read_text() if captured.exists() else ""
        record.write(out / f"vllm-{record.suite_of(path)}.fusescope.gz", re.sub(rf"{path.parent}/|{checkout}/", "", text))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
