"""The pytest plugin: the fixture `fusescope_record`, and --fusescope-dir, which keeps the recordings."""

from __future__ import annotations

import os
from typing import Any

import pytest

from .recording import record


def pytest_addoption(parser: Any) -> None:
    parser.getgroup("fusescope").addoption(
        "--fusescope-dir", metavar="DIR", help="folder for recordings of fusescope.record() (default: the temporary folder)"
    )


def pytest_configure(config: Any) -> None:
    folder = config.getoption("--fusescope-dir")
    if folder:
        os.environ["FUSESCOPE_DIR"] = os.path.abspath(folder)


@pytest.fixture
def fusescope_record() -> Any:
    """`fusescope.record`, for tests that would import nothing else of Fusescope."""
    return record
