"""Patterns over operators that the user declares: torch.library in its styles, auto_functionalized in both versions."""
import re
import textwrap

HEAD = """import builtins

import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized, auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

"""

# name → schema, and the shape rule: how the fake makes what is returned
SCHEMAS = {
    "rms_norm": ("Tensor! result, Tensor input, Tensor weight, float epsilon", "()", "None"),
    "fused_add_rms_norm": ("Tensor! input, Tensor! residual, Tensor weight, float epsilon", "()", "None"),
    "static_quant": ("Tensor! result, Tensor input, Tensor scale", "()", "None"),
    "dynamic_quant": ("Tensor! result, Tensor input, Tensor! scale, Tensor? scale_ub=None", "()", "None"),
    "silu_and_mul": ("Tensor! result, Tensor input", "()", "None"),
    "rotary": ("Tensor positions, Tensor! query, Tensor!? key, int head_size=4, bool is_neox=True", "()", "None"),
    "act": ("Tensor x, float alpha=1.0, *, bool flag=False", "Tensor", "torch.empty_like(x)"),
    "pair": ("Tensor x, int n=2", "(Tensor, Tensor)", "(torch.empty_like(x), x.new_empty(x.shape[0], n))"),
    "many": ("Tensor x, int n", "Tensor[]", "[torch.empty_like(x) for _ in range(n)]"),
    "joined": ("Tensor[] xs, int[] dims, str mode='sum', SymInt k=3", "Tensor", "torch.empty_like(xs[0])"),
    "biased": ("Tensor x, Tensor? bias=None, ScalarType? dtype=None, Scalar beta=1", "Tensor", "torch.empty_like(x, dtype=dtype or x.dtype)"),
}
MUTATING = ["rms_norm", "fused_add_rms_norm", "static_quant", "dynamic_quant", "silu_and_mul", "rotary"]
ANNOTATED = {  # for custom_op and infer_schema
    "rms_norm": ("result: torch.Tensor, input: torch.Tensor, weight: torch.Tensor, epsilon: float", "None", ["result"]),
    "silu_and_mul": ("result: torch.Tensor, input: torch.Tensor", "None", ["result"]),
    "act": ("x: torch.Tensor, alpha: float = 1.0, flag: bool = False", "torch.Tensor", []),
    "pair": ("x: torch.Tensor, n: int = 2", "tuple[torch.Tensor, torch.Tensor]", []),
    "biased": ("x: torch.Tensor, bias: torch.Tensor | None = None, beta: float = 1.0", "torch.Tensor", []),
}


def declaration(rng, ns, name):
    """One of three styles. Declaring twice, by the model and by the pattern, must not fail."""
    style = rng.choice(["define", "define", "custom_op", "direct"]) if name in ANNOTATED else "define"
    schema, returns, fake = SCHEMAS[name]
    if style == "define":
        body = f"""
            lib.define("{name}({schema}) -> {returns}")
            torch.library.register_fake("{ns}::{name}", lambda {defaults(schema)}: {fake}, lib=lib)"""
    else:
        signature, result, mutates = ANNOTATED[name]
        fake = fake.replace(", dtype=dtype or x.dtype", "")
        if style == "custom_op":
            body = f"""
            @torch.library.custom_op("{ns}::{name}", mutates_args={mutates!r})
            def {name}({signature}) -> {result}:
                raise NotImplementedError

            @{name}.register_fake
            def _({signature}) -> {result}:
                return {fake}"""
        else:
            body = f"""
            def {name}({signature}) -> {result}:
                raise NotImplementedError

            def {name}_fake({signature}) -> {result}:
                return {fake}

            schema_str = torch.library.infer_schema({name}, mutates_args={mutates!r})
            lib.define("{name}" + schema_str)
            lib.impl("{name}", {name}, "CPU")
            lib._register_fake("{name}", {name}_fake)"""
    if style == "custom_op":
        # Declaring it again would create a different operator from the graph's.
        head = f'declared = vars(builtins).setdefault("{ns}", set())\nif "{name}" not in declared:\n    declared.add("{name}")\n'
        return head + textwrap.indent(textwrap.dedent(body), "    ") + "\n\n"
    return "\ntry:" + textwrap.indent(textwrap.dedent(body), "    ") + "\nexcept RuntimeError:\n    pass\n"


def defaults(schema):
    out = []
    for p in schema.split(", "):
        if p == "*":
            out.append("*")
            continue
        word, _, default = p.split(" ")[-1].partition("=")
        out.append(word + (f"={default}" if default else ""))
    return ", ".join(out)


