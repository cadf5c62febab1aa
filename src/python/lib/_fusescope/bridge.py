"""Calls into the tracer. User code never holds an object of the page: all data crosses as JSON text."""

import builtins
from collections.abc import Callable
from typing import Any

from . import frames, wire

_send = None  # set once by the host
edits = 0  # calls that may have changed a graph
recording = False  # true while a stage runs: edits are recorded with their source lines
exceptions = {}  # class names that builtins lacks → constructor from a message
pending = []  # user exceptions that pass through the tracer, innermost last


def connect(send: Callable) -> None:
    global _send
    if _send is not None:
        raise RuntimeError("the bridge is connected already")
    _send = send


def read(kind: str, *payload: Any) -> Any:
    """Sends a call that leaves graphs as they are. Returns the decoded answer. Raises the exception that the engine reports."""
    return _result(wire.from_json(_send(wire.to_json([kind, *payload]))))


def call(kind: str, *payload: Any) -> Any:
    """Sends a call that may change a graph."""
    global edits
    answer = wire.from_json(_send(wire.to_json([kind, *payload])))
    edits += 1
    return _result(answer)


def edited(kind: str, *payload: Any) -> Any:
    """Sends an edit by a method of Graph or Node."""
    return call("edit", frames.user_places(), kind, payload) if recording else call(kind, *payload)


def _result(answer):
    if "ok" in answer:
        return answer["ok"]
    if answer.get("pending") and pending:
        raise pending.pop()
    raise exception(answer["type"], answer["message"])


def op(name: str, args: tuple, kwargs: dict) -> Any:
    """Runs an operator on fake tensors: `aten.add`, `_C.rms_norm.default`, `higher_order.auto_functionalized`."""
    place = frames.user_place()
    encoded = [wire.encode(a) for a in args], [[k, wire.encode(v)] for k, v in kwargs.items()]
    try:
        return wire.decode(call("op", name, *encoded, place))
    except (TypeError, RuntimeError) as e:
        raise _naming_lists(e, [*args, *kwargs.values()]) from None


def _naming_lists(error, values):
    """The error message for a list instead of a tensor, if the list comes from a node: `not immutable_list`."""
    lists = {type(v).__name__ for v in values if isinstance(v, list)}
    message = str(error)
    if lists != {"immutable_list"}:
        return error
    if message.endswith(", not list"):
        return TypeError(f"{message[:-4]}immutable_list")
    found = "but instead found type 'list'."
    return RuntimeError(message.replace(found, found.replace("list", "immutable_list"))) if found in message else error


def exception(name: str, message: str) -> Any:
    """An exception of PyTorch's class; a class that Python lacks becomes a RuntimeError with that name."""
    if name in exceptions:
        return exceptions[name](message)
    kind = getattr(builtins, name, None)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        kind = type(name.rsplit(".", 1)[-1], (RuntimeError,), {"__module__": "torch"})
    # str(KeyError('x')) has quotes, which PyTorch's message has already.
    return kind(message[1:-1] if kind is KeyError and message[:1] == message[-1:] == "'" else message)
