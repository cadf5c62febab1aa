"""regex, as far as Python's own re goes."""
from re import *  # noqa: F401,F403
from re import Match, Pattern  # noqa: F401