class Case:
    """A chain of steps in the model's form (mutating calls) and in the pattern's (auto_functionalized)."""

    def __init__(self, rng, ns, v2):
        self.rng, self.ns, self.v2 = rng, ns, v2
        self.inputs = {"x": ((5, 8), rng.choice(["torch.bfloat16", "torch.float32", "torch.float16"]))}
        self.stages = [rng.choice(list(SCHEMAS)) for _ in range(rng.choice([1, 1, 2, 2, 3]))]
        self.eps = rng.choice(["1e-06", "1e-05", "1", "0.5"])
        self.consts = {"alpha": rng.choice(["0.5", "1.0", "2", "1"]), "n": rng.choice(["2", "3"]), "flag": rng.choice(["True", "False"])}
        self.omit = rng.random() < 0.5
        self.between = [rng.choice(["", "", "", "{h} * 2.0", "torch.relu({h})", "{h}.to(torch.float32).to({h}.dtype)", "{h}.view(-1, 4).view({h}.shape)"]) for _ in self.stages]
        self.out_dtype = rng.choice(["torch.float8_e4m3fn", "torch.int8"])

    def write(self, name, functional, consts, eps, swap=False):
        """Source of a function; functional: the pattern's form."""
        rng, ops = self.rng, f"torch.ops.{self.ns}"
        params, lines, extra = ["x"], [], {}
        h = "x"

        def buffer(dtype, like):
            """An output buffer: an argument of the pattern, created by the model."""
            if functional:
                n = f"r{len(extra)}"
                extra[n] = (like, dtype)
                params.append(n)
                return n
            n = f"b{len(lines)}"
            lines.append(f"{n} = torch.empty({like}, dtype={dtype})")
            return n

        outs = []
        for i, stage in enumerate(self.stages):
            o = f"h{i}"
            call = f"{ops}.{stage}.default"
            dtype = self.inputs["x"][1]
            if stage in MUTATING:
                if stage == "rms_norm":
                    args, written, take = {"result": buffer(dtype, "5, 8"), "input": h, "weight": "w", "epsilon": eps}, ["result"], 1
                elif stage == "fused_add_rms_norm":
                    args, written, take = {"input": h, "residual": "res", "weight": "w", "epsilon": eps}, ["input", "residual"], 1
                    if not functional:
                        lines.append(f"c{i} = {h}.clone() if {h} is x else {h}")
                        lines.append("res = res.clone()")
                        args["input"] = f"c{i}"
                elif stage == "static_quant":
                    args, written, take = {"result": buffer(dtype, "5, 8"), "input": h, "scale": "s"}, ["result"], 1
                elif stage == "dynamic_quant":
                    args, written, take = {"result": buffer(dtype, "5, 8"), "input": h, "scale": buffer("torch.float32", "5, 1")}, ["result", "scale"], 1
                    if functional or not self.omit:
                        args["scale_ub"] = "None"
                elif stage == "rotary":
                    args, written, take = {"positions": "pos", "query": h, "key": "None"}, ["query"], 1
                    if not functional:
                        lines.append(f"c{i} = {h} * 1.5")
                        args["query"] = f"c{i}"
                    if functional or not self.omit:
                        args |= {"head_size": "4", "is_neox": "True"}
                else:
                    args, written, take = {"result": buffer(dtype, "5, 8"), "input": h}, ["result"], 1
                if functional:
                    if self.v2:
                        given = {k: v for k, v in args.items() if k not in written}
                        bases = [args[k] for k in written]
                        for j, k in enumerate(written):
                            given[f"_{k}_base_index"] = str(j)
                        if stage == "rotary":
                            given.pop("key"), given.setdefault("_key_base_index", "None")
                        given["_all_bases"] = "[" + ", ".join(bases) + "]"
                        lines.append(f"at{i} = auto_functionalized_v2({call}, {', '.join(f'{k}={v}' for k, v in given.items())})")
                    else:
                        lines.append(f"at{i} = auto_functionalized({call}, {', '.join(f'{k}={v}' for k, v in args.items())})")
                    lines.append(f"{o} = at{i}[{take}]")
                    if stage in ("fused_add_rms_norm", "dynamic_quant") and self.keep_second:
                        outs.append(f"at{i}[2]")
                else:
                    style = ", ".join(f"{k}={v}" for k, v in args.items()) if self.kwargs_call else ", ".join(args.values())
                    lines.append(f"{call if self.overload else call[:-8]}({style})")
                    lines.append(f"{o} = {args[written[0]]}")
                    if stage in ("fused_add_rms_norm", "dynamic_quant") and self.keep_second:
                        outs.append(args[written[1]])
            else:
                fn = call if self.overload else call[:-8]
                c = consts
                text = {
                    "act": f"{fn}({h}, {c['alpha']}, flag={c['flag']})" if not self.omit else f"{fn}({h})",
                    "pair": f"{fn}({h}, {c['n']})[0]" if not self.kwargs_call else f"{fn}(x={h}, n={c['n']})[0]",
                    "many": f"{fn}({h}, {c['n']})[1]",
                    "joined": f"{fn}([{h}, x], [0, {c['n']}], mode='max', k={c['n']})" if not self.omit else f"{fn}([{h}, {h}], [1])",
                    "biased": f"{fn}({h}, w)" if self.omit else f"{fn}({h}, beta={c['alpha']})",
                }[stage]
                lines.append(f"{o} = {text}")
            h = o
            if self.between[i]:
                lines.append(f"{h} = {self.between[i].format(h=h)}")
        text = "\n".join(lines)
        params += [n for n in ("w", "res", "s", "pos") if re.search(rf"\b{n}\b", text)]
        outs = ([h] + outs)[:: -1 if swap else 1]
        body = "".join(f"    {line}\n" for line in lines)
        return f"def {name}({', '.join(params)}):\n{body}    return {', '.join(outs)}\n", params, extra, len(outs)


