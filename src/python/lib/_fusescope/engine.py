"""The calls into the engine, and the phase of a run of each call from it. Made from src/python/calls/table.ts by `npm run tables`.
Reason for length: one function for each call.
"""

from collections.abc import Sequence
from typing import Any

from .bridge import call, edited, read

PHASES = {
    "run": "load",
    "compiled": "load",
    "positions": "load",
    "patch": "load",
    "unpatch": "load",
    "edit": "load",
    "undo_edit": "load",
    "register_again": "load",
    "syntax": "load",
    "module_names": "load",
    "callable_position": "load",
    "check_facts": "load",
    "trace": "trace",
    "trace_by": "trace",
    "fake": "trace",
    "decompose": "trace",
    "call_torch": "trace",
    "call_body": "trace",
    "extra_check": "extra_check",
    "handle": "handler",
    "match_user": "match",
    "anchors_user": "match",
    "call_pass": "pass",
    "tests": "test",
}


def known_operator(name: str) -> bool | str:
    return read("known_operator", name)


def overloads(packet: str) -> list[str]:
    return read("overloads", packet)


def schema(overload: str) -> Any:
    return read("schema", overload)


def patterns(pass_id: int) -> Any:
    return read("patterns", pass_id)


def storage(tensor: int, node: str | None) -> Any:
    return read("storage", tensor, node)


def batched(tensor: int) -> bool:
    return read("batched", tensor)


def grad_mode(on: bool | None) -> bool:
    return read("grad_mode", on)


def autocast(device: str, dtype: str | None) -> None:
    return read("autocast", device, dtype)


def node(key: str) -> Any:
    return read("node", key)


def node_before(key: str, other: str) -> bool:
    return read("node_before", key, other)


def node_impure(key: str) -> bool:
    return read("node_impure", key)


def node_text(key: str) -> str:
    return read("node_text", key)


def graph_ahead(number: int | None, key: str | None, backwards: bool, limit: int) -> Any:
    return read("graph_ahead", number, key, backwards, limit)


def graph_size(number: int | None) -> int:
    return read("graph_size", number)


def graph_foreign(number: int | None) -> list:
    return read("graph_foreign", number)


def graph_text(number: int | None) -> str:
    return read("graph_text", number)


def graph_code(number: int | None) -> str:
    return read("graph_code", number)


def graph_readable(number: int | None, name: str, stride: bool, device: bool) -> str:
    return read("graph_readable", number, name, stride, device)


def graph_noops(number: int | None) -> list[str]:
    return read("graph_noops", number)


def graph_body(number: int | None, name: str) -> int | None:
    return read("graph_body", number, name)


def called_modules(number: int | None) -> Any:
    return read("called_modules", number)


def match_context(outputs: list, bound: list, number: int | None) -> int:
    return read("match_context", outputs, bound, number)


def match_in(context: int, pattern: Any, node: Any) -> Any:
    return read("match_in", context, pattern, node)


def match_builtin(context: int, pattern: Any, node: Any) -> Any:
    return read("match_builtin", context, pattern, node)


def match_bindings(context: int) -> Any:
    return read("match_bindings", context)


def searched(number: int, graph: int | None, search: dict) -> int:
    return read("searched", number, graph, search)


def search_refused(search: int, match: int, reads: list, returned: dict | None) -> None:
    return read("search_refused", search, match, reads, returned)


def search_replacement(search: int, number: int, fn: int | None) -> None:
    return read("search_replacement", search, number, fn)


def search_replaced(search: int, match: int, added: list[str], by: list[str | None]) -> None:
    return read("search_replaced", search, match, added, by)


def node_target(key: str, target: str) -> None:
    return edited("node_target", key, target)


def node_args(key: str, args: list, kwargs: list) -> None:
    return edited("node_args", key, args, kwargs)


def node_replace(key: str, value: Any) -> list[str]:
    return edited("node_replace", key, value)


def node_input(key: str, old: str, new: Any) -> None:
    return edited("node_input", key, old, new)


def node_move(key: str, after: str | None) -> None:
    return edited("node_move", key, after)


