"""register_replacement in all its forms: bound methods, closures, lists, scalars, pasted patterns, checks and errors."""
import copy

import torch
import torch._inductor.pattern_matcher as matcher
from torch._subclasses.fake_tensor import FakeTensorMode

from record import capture_spec

from .captured import copied
from .traced import Pattern, SCOPE, extra_check, make_model, make_step, tensor_text

HEAD = """import functools
import math
import operator

import torch
import torch._inductor
import torch.nn.functional as F
from torch._inductor.pattern_matcher import (
    _TargetArgsExpr,
    _TargetExpr,
    _TargetExprVarArgs,
    Arg,
    CallFunction,
    CallFunctionVarArgs,
    CallMethod,
    CallMethodVarArgs,
    CallModule,
    CallModuleVarArgs,
    ExclusiveKeywordArg,
    GetAttr,
    Ignored,
    KeywordArg,
    ListOf,
    MULTIPLE,
    MultiOutputPattern,
    PatternExpr,
    PatternMatcherPass,
    PatternPrettyPrinter,
    RepeatedExpr,
    fwd_only,
    gen_pattern,
    init_once_fakemode,
    register_replacement,
)

aten = torch.ops.aten
prims = torch.ops.prims
"""
CHECKS = ["lambda m: 1", "lambda m: None", "lambda m: 0.0", "lambda m: ''", "lambda m: m", "lambda m: m.kwargs['nothing']",
          "lambda m: 1 / 0", "lambda m: m.output_node().meta['val'].missing", "lambda m: [m]", "lambda m: m.args == []",
          "lambda m: len(m.output_nodes()) == 1", "lambda m: sorted(m.kwargs) == sorted(dict(m.kwargs))"]


def body(p, names=None, steps=None, outputs=None):
    lines = [f"{s.name} = {s.text()}" for s in (p.steps if steps is None else steps)]
    return lines, ", ".join(outputs or p.outputs)


def function(name, params, lines, result, indent=""):
    text = [f"{indent}def {name}({', '.join(params)}):"] + [f"{indent}    {line}" for line in lines]
    return "\n".join(text + [f"{indent}    return {result}"])


def replacement_lines(rng, p):
    """(lines, result) of a function that usually has the same number of results."""
    x = rng.choice(p.names)
    one = lambda: rng.choice(["torch.relu({0})", "{0} * 2", "torch.sin({0}) + 1", "{0}.clone()", "torch.tanh({0}).neg()", "{0}", "torch.empty_like({0})", "{0}.to(torch.float64)"]).format(rng.choice(p.names))
    r = rng.random()
    count = len(p.outputs)
    if r < 0.06:
        count += rng.choice([-1, 1]) if count > 1 else 1
    if r > 0.95:
        return [f"if {x}.dim() == 2:", rng.choice(["    raise RuntimeError('no')", "    raise ValueError('bad size')", "    assert False, 'rank'"])], ", ".join(one() for _ in range(count))
    lines, results = [], []
    for i in range(count):
        lines.append(f"r{i} = {one()}")
        results.append(f"r{i}")
    if r > 0.92:
        results[0] = rng.choice(["None", "1.0", "[r0]"])
    return lines, ", ".join(results) + ("," if count == 1 and rng.random() < 0.04 else "")


def pasted(p, search, examples, workaround=None, exclusive=()):
    """The pattern in the form of Inductor's serialized_patterns."""
    scope = dict(SCOPE)
    exec(search, scope)
    with FakeTensorMode():
        inputs = [eval(e, scope) for e in examples]
        made = matcher.gen_pattern(scope["pattern"], inputs, matcher.fwd_only, workaround, exclusive)
        return matcher.PatternPrettyPrinter.run(made, "pasted")


def pattern_of(rng):
    for _ in range(20):
        p = Pattern(rng, "h", most_steps=rng.choice([1, 2, 3, 5, 7]))
        if p.usable():
            return p
    return None


def make(rng, case_id):
    """Generates several cases on one model."""
    dynamic = make_step.dynamic = rng.random() < 0.12
    p = pattern_of(rng)
    if p is None:
        return []
    model = make_model(rng, [p], dynamic)
    if not model:
        return []
    source, labels, _ = model
    base = {"family": "fuzz_native", "model_py": source}
    if dynamic:
        base["dynamic"] = [[0, 0]]  # of more, a printed graph does not say the names that were given and taken back
    gm = capture_spec({"id": case_id, **base})
    specs = ({"id": f"{case_id}{letter}", **base, "captured": copied(gm)} for letter in "abc")
    return [with_registration(rng, spec, copy.deepcopy(p), labels) for spec in specs]


def trace_fn(rng):
    return rng.choice([
        "functools.partial(fwd_only, run_functional_passes=False)", "functools.partial(fwd_only)",
        "lambda fn, args, **kwargs: fwd_only(fn, args)", "lambda fn, args, **kwargs: fwd_only(fn, list(args), **kwargs)",
        "lambda fn, args, **kwargs: fwd_only(fn, args, run_functional_passes=False)",
    ])