SHAPES = {"w": "8", "res": "5, 8", "s": "1", "pos": "5"}


def make(rng, case_id):
    ns = "confc_" + case_id.replace("-", "_")
    v2 = rng.random() < 0.4
    case = Case(rng, ns, v2)
    case.keep_second, case.kwargs_call, case.overload = rng.random() < 0.5, rng.random() < 0.4, rng.random() < 0.7
    dtype = case.inputs["x"][1]
    other = {"w": dtype, "res": dtype, "s": "torch.float32", "pos": "torch.int64"}
    declare = f'lib = torch.library.Library("{ns}", "FRAGMENT")\n' + "".join(declaration(rng, ns, s) for s in dict.fromkeys(case.stages))
    change = rng.choice(["exact"] * 5 + ["eps", "const", "omit", "swap"])
    consts, eps = dict(case.consts), case.eps
    if change == "eps":
        eps = rng.choice(["1e-06", "1e-05", "1", "1.0"])
    if change == "const":
        consts = {"alpha": rng.choice(["0.5", "1.0", "2", "1"]), "n": rng.choice(["2", "3"]), "flag": rng.choice(["True", "False"])}
    model, params, _, outs = case.write("inner", False, consts, eps)
    if change == "omit":
        case.omit = not case.omit
    pattern, pparams, extra, outs = case.write("pattern", True, case.consts, case.eps, swap=change == "swap")
    sizes = {**SHAPES, "x": "5, 8"}
    tensor = lambda n: f"torch.empty({extra[n][0]}, dtype={extra[n][1]})" if n in extra else f"torch.empty({sizes[n]}, dtype={other.get(n, dtype)})"  # noqa: E731
    real = lambda n: f"torch.ones({sizes[n]}, dtype={other.get(n, dtype)})"  # noqa: E731
    call = ", ".join(params)
    post = rng.choice(["({r},)", "({r}, x.sin())", "({r}, torch.relu(x))", "tuple(t.float() * 2 for t in (({r}) if isinstance({r}, tuple) else ({r},)))"])
    result = post.format(r="r")
    layers = f"    r = inner({call})\n"
    if rng.random() < 0.4:  # a second layer, which shares the weights
        second = ", ".join("torch.neg(x)" if n == "x" else n for n in params)
        layers += f"    again = inner({second})\n"
        result += " + (again if isinstance(again, tuple) else (again,))"
    source = "import builtins\n\nimport torch\n\n" + declare + "\n\n" + model + f"\n\ndef model({call}):\n{layers}    return {result}\n\n\n"
    source += f"def example_args():\n    return ({', '.join(real(n) for n in params)},)\n"
    fused = ", ".join(f"Tensor {n}" for n in pparams)
    result = "Tensor" if outs == 1 else "(" + ", ".join(["Tensor"] * outs) + ")"
    fake = "torch.empty_like(x)" if outs == 1 else "(" + "torch.empty_like(x), " * outs + ")"
    declare_fused = (f'\nlib.define("fused({fused}) -> {result}")\n'
                     f'torch.library.register_fake("{ns}::fused", lambda {", ".join(pparams)}: {fake}, lib=lib)\n')
    replacement = f"def replacement({', '.join(pparams)}):\n    return torch.ops.{ns}.fused({', '.join(pparams)})\n"
    examples = ", ".join(tensor(n) for n in pparams)
    text = HEAD + declare + declare_fused + "\n\n" + pattern + "\n\n" + replacement + "\n\npatterns = PatternMatcherPass()\n"
    text += f"register_replacement(pattern, replacement, [{examples}], fwd_only, patterns)\n"
    return {"id": case_id, "family": "fuzz_custom_op", "perturbation": [change], "model_py": source, "pattern_py": text, "v2": v2}
