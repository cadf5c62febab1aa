"""The conditions that user code asks while a stage runs: each operand in the test of an `if` or a comprehension, with how often it was
true, for which nodes, and the edits that never ran because of it."""

import ast
import dis
import functools
import itertools
import sys
from collections.abc import Callable
from typing import Any

from .. import frames
from . import condition_values as values
from . import followed, returned
from .condition_places import Place, places

_TOOL = 5  # of sys.monitoring, of which user code has no use
_NAME = "fusescope conditions"
_EVENTS = sys.monitoring.events
_FOLLOWED = _EVENTS.BRANCH_LEFT | _EVENTS.BRANCH_RIGHT | _EVENTS.LINE | _EVENTS.PY_RETURN
_MOST = 40  # conditions that are sent
_MOST_NODES = 100  # times that an answer is recorded with its node
_MOST_COUNTED = 100_000  # answers: a loop over all pairs of nodes took 50 times its time
_MOST_EVALUATIONS = 300  # of returned expressions
_REACH = 8  # instructions, with their caches
_MOST_OPERANDS = 40  # of a returned expression


class _Condition:
    """What was asked at one place."""

    def __init__(self, place: Place, function: str, wanted: list[str]):
        self.place, self.function, self.wanted = place, function, wanted
        self.counts = {True: 0, False: 0}
        self.nodes = {True: {}, False: {}}  # by name, in order
        self.examples = {True: None, False: None}


_UNKNOWN = object()
_branches = {}  # (id of the code, offset of the branch) → (place, the answer that jumps), or None
_spans = {}  # id of the code → (its instructions, their spans)
_asked = {}  # place → _Condition, in order
_ran = set()  # (file, line)
_noting = [False]
_evaluations = [0]


def during(call: Callable) -> tuple:
    """(call(), its conditions). Nothing that fails here reaches the call: what user code made of its values (a repr that raises, a list
    in itself) is no fault of its pass."""
    codes = [each for code in followed.codes.values() for each in followed.all_of(code)]
    monitoring = sys.monitoring
    if monitoring.get_tool(_TOOL) is not None:  # user code has the tool, as a debugger would
        return call(), []
    monitoring.use_tool_id(_TOOL, _NAME)
    try:
        monitoring.register_callback(_TOOL, _EVENTS.BRANCH_LEFT, functools.partial(_branched, False))
        monitoring.register_callback(_TOOL, _EVENTS.BRANCH_RIGHT, functools.partial(_branched, True))
        monitoring.register_callback(_TOOL, _EVENTS.LINE, _line)
        monitoring.register_callback(_TOOL, _EVENTS.PY_RETURN, _returned)
        for code in codes:
            monitoring.set_local_events(_TOOL, code, _FOLLOWED)
        monitoring.restart_events()
        left = call()
        return left, values.tried(_data) or []
    finally:
        if monitoring.get_tool(_TOOL) == _NAME:
            for code in codes:
                monitoring.set_local_events(_TOOL, code, 0)
            monitoring.free_tool_id(_TOOL)
        for each in (_branches, _spans, _asked, _ran):
            each.clear()
        _evaluations[0] = 0


def _line(code, line):
    _ran.add((code.co_filename, line))
    return sys.monitoring.DISABLE


def _branched(jumped, code, offset, _destination):
    if _noting[0]:
        return None
    key = (id(code), offset)  # the hash of code reads all of it
    if (known := _branches.get(key, _UNKNOWN)) is _UNKNOWN:
        known = _branches[key] = values.tried(_at, code, offset)
    if known is None:
        return sys.monitoring.DISABLE
    place, jumps_if = known
    answer = jumped == jumps_if
    if (condition := _asked.get(place)) is not None and condition.counts[answer] >= _MOST_NODES:
        condition.counts[answer] += 1
        # The other answer is another event.
        return sys.monitoring.DISABLE if condition.counts[answer] >= _MOST_COUNTED else None
    _noting[0] = True
    try:
        values.tried(_note, place, answer, sys._getframe(1))
    finally:
        _noting[0] = False
    return None