def in_another_form(rng, params):
    """The two functions as arguments, one of them as a lambda, a partial, an object, with defaults, …"""
    given, expected = ", ".join(params), rng.choice(["pattern", "replacement"])
    form = rng.choice([
        f"lambda {given}: {expected}({given})",
        f"functools.partial({expected})",
        f"functools.partial({expected}, {params[-1]}=2.0)",
        f"functools.wraps({expected})(lambda *args: {expected}(*args))",
        f"lambda {given}, scale=2: {expected}({given})",
        f"lambda *args: {expected}(*args)",
        f"lambda {params[0]}, *rest: {expected}({params[0]}, *rest)",
        f"lambda {', '.join(params[:-1] + ['*'] + params[-1:])}: {expected}({given})",
        f"lambda {given}, **kwargs: {expected}({given})",
        f"type('Form', (), {{'__call__': lambda self, {given}: {expected}({given})}})()",
        f"staticmethod({expected}).__func__",
        f"lambda {', '.join(reversed(params))}: {expected}({given})",
    ])
    return f"{form}, replacement" if expected == "pattern" else f"pattern, {form}"


def with_registration(rng, spec, p, labels):
    dynamic = "dynamic" in spec
    kind = rng.choice(["plain", "plain", "plain", "method", "closure", "list", "scalar", "scalar", "given", "given", "exclusive", "duplicate", "errors", "errors", "passes", "once", "forms", "forms", "trace_fn"])
    examples = [tensor_text(p.inputs[n]) for n in p.names]
    params = list(p.names)
    lines, result = body(p)
    r_lines, r_result = replacement_lines(rng, p)
    more, extra, text = "", "", ""
    made = "patterns = PatternMatcherPass()\n"
    passes = None
    if rng.random() < 0.15:
        check = extra_check(rng, p)
        if not dynamic or "shape" not in check and "size(" not in check and "numel" not in check:  # what the hint decides
            more += f", extra_check={check}"
    if kind == "scalar":
        fit = [s for s in p.steps if "k" in s.consts or "n" in s.consts]
        if not fit:
            kind = "plain"
        else:
            s = rng.choice(fit)
            key = "k" if "k" in s.consts else "n"
            value = s.consts[key]
            given = value if rng.random() < 0.5 else rng.choice(["0.113377", "2.5", "7", "1.0", "3"])
            s.consts[key] = "alpha"
            lines, result = body(p)
            params.append("alpha")
            more += f', scalar_workaround={{"alpha": {given}}}'
            r_lines = ["scaled = " + rng.choice([f"{p.names[0]} * alpha", f"torch.full_like({p.names[0]}, alpha)", f"{p.names[0]} + 1"])] + r_lines
            if rng.random() < 0.3:
                text_given = f'{{"alpha": {given}}}'
                extra = f"workaround = {text_given}\n"
    r_params = params if rng.random() < 0.95 else params[:-1] or params
    search = function("pattern", params, lines, result)
    replace = function("replacement", r_params, r_lines, r_result)
    names = "pattern, replacement"
    where = "patterns"
    if kind == "list" and len(p.names) > 1:
        unpack = [f"{', '.join(p.names)} = xs"] if rng.random() < 0.6 else [f"{n} = xs[{i}]" for i, n in enumerate(p.names)]
        search = function("pattern", ["xs"], unpack + lines, result)
        replace = function("replacement", ["xs"], unpack + r_lines, r_result)
        shape = "[{}]" if rng.random() < 0.8 else "({},)"
        examples = [shape.format(", ".join(examples))]
        if rng.random() < 0.2:
            more += ", extra_check=lambda m: len(m.kwargs['xs']) > 1"
    if kind == "exclusive" and len(p.names) > 1:
        more += f", exclusive_arg_names={p.names[:2]!r}"
    if kind == "given":
        try:
            exclusive = p.names[:1] if rng.random() < 0.15 else ()
            text_pattern = pasted(p, search, examples, None, exclusive)
            extra = text_pattern + "\n"
            r = rng.random()
            if r < 0.2:
                extra = extra.replace("Ignored()", "Arg()", 1)
            elif r < 0.35:
                extra = extra.replace("Ignored()", 'KeywordArg("size")', 1)
            elif r < 0.45:
                extra = extra.replace(")", ", _users=MULTIPLE)", 1) if "_users" not in extra else extra.replace("_users=2", "_users=3", 1)
            more += ", search_fn_pattern=pasted"
        except Exception:
            kind = "plain"
    if kind == "method":
        value = rng.choice(["2", "0.5", "1e-6"])
        cls = ["class Fusion:", f"    def __init__(self, k={value}):", "        self.k = k", "",
               function("pattern", ["self"] + params, lines, result, "    "), "",
               function("replacement", ["self"] + r_params, [*r_lines, f"scale = {p.names[0]} * self.k" if rng.random() < 0.3 else "k = self.k"], r_result, "    "), "",
               "    def register(self, pm_pass):",
               f"        register_replacement(self.pattern, self.replacement, [{', '.join(examples)}], fwd_only, pm_pass{more})"]
        text = HEAD + "\n\n" + "\n".join(cls) + "\n\n\n" + made + "Fusion().register(patterns)\n"
        if rng.random() < 0.2:
            text += "Fusion(3).register(patterns)\n"
    elif kind == "closure":
        inner = function("pattern", params, lines, result, "        ") + "\n\n" + function("replacement", r_params, r_lines, r_result, "        ")
        text = HEAD + "\n\n" + made + f"\n\ndef register_all(pm_pass):\n    for size in ({rng.choice(['1,', '1, 2', '4, 8'])}):\n{inner}\n\n        register_replacement(pattern, replacement, [{', '.join(examples)}], fwd_only, pm_pass{more}{', skip_duplicates=True' if rng.random() < 0.8 else ''})\n\n\nregister_all(patterns)\n"
    elif kind == "once":
        text = HEAD + f"\n\n{search}\n\n\n{replace}\n\n\n{made}\n\n@init_once_fakemode\ndef lazy_init():\n    register_replacement(pattern, replacement, [{', '.join(examples)}], fwd_only, patterns{more})\n\n\nlazy_init()\nlazy_init()\n"
    else:
        if kind == "forms":
            names = in_another_form(rng, params)
        call = f"register_replacement({names}, [{', '.join(examples)}], {trace_fn(rng) if kind == 'trace_fn' else 'fwd_only'}, {where}{more})"
        if kind == "trace_fn" and rng.random() < 0.5:
            more_named = rng.choice(["pattern_name='fused'", "skip_duplicates=True", "exclusive_arg_names=()", "scalar_workaround={}", "search_fn_pattern=None"])
            call = f"{call[:-1]}, {more_named})" if more_named.split("=")[0] not in call else call
        if kind == "errors":
            r = rng.random()
            if r < 0.55:
                call = call.split(", extra_check=")[0].rstrip(")") + ")" if ", extra_check=" in call else call
                if ", extra_check=" not in call and call.endswith(")"):
                    call = f"register_replacement({names}, [{', '.join(examples)}], fwd_only, {where}, extra_check={rng.choice(CHECKS)})"
            elif r < 0.7 and not dynamic:  # with a dynamic size these ask for the hint, which no printed graph holds
                guard = rng.choice([f"assert {p.names[0]}.shape[0] == {p.inputs[p.names[0]][0][0] if p.inputs[p.names[0]][0] else 1}, 'size'",
                                    f"if {p.names[0]}.shape[-1] != {p.inputs[p.names[0]][0][-1]}:\n        raise RuntimeError('size')",
                                    f"if {p.names[0]}.dtype != {p.inputs[p.names[0]][1]}:\n        raise TypeError('dtype')"])
                search = function("pattern", params, [guard] + lines, result)
            elif r < 0.85:
                search = function("pattern", params, lines, rng.choice([p.names[0], f"{result}, {p.names[0]}", "None", "1.0", f"[{result}]", f"{{'a': {p.outputs[0]}}}", f"({result}), None"]))
            else:
                call = call.replace("[", rng.choice(["{", "[1.0, ", "(", "["]), 1) if rng.random() < 0.3 else call.replace(f"[{', '.join(examples)}]", f"[{', '.join(examples[:-1])}]")
                call = call.replace("{" + examples[0], "[" + examples[0]) if "{" in call else call.replace("(torch.empty", "[torch.empty", 1) if "((" in call else call
        if kind == "duplicate":
            call += "\n" + call[:-1] + rng.choice(["", ", skip_duplicates=True"]) + ")"
        if kind == "passes":
            made += "others = PatternMatcherPass(pass_name='others')\n"
            call = call if rng.random() < 0.3 else call.replace("fwd_only, patterns", "fwd_only, [patterns, others]")
            passes = rng.choice([["patterns", "others"], ["others", "patterns"], ["patterns", "patterns"], ["patterns", "others", "patterns"]])
            if "[patterns, others]" not in call:
                back = replacement_lines(rng, p)
                call += f"\n\n\ndef again({', '.join(params)}):\n" + "\n".join(f"    {x}" for x in r_lines) + f"\n    return {r_result}\n\n\n" + function("last", params, *back)
                call += f"\n\n\nregister_replacement(again, last, [{', '.join(examples)}], fwd_only, others)"
        text = HEAD + (f"\n{extra}" if extra else "") + f"\n\n{search}\n\n\n{replace}\n\n\n{made}{call}\n"
    spec |= {"perturbation": [kind, *labels], "pattern_py": text}
    if passes:
        spec["passes"] = passes
    return spec
