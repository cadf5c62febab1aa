"""executorch.exir.error: errors with a type."""

from enum import Enum


class ExportErrorType(Enum):
    INVALID_INPUT_TYPE = 1
    INVALID_OUTPUT_TYPE = 2
    VIOLATION_OF_SPEC = 3
    NOT_SUPPORTED = 4
    MISSING_PROPERTY = 5
    UNINITIALIZED = 6


def internal_assert(pred, assert_msg):
    if not pred:
        raise InternalError(assert_msg)


class InternalError(Exception):
    def __init__(self, message):
        super().__init__(message)


class ExportError(Exception):
    def __init__(self, error_code, message):
        super().__init__(f"[{error_code}]: {message}")
