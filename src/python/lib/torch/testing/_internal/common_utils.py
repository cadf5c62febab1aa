"""torch.testing._internal.common_utils: the base class of PyTorch's tests, a unittest.TestCase."""

import unittest

from _fusescope import partial_modules as _partial

IS_WINDOWS, IS_MACOS, IS_LINUX = False, False, True
IS_FBCODE = IS_SANDCASTLE = IS_CI = TEST_WITH_ROCM = TEST_WITH_ASAN = TEST_CUDA = False


class TestCase(unittest.TestCase):
    def assertExpectedInline(self, actual, expect, skip=0):
        self.assertEqual(expect, actual if isinstance(actual, str) else str(actual))


def run_tests(argv=None):
    """Does nothing: `fusescope test` runs the tests."""


def raise_on_run_directly(file_to_call):
    """As run_tests."""


__getattr__ = _partial.of_pytorch(__name__, listed=False)
