"""Records what the pattern matcher does in vLLM's tests/compile (vllm_machine.py), as record.py does for PyTorch's.

    PYTHONPATH=public/capture python3 conformance/peers/record_vllm.py OUT CHECKOUT TEST_FILE[::SELECTED] …

SELECTED is an expression of pytest's -k. Needs pytest and pydantic. A folder Qwen/Qwen3-0.6B with that model's config.json below
the present one takes the place of a download.
"""

import pathlib
import re
import signal
import sys
import tempfile

import vllm_machine

vllm_machine.install(sys.argv[2])

import fusescope_capture as capture  # noqa: E402
import pytest  # noqa: E402
import record  # noqa: E402
import suite  # noqa: E402
import torch  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402


class _Named:
    """Names each test in the capture, and runs it on fake tensors."""

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        torch._dynamo.reset()
        record.note_test(item.nodeid.rpartition("/")[2])
        signal.alarm(2 * suite.SECONDS)
        with FakeTensorMode(allow_non_fake_inputs=True):
            yield
        signal.alarm(0)
        torch.set_default_device(None)
        torch.set_default_dtype(torch.float32)


def main(out, checkout, tests):
    suite._leave_out()
    torch.testing.assert_close = lambda *_, **__: None  # fake tensors have no values
    signal.signal(signal.SIGALRM, suite._too_long)
    for test in tests:
        file, _, selected = test.partition("::")
        path = pathlib.Path(file).absolute()
        with tempfile.TemporaryDirectory() as folder:
            captured = pathlib.Path(folder) / "capture"
            with capture.recording(str(captured)):
                options = ["-p", "no:cacheprovider", "--confcutdir", str(path.parent), "-q", "-W", "ignore"]
                pytest.main([str(path), *options, *(["-k", selected] if selected else [])], plugins=[_Named()])
            text = captured.read_text() if captured.exists() else ""
        record.write(out / f"vllm-{record.suite_of(path)}.fusescope.gz", re.sub(rf"{path.parent}/|{checkout}/", "", text))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