def _at(code, offset):
    if id(code) not in _spans:
        _spans[id(code)] = code.co_code, list(code.co_positions())
    instructions, spans = _spans[id(code)]
    instruction = dis.opname[instructions[offset]]
    if not instruction.startswith(("POP_JUMP_IF_", "FOR_ITER")):
        return None
    end = offset // 2 + 1
    place = _at_span(_places(code), spans[max(0, end - _REACH) : end])
    if place is None or isinstance(place.statement, ast.For) != (instruction == "FOR_ITER"):
        return None
    if instruction == "FOR_ITER":
        return place, False
    if not instruction.endswith("NONE"):
        return place, instruction == "POP_JUMP_IF_TRUE"
    is_none = isinstance(place.node, ast.Compare) and isinstance(place.node.ops[0], ast.Is)
    return place, (instruction == "POP_JUMP_IF_NONE") == is_none


def _at_span(known, spans):
    """The place of a branch, the last of the spans before it. That of a comprehension has the span of its element, after its operand's."""
    if (place := known.get(spans[-1])) is not None:
        return place
    before = next((known[span] for span in reversed(spans) if span in known), None)
    return before if before is not None and isinstance(before.statement, ast.comprehension) else None


def _places(code):
    return places(code.co_filename, frames.sources.get(code.co_filename, ""))


def _returned(code, _offset, _value):
    """The operands of a returned `a and b`, evaluated again where they can be read without a call that may change something."""
    if _noting[0]:
        return None
    frame = sys._getframe(1)
    operands = _places(code).get(frame.f_lineno)
    if operands is None or len(operands) > _MOST_OPERANDS or _evaluations[0] >= _MOST_EVALUATIONS:
        return sys.monitoring.DISABLE
    _noting[0] = True
    try:
        _evaluations[0] += 1
        values.tried(_note_operands, operands, frame)
    finally:
        _noting[0] = False
    return None


def _note_operands(operands, frame):
    for place in operands:
        if not returned.is_plain(place.node) or not values.only_reads(place.node, frame):
            return
        answer = bool(returned.evaluated(place.node, frame))
        _note(place, answer, frame)
        if answer == place.ends:
            return


def _note(place, answer, frame):
    condition = _asked.get(place)
    if condition is None:
        condition = _asked[place] = _Condition(place, frame.f_code.co_name, values.wanted(place.node, frame))
    condition.counts[answer] += 1
    if condition.counts[answer] == 1:
        condition.examples[answer] = values.tried(values.example, place.node, frame)
    if (node := values.node_of(place.names, frame)) is not None:
        condition.nodes[answer][node.name] = None


def _data() -> list[dict]:
    """The conditions that kept edits from running, or what is edited later from being collected, first; then those of a function that always left before its end, then the others."""
    tests = {id(c.place.beside): c.place for c in _asked.values()}
    skipped = {key: _skipped(place) for key, place in tests.items()}
    found = []
    for condition in _asked.values():
        lines, because = skipped[id(condition.place.beside)]
        found.append((condition, lines if id(condition) in because else None))
    found.sort(key=lambda pair: 2 if pair[1] is None else 0 if pair[1].matters else 1)
    sent = (values.tried(_one, *pair) for pair in found)
    return list(itertools.islice((one for one in sent if one is not None), _MOST))


def _skipped(place):
    """What never ran because of a test, and the ids of its operands that are the reason: those that had always its answer, or else all
    that had it."""
    skipped = place.skipped(_ran)
    if skipped is None:
        return None, ()
    having = [c for each in place.beside if (c := _asked.get(each)) and c.counts[skipped.answer != each.negated]]
    always = [c for c in having if not c.counts[skipped.answer == c.place.negated]]
    return skipped, {id(c) for c in always or having}


def _one(condition: _Condition, skipped: Any) -> dict:
    place = condition.place
    text = ast.unparse(place.node)
    return {
        "file": place.file[len(frames.WORKSPACE) :],
        "line": place.span[0],
        "function": condition.function,
        "text": f"for {ast.unparse(place.statement.target)} in {text}"
        if isinstance(place.statement, ast.For)
        else text,
        "counts": [condition.counts[True], condition.counts[False]],
        "nodes": [list(condition.nodes[True]), list(condition.nodes[False])],
        "examples": [condition.examples[True], condition.examples[False]],
        "wanted": condition.wanted,
        "skipped": None if skipped is None else [skipped.first, skipped.last, skipped.edits],
    }
