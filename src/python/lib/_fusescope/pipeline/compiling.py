"""While a graph is compiled: the context in which vLLM's and SGLang's backends call their passes."""
import contextlib
import inspect

from .. import environment, frames


def contexts():
    """Enters each pass_context(…) that the user's own files define; ours answers from the environment without."""
    entered = contextlib.ExitStack()
    for module in frames.user_modules().values():
        context = vars(module).get("pass_context")
        if frames.is_users(context) and context.__module__ == module.__name__:
            [name, *_] = inspect.signature(context).parameters
            entered.enter_context(context(argument(name)))
    return entered


def argument(name):
    """What a backend gives for a parameter of that name: what the graph is compiled for."""
    return compile_range() if "range" in name else environment.tokens()


def compile_range():
    """The environment's token count as a range; every count where it is symbolic."""
    from vllm.config.utils import Range

    tokens = environment.tokens()
    return Range(1, 2**31) if tokens is None else Range(tokens, tokens)
