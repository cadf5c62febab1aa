"""Fusescope for Python: record what PyTorch's pattern matcher does, assert it in tests, and show it in a browser.

PYTEST_DONT_REWRITE: `fusescope run -m pytest` has it imported before pytest, which would warn of that.
"""

from __future__ import annotations

from .live import Live, live
from .recording import Run, record
from .shown import Shown, show

__all__ = ["Live", "Run", "Shown", "live", "record", "show"]
