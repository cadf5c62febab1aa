"""Search and replacement function, and the ways in which engineers register them."""
import re
import textwrap

HEAD = """import functools
import math
import operator

import torch
import torch._inductor.pattern_matcher as pm
import torch.nn as nn
import torch.nn.functional as F
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
prims = torch.ops.prims
"""
CHECKS = ['lambda m: m.kwargs["{x}"].meta["val"].dtype == {dtype}', 'lambda m: m.kwargs["{x}"].meta["val"].shape[-1] % 8 == 0', 'lambda m: m.kwargs["{x}"].meta["val"].dim() == {rank}',
          "lambda m: True", "lambda m: len(m.nodes) > 3", "lambda m: not m.kwargs['{x}'].op == 'placeholder'", 'lambda m: m.kwargs["{x}"].meta["val"].is_contiguous()',
          'lambda m: m.output_node().meta["val"].dtype == torch.float32', "lambda match: len(match.output_node().users) == 1", 'lambda m: all("val" in n.meta for n in m.nodes)',
          'lambda m: m.kwargs["{x}"].meta["val"].device.type == "cpu"']


def count_of(result):
    """How many values a function returns, by its text."""
    depth, commas = 0, 0
    text = result.strip()
    if text[:1] in "[(" and text[-1:] in "])" and re.fullmatch(r"[\[(][^\[\]()]*[\])]", text):
        text = text[1:-1].rstrip(",")
    for c in text:
        depth += c in "([{"
        depth -= c in ")]}"
        commas += c == "," and depth == 0
    return commas + 1


def function(name, args, body, indent=""):
    return textwrap.indent(f"def {name}({', '.join(args)}):\n" + "\n".join(f"    {line}" for line in body) + "\n", indent)


def replacement(rng, library, params, count):
    """(declarations, body) of the replacement."""
    args = ", ".join(params)
    kind = rng.random()
    if kind < 0.6:
        schema = ", ".join(f"Tensor {p}" for p in params)
        returns = "Tensor" if count == 1 else "(" + ", ".join(["Tensor"] * count) + ")"
        like = f"torch.empty_like({params[0]})"
        fake = like if count == 1 else "(" + ", ".join([like] * count) + ")"
        declare = f'lib = torch.library.Library("{library}", "FRAGMENT")\nlib.define("fused({schema}) -> {returns}")\n'
        declare += rng.choice([f'torch.library.register_fake("{library}::fused", lambda {args}: {fake}, lib=lib)\n', f'lib.impl("fused", lambda {args}: {fake}, "Meta")\n', f'\n@torch.library.register_fake("{library}::fused", lib=lib)\ndef fused_fake({args}):\n    return {fake}\n\n'])
        call = f"torch.ops.{library}.fused{rng.choice(['', '.default'])}({args})"
        if count > 1 and rng.random() < 0.5:
            return declare, [f"out = {call}", "return " + ", ".join(f"out[{i}]" for i in range(count))]
        return declare, [f"return {call}"]
    if kind < 0.7 and count == 1:  # an operator that writes into a buffer
        schema = ", ".join(["Tensor! out", *(f"Tensor {p}" for p in params)])
        declare = f'lib = torch.library.Library("{library}", "FRAGMENT")\nlib.define("fused_out({schema}) -> ()")\ntorch.library.register_fake("{library}::fused_out", lambda out, {args}: None, lib=lib)\n'
        given = ", ".join(f"{p}={p}" for p in params)
        return declare, [f"out = torch.empty_like({params[0]})", f"at = pm.torch.ops.higher_order.auto_functionalized(torch.ops.{library}.fused_out.default, out=out, {given})", "return at[1]"]
    one = [rng.choice(["torch.relu({0})", "{0} * 2.0", "F.silu({0}) + 1", "{0}.clone()", "torch.nn.functional.gelu({0})", "{0}.contiguous()", "aten.neg.default({0})", "{0}.to(torch.float32)", "torch.zeros_like({0})", "F.softmax({0}.float(), -1)"]).format(rng.choice(params)) for _ in range(count)]
    return "", [f"return {', '.join(one)}"]


