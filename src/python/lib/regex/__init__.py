"""regex, implemented by Python's own re."""

from re import *  # noqa: F401,F403
from re import Match, Pattern  # noqa: F401