def node_erase(key: str) -> None:
    return edited("node_erase", key)


def node_create(
    op: str,
    target: str,
    args: list,
    kwargs: list,
    name: str | None,
    point: tuple[str, str | None] | None,
    number: int | None,
    type_text: str | None,
    place: list | None,
) -> str:
    return edited("node_create", op, target, args, kwargs, name, point, number, type_text, place)


def graph_dead_code(number: int | None) -> bool:
    return edited("graph_dead_code", number)


def graph_become(number: int) -> None:
    return edited("graph_become", number)


def constant(dtype: str, shape: list[int], device: str, index: int | None, data: Any, place: list | None) -> Any:
    return call("constant", dtype, shape, device, index, data, place)


def sym(target: str, args: list, hints: list) -> Any:
    return call("sym", target, args, hints)


def define(namespace: str, schema: str, overwrite: bool) -> None:
    return call("define", namespace, schema, overwrite)


def fake(op: str, fn: int) -> None:
    return call("fake", op, fn)


def decompositions(absent: list[str], registered: list[str], custom: list) -> int:
    return call("decompositions", absent, registered, custom)


def fwd_only(fn: int, names: list[str], args: list, options: dict) -> int:
    return call("fwd_only", fn, names, args, options)


def new_pass(name: str | None) -> int:
    return call("new_pass", name)


def apply(pass_id: int, number: int | None, classes: list) -> int:
    return call("apply", pass_id, number, classes)


def register(pass_id: int, registration: dict) -> Any:
    return call("register", pass_id, registration)


def register_graph(pass_id: int, registration: dict) -> Any:
    return call("register_graph", pass_id, registration)


def set_patterns(pass_id: int, entries: list) -> None:
    return call("set_patterns", pass_id, entries)


def shown_graph() -> int:
    return call("shown_graph")


def branch(tensors: list[int]) -> None:
    return call("branch", tensors)


def branch_end(made: list, returns: str) -> list:
    return call("branch_end", made, returns)


def branch_abort() -> None:
    return call("branch_abort")


def samples(tensors: list[int], rows: bool) -> Any:
    return call("samples", tensors, rows)


def higher_order(op: str, branches: list[int], args: list, place: list | None) -> Any:
    return call("higher_order", op, branches, args, place)


def level(kind: str) -> int:
    return call("level", kind)


def level_end() -> None:
    return call("level_end")


def lift(tensor: int, tangent: Any) -> Any:
    return call("lift", tensor, tangent)


def lowered(tensor: int, level: int) -> Any:
    return call("lowered", tensor, level)


def tangent(tensor: int, level: int) -> Any:
    return call("tangent", tensor, level)


def gradients(outputs: list[int], inputs: list[int], given: list) -> Any:
    return call("gradients", outputs, inputs, given)


def batch(tensor: int, dim: int, level: int) -> Any:
    return call("batch", tensor, dim, level)


def unbatch(tensor: int, level: int, dim: int, size: Any) -> Any:
    return call("unbatch", tensor, level, dim, size)


def node_rename(key: str, name: str, exact: bool) -> str:
    return call("node_rename", key, name, exact)


def node_type(key: str, text: str | None) -> None:
    return call("node_type", key, text)


def node_val(key: str, value: Any) -> None:
    return call("node_val", key, value)


def node_custom(key: str, value: Any) -> None:
    return call("node_custom", key, value)


def graph_new() -> int:
    return call("graph_new")


def graph_name(number: int | None, candidate: str) -> str:
    return call("graph_name", number, candidate)


def match_erase(match: list) -> None:
    return call("match_erase", match)


def match_replace(fn: int, names: list[str], args: list, trace_fn: int | str | None, match: list) -> list[str]:
    return call("match_replace", fn, names, args, trace_fn, match)


def match_replace_graph(number: int, args: list, match: list) -> list[str]:
    return call("match_replace_graph", number, args, match)


def edit(lines: Sequence, kind: str, payload: list) -> Any:
    return call("edit", lines, kind, payload)
