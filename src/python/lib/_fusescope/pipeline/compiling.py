"""The compile context in which vLLM's and SGLang's backends call their passes."""

import contextlib
import inspect
from typing import Any

from .. import environment, frames


def contexts() -> Any:
    """Enters each pass_context(…) that the user's files define; our own reads the environment without being entered."""
    entered = contextlib.ExitStack()
    for module in frames.user_modules().values():
        context = vars(module).get("pass_context")
        if frames.is_users(context) and context.__module__ == module.__name__:
            [name, *_] = inspect.signature(context).parameters
            entered.enter_context(context(argument(name)))
    return entered


def argument(name: str) -> Any:
    """A backend's value for a parameter of this name: the compile range or size."""
    return compile_range() if "range" in name else environment.tokens()


def compile_range() -> Any:
    """The environment's token count as a range; all counts if it is symbolic."""
    from vllm.config.utils import Range

    tokens = environment.tokens()
    return Range(1, 2**31) if tokens is None else Range(tokens, tokens)