def registration(rng, case_id, labels, helpers, params, body, examples):
    """(labels, pattern_py)."""
    if not params:
        return None
    library = "conf_" + re.sub(r"\W", "_", case_id)
    count = count_of(body[-1].removeprefix("return "))
    declare, replace = replacement(rng, library, params, count)
    more = ""
    scalar = None
    if rng.random() < 0.12 and (found := [(i, m) for i, line in enumerate(body[:-1]) for m in re.finditer(r"(?<![\w.\[-])(\d+\.\d+|\de-\d+)(?![\w.\]])", line)]):
        i, m = rng.choice(found)
        scalar = rng.choice(["eps", "scalar", "value"])
        if not re.search(rf"\b{scalar}\b", "\n".join(body) + " ".join(params)):
            given = m[0] if rng.random() < 0.6 else rng.choice(["0.113377", "2.5", "1e-6", "7"])
            body = [*body]
            body[i] = body[i][: m.start()] + scalar + body[i][m.end() :]
            more += f", scalar_workaround={{'{scalar}': {given}}}" if rng.random() < 0.9 else f", scalar_workaround=dict({scalar}={given})"
            labels.append("scalar")
        else:
            scalar = None
    x = rng.choice(params)
    dtypes = re.search(r"dtype=(torch\.\w+)", examples[params.index(x)])
    if rng.random() < 0.18:
        more += ", extra_check=" + rng.choice(CHECKS).format(x=x, dtype=dtypes[1] if dtypes else "torch.float32", rank=rng.choice([2, 3]))
        labels.append("check")
    if rng.random() < 0.06 and len(params) > 1:
        more += f", exclusive_arg_names={tuple(rng.sample(params, rng.choice([1, 2])))!r}"
    if rng.random() < 0.06:
        more += ", skip_duplicates=True"
    all_params = [*params, scalar] if scalar else params
    trace = rng.choices(["fwd_only", "pm.fwd_only", "functools.partial(fwd_only, run_functional_passes=False)"], [12, 4, 1])[0]
    form = rng.random()
    listed = f"[{', '.join(examples)}]"
    made = "patterns = PatternMatcherPass()\n" if rng.random() < 0.7 else f'patterns = pm.PatternMatcherPass(pass_name="{rng.choice(["fusion", "my_pass"])}")\n'
    if form < 0.5:
        text = f"{declare}\n\n{helpers}{function('pattern', all_params, body)}\n\n{function('replacement', all_params, replace)}\n\n{made}"
        if rng.random() < 0.3:
            text += f"inputs = {listed}\n"
            listed = "inputs"
        text += f"register_replacement(pattern, replacement, {listed}, {trace}, patterns{more})\n"
    elif form < 0.75:  # as vLLM's passes do
        methods = f"    def inputs(self):\n        return {listed}\n\n    def register(self, pm_pass):\n"
        methods += function("pattern", all_params, body, "        ") + "\n" + function("replacement", all_params, replace, "        ") + "\n"
        methods += f"        {rng.choice(['pm.', ''])}register_replacement(pattern, replacement, self.inputs(), {trace}, pm_pass{more})\n"
        text = f"{declare}\n\n{helpers}class FusedPattern:\n{methods}\n\n{made}FusedPattern().register(patterns)\n"
    elif form < 0.9 and (eps := re.search(r"(?<![\w.\[-])(1e-\d+|\d+\.\d+)(?![\w.\]])", "\n".join(body))):
        mine = [line.replace(eps[0], "eps_value") for line in body]
        other = rng.choice(["1e-5", "1e-6", "2.0", "0.5"])
        inner = function("pattern", all_params, mine, "    ") + "\n" + function("replacement", all_params, replace, "    ")
        text = f"{declare}\n\n{helpers}{made}\n\ndef register(eps_value):\n{inner}\n    register_replacement(pattern, replacement, {listed}, {trace}, patterns{more})\n\n\nfor value in ({', '.join(rng.sample([eps[0], other], 2))}):\n    register(value)\n"
        labels.append("loop")
    else:
        text = f"{declare}\n\n{helpers}{function('search', all_params, body)}\n\n{function('replace', all_params, replace)}\n\n{made}"
        wanted = ", ".join(f"{k}={v}" for k, v in [("search_fn", "search"), ("replace_fn", "replace"), ("example_inputs", listed), ("trace_fn", trace), ("pass_dicts", rng.choice(["patterns", "[patterns]"]))])
        text += f"register_replacement({wanted}{more})\n"
    return labels, HEAD + "\n" + text
