"""vllm.utils.system_utils."""

import contextlib
import itertools
import os


def unique_filepath(fn):
    """The first of fn(0), fn(1), … that does not exist."""
    return next(path for path in map(fn, itertools.count()) if not path.exists())


@contextlib.contextmanager
def set_env_var(key, value):
    before = os.environ.get(key)
    os.environ[key] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[key]
        else:
            os.environ[key] = before
