"""Refuses event loops in one sentence: nothing can be awaited here, and Pyodide's loop is removed."""

import asyncio

_SENTENCE = (
    "asyncio has no event loop here: Python runs each file to its end and cannot wait; call the function without async"
)


def _refuse(main=None, *args, **kwargs):
    if asyncio.iscoroutine(main):
        main.close()  # no warning about a coroutine that was never awaited
    raise RuntimeError(_SENTENCE)


def install() -> None:
    for name in ("run", "new_event_loop", "get_event_loop"):
        for module in (asyncio, asyncio.events, asyncio.runners):
            if hasattr(module, name):
                setattr(module, name, _refuse)
    asyncio.Runner.run = asyncio.Runner.get_loop = lambda self, main=None, **kwargs: _refuse(main)
