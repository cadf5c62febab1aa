"""Patterns traced from random functions, and models that contain perturbed copies of them."""
import copy
import math
import operator
import re
import warnings

import torch
import torch.nn.functional as F

from . import helpers, ops

warnings.filterwarnings("ignore")
SCOPE = {"torch": torch, "F": F, "math": math, "operator": operator, "aten": torch.ops.aten, "prims": torch.ops.prims, "__builtins__": __builtins__}
exec(helpers.SOURCE, SCOPE)
GROUPS = [*ops.GROUPS, (helpers.CALLS, 12)]
SHAPES = [(4, 8)] * 6 + [(8,), (1, 8), (4, 1), (8, 8), (2, 4, 8), (2, 4, 8), (2, 2, 4, 8), (4, 6), (3, 5), (1, 4, 8), (4, 1, 8), (1,), (2, 2, 4, 4)]
DTYPES = ["torch.float32"] * 7 + ["torch.bfloat16"] * 3 + ["torch.float16"] * 2 + ["torch.int64", "torch.float64", "torch.int32", "torch.int8", "torch.bool"]
MAX_ELEMENTS = 4096
HEAD = "import math\nimport operator\n\nimport torch\nimport torch.nn.functional as F\n\naten, prims = torch.ops.aten, torch.ops.prims\n"


def value_of(text, env):
    with torch.no_grad():
        v = eval(text, SCOPE, env)
    if not isinstance(v, torch.Tensor) or v.numel() > MAX_ELEMENTS or v.numel() == 0 or v.dim() > 5:
        raise ValueError("not a tensor of use")
    return v


class Step:
    """One assignment: `name = template` with its operands and constants filled in."""

    def __init__(self, name, template, slots, consts):
        self.name, self.template, self.slots, self.consts = name, template, slots, consts

    def text(self, rename=lambda n: n):
        return self.template.format(**{k: rename(v) for k, v in self.slots.items()}, **self.consts)


def tensor_text(t):
    shape, dtype = t
    dtype_text = "" if dtype == "torch.float32" else f", dtype={dtype}"
    return f"torch.empty({', '.join(map(str, shape)) or '()'}{dtype_text})"


def example(t):
    shape, dtype = t
    dtype = eval(dtype)
    return torch.ones(shape).to(dtype) if dtype == torch.bool else (torch.rand(shape) * 3).to(dtype)


# With a dynamic size these ask for the size of the example, which no text of a graph holds (how many pieces a split
# makes), or compute with sizes that PyTorch tells apart by identity.
BY_HINT = re.compile(r"_h\(|split|len\(|unbind|chunk|arange|roll|tril|triu|eye|linspace|one_hot|meshgrid|tensordot|\.item|float\(|int\(|sqrt\(\{a\}\.size|numel|\{m\}|\[\{|0:4|:2|1:3|100|expand\(4|repeat_interleave|repeat\(|topk|view\(-1, 2\)|-1, 2|2, -1")


def make_step(rng, name, env, order, weights=GROUPS):
    """A random step on the values in env, evaluated; None if nothing fits."""
    for _ in range(40):
        group = rng.choices([g for g, _ in weights], [w for _, w in weights])[0]
        template = rng.choice(group)
        if make_step.dynamic and BY_HINT.search(template):
            continue
        slots = {}
        recent = order[-1] if rng.random() < 0.7 else rng.choice(order)
        for slot in sorted(set(re.findall(r"\{([abcwm])\}", template))):
            if slot in "wm":
                rank = 1 if slot == "w" else 2
                fitting = [n for n in order if env[n].dim() == rank]
                if not fitting:
                    slots = None
                    break
                slots[slot] = rng.choice(fitting)
            else:
                slots[slot] = recent if slot == "a" else rng.choice(order)
        if slots is None:
            continue
        consts = {"k": rng.choice(ops.FLOATS), "n": rng.choice(ops.INTS), "d": rng.choice(ops.DIMS), "t": rng.choice(ops.DTYPES)}
        consts = {k: v for k, v in consts.items() if "{" + k + "}" in template}
        step = Step(name, template, slots, consts)
        try:
            env[name] = value_of(step.text(), env)
        except Exception:
            continue
        return step
    return None


make_step.dynamic = False


class Pattern:
    def __init__(self, rng, prefix="h", names=None, most_steps=6):
        self.names = names or rng.sample(["x", "y", "w", "input", "weight", "a", "b", "scale"], rng.choice([1, 1, 2, 2, 2, 3]))
        base = rng.choice(SHAPES)
        dtype = rng.choice(DTYPES)
        self.inputs = {}
        for i, n in enumerate(self.names):
            shape = base if i == 0 or rng.random() < 0.5 else rng.choice([(base[-1],), (base[-1], base[-1]), rng.choice(SHAPES), base])
            self.inputs[n] = (shape, dtype if i == 0 or rng.random() < 0.8 else rng.choice(DTYPES))
        env = {n: example(t) for n, t in self.inputs.items()}
        order = list(self.names)
        self.steps = []
        for i in range(rng.randint(1, most_steps)):
            step = make_step(rng, f"{prefix}{i}", env, order)
            if step:
                self.steps.append(step)
                order.append(step.name)
        made = [s.name for s in self.steps]
        used = {v for s in self.steps for v in s.slots.values()}
        self.outputs = [n for n in made if n not in used]
        for n in made:
            if n not in self.outputs and rng.random() < 0.08:
                self.outputs.append(n)
        rng.shuffle(self.outputs)
        self.env = env
        unused = [n for n in self.names if n not in used]
        if rng.random() < 0.95:
            self.names = [n for n in self.names if n not in unused]

    def usable(self):
        return bool(self.steps and self.outputs and self.names)

    def function(self, name, steps=None, outputs=None):
        lines = [f"def {name}({', '.join(self.names)}):"]
        lines += [f"    {s.name} = {s.text()}" for s in (self.steps if steps is None else steps)]
        lines.append(f"    return {', '.join(outputs or self.outputs)}")
        return "\n".join(lines)


PERTURBATIONS = ["exact"] * 8 + ["constant"] * 2 + ["op_swap"] * 2 + ["operand_order", "extra_cast", "extra_view", "extra_permute",
                "extra_user", "extra_user_output", "output_missing", "const_type", "dim", "same_input"]


def perturbed(rng, pattern, kind):
    """Steps, extra used names and outputs of a changed copy. May equal the pattern's."""
    steps = copy.deepcopy(pattern.steps)
    outputs = list(pattern.outputs)
    extra = []
    s = rng.choice(steps)
    if kind == "constant" and (fit := [s for s in steps if "k" in s.consts or "n" in s.consts]):
        s = rng.choice(fit)
        s.consts = {k: rng.choice(ops.FLOATS) if k == "k" else rng.choice(ops.INTS) if k == "n" else v for k, v in s.consts.items()}
    elif kind == "dim" and (fit := [s for s in steps if "d" in s.consts]):
        rng.choice(fit).consts["d"] = rng.choice(ops.DIMS)
    elif kind == "const_type" and (fit := [s for s in steps if "k" in s.consts]):
        s = rng.choice(fit)
        k = s.consts["k"]
        s.consts["k"] = str(int(float(k))) if float(k) == int(float(k)) and "." in k else str(float(k))
    elif kind == "op_swap":
        group = next(g for g, _ in GROUPS if s.template in g)
        want = set(re.findall(r"\{(\w+)\}", s.template))
        fit = [t for t in group if set(re.findall(r"\{(\w+)\}", t)) == want and not (make_step.dynamic and BY_HINT.search(t))]
        s.template = rng.choice(fit)
    elif kind == "operand_order" and (fit := [s for s in steps if len(s.slots) > 1]):
        s = rng.choice(fit)
        a, b = rng.sample(sorted(s.slots), 2)
        s.slots[a], s.slots[b] = s.slots[b], s.slots[a]
    elif kind in ("extra_cast", "extra_view", "extra_permute"):
        at = rng.randrange(len(steps))
        name = steps[at].name
        wrap = {"extra_cast": "{a}.to(torch.float64).to({a}.dtype)", "extra_view": "{a}.view({a}.shape[0], -1).view({a}.shape)",
                "extra_permute": "aten.permute.default(aten.permute.default({a}, [1, 0]), [1, 0])"}[kind]
        steps.insert(at + 1, Step(name + "_c", wrap, {"a": name}, {}))
        for later in steps[at + 2:]:
            later.slots = {k: name + "_c" if v == name else v for k, v in later.slots.items()}
        outputs = [name + "_c" if o == name else o for o in outputs]
    elif kind in ("extra_user", "extra_user_output"):
        extra = [(rng.choice(steps).name, kind)]
    elif kind == "output_missing":
        outputs = outputs[:-1] or outputs
    return steps, extra, outputs


def make_model(rng, patterns, dynamic=False):
    """(source, labels): a model with one to three copies of the patterns among other work."""
    env, order, params, lines, results, labels = {}, [], [], [], [], []
    for p in patterns:
        for n in p.names:
            if not any(params[i][1] == p.inputs[n] for i in range(len(params))) or rng.random() < 0.5:
                t = p.inputs[n]
                if rng.random() < 0.25 and len(t[0]) > 1 and not dynamic:  # another size than the example has
                    t = ((rng.choice([2, 6, 16]),) + tuple(t[0][1:]), t[1])
                if rng.random() < 0.06:
                    t = (t[0], rng.choice(DTYPES))
                params.append((f"p{len(params)}", t))
    for n, t in params:
        env[n] = example(t)
        order.append(n)
    for i in range(rng.choice([1, 1, 2, 2, 3])):
        p = rng.choice(patterns)
        for _ in range(12):
            kind = rng.choice(PERTURBATIONS)
            mine, mine_lines, mine_env = [], [], dict(env)
            mapping = {}
            if rng.random() < 0.4:
                step = make_step(rng, f"e{len(lines)}_{i}", mine_env, order, [(ops.POINTWISE, 5), (ops.CASTS, 1)])
                if step:
                    mine_lines.append(f"{step.name} = {step.text()}")
                    mine.append(step.name)
            for n in p.names:
                fit = [o for o in order + mine if (tuple(mine_env[o].shape)[1:], mine_env[o].dtype) == (tuple(p.inputs[n][0])[1:], eval(p.inputs[n][1]))]
                fit = fit if fit and rng.random() < 0.97 else order
                mapping[n] = rng.choice(fit)
            if kind == "same_input":
                mapping = {n: rng.choice(sorted(mapping.values())) for n in mapping}
            steps, extra, outputs = perturbed(rng, p, kind)
            rename = lambda n: mapping.get(n, f"{n}_{i}")
            try:
                for s in steps:
                    mine_env[rename(s.name)] = value_of(s.text(rename), mine_env)
                    mine_lines.append(f"{rename(s.name)} = {s.text(rename)}")
            except Exception:
                continue
            labels.append(kind)
            lines += mine_lines
            env = mine_env
            order += mine + [rename(s.name) for s in steps]
            for o in outputs:
                results.append(rename(o) if rng.random() < 0.5 else rng.choice(["torch.sin({})", "{} * 3.0", "torch.abs({})", "{}.sum(-1)", "torch.relu({})"]).format(rename(o)))
            for name, how in extra:
                results.append(rename(name) if how == "extra_user_output" else f"torch.cos({rename(name)})")
            break
    results += [rng.choice(["torch.exp({})", "{}.sum(-1)", "{} * 2"]).format(n) for n in order[: len(params)] if rng.random() < 0.3]
    good = []
    for r in results:
        try:
            value_of(r, env)
            good.append(r)
        except Exception:
            pass
    rng.shuffle(good) if rng.random() < 0.3 else None
    if not good:
        return None
    source = f"def model({', '.join(n for n, _ in params)}):\n" + "".join(f"    {l}\n" for l in lines)
    source += f"    return ({', '.join(good)},)\n\n\ndef example_args():\n    return ({', '.join(tensor_text(t) for _, t in params)},)\n"
    return HEAD + "\n\n" + helpers.used_by(source) + source, labels, [t for _, t in params]


def replacement_of(rng, p, number, library):
    """(declarations, replacement function)."""
    single = len(p.outputs) == 1
    pattern, name = f"pattern{number}", f"fused{number}"
    kind = rng.random()
    args = ", ".join(p.names)
    if kind < 0.45:
        params = ", ".join(f"Tensor {n}" for n in p.names)
        result = "Tensor" if single else "(" + ", ".join(["Tensor"] * len(p.outputs)) + ")"
        fake = f"torch.empty_like({pattern}({args}))" if single else f"tuple(torch.empty_like(t) for t in {pattern}({args}))"
        declare = f'try:\n    lib.define("{name}({params}) -> {result}")\n    torch.library.register_fake("{library}::{name}", lambda {args}: {fake}, lib=lib)\nexcept RuntimeError:\n    pass\n'
        body = rng.choice([f"    return torch.ops.{library}.{name}({args})", f"    return torch.ops.{library}.{name}.default({args})"])
        if not single and rng.random() < 0.5:
            body = f"    out = torch.ops.{library}.{name}({args})\n    return " + ", ".join(f"out[{i}]" for i in range(len(p.outputs)))
        return declare, f"def replacement{number}({args}):\n{body}"
    steps = copy.deepcopy(p.steps)
    if kind < 0.85:
        s = rng.choice(steps)
        group = next(g for g, _ in GROUPS if s.template in g)
        want = set(re.findall(r"\{(\w+)\}", s.template))
        fit = [t for t in group if set(re.findall(r"\{(\w+)\}", t)) == want and not (make_step.dynamic and BY_HINT.search(t))]
        s.template = rng.choice(fit or [s.template])
    try:
        env = {n: example(t) for n, t in p.inputs.items()}
        for s in steps:
            env[s.name] = value_of(s.text(), env)
    except Exception:
        steps = p.steps
    return "", p.function(f"replacement{number}", steps)


def extra_check(rng, p):
    x = rng.choice(p.names)
    return rng.choice([
        f'lambda m: m.kwargs["{x}"].meta["val"].dtype == {p.inputs[x][1]}',
        f'lambda m: m.kwargs["{x}"].meta["val"].shape[-1] == {p.inputs[x][0][-1]}',
        f'lambda m: m.kwargs["{x}"].meta["val"].dim() == {len(p.inputs[x][0])}',
        "lambda m: len(m.nodes) > 2",
        "lambda m: True",
        f'lambda m: m.kwargs["{x}"].op == "placeholder"',
        f'lambda m: len(m.kwargs["{x}"].users) > 1',
        'lambda m: m.output_node().meta["val"].dtype.is_floating_point',
        f'lambda m: m.output_node().meta["val"].numel() > 16 and m.kwargs["{x}"].meta["val"].is_contiguous()',
        "lambda m: all(n.op == 'call_function' for n in m.nodes)",
        f'lambda m: m.kwargs["{x}"].meta["val"].size(0) % 4 == 0',
        f'lambda m: m.kwargs["{x}"].meta["val"].stride(-1) == 1',
    ])


def make(rng, case_id):
    """The next spec; None if generation failed."""
    library = "conf_" + case_id.replace("-", "_")
    count = rng.choice([1] * 7 + [2, 2, 3])
    dynamic = make_step.dynamic = rng.random() < 0.1
    patterns = [p for i in range(count) if (p := Pattern(rng, "hgk"[i], most_steps=rng.choice([2, 4, 6, 8]))).usable()]
    if not patterns:
        return None
    model = make_model(rng, patterns, dynamic)
    if not model:
        return None
    source, labels, params = model
    functions, passes = [], ["patterns"]
    registrations = []
    second = len(patterns) > 1 and rng.random() < 0.4
    for i, p in enumerate(patterns):
        declare, replacement = replacement_of(rng, p, i, library)
        functions += [p.function(f"pattern{i}"), declare, replacement]
        into = "patterns2" if second and i == len(patterns) - 1 else "patterns"
        more = ""
        if rng.random() < 0.12:
            check = extra_check(rng, p)
            if not dynamic or not re.search("shape|size|numel", check):  # what the hint decides
                more += f", extra_check={check}"
        if rng.random() < 0.04 and len(p.names) > 1:
            more += f", exclusive_arg_names={tuple(rng.sample(p.names, rng.randint(1, 2)))!r}"
        if rng.random() < 0.04:
            more += ", skip_duplicates=True"
        examples = ", ".join(tensor_text(p.inputs[n]) for n in p.names)
        registrations.append(f"register_replacement(pattern{i}, replacement{i}, [{examples}], fwd_only, {into}{more})")
        if rng.random() < 0.03:
            registrations.append(registrations[-1])
    head = "import math\nimport operator\n\nimport torch\nimport torch.nn.functional as F\nfrom torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement\n\naten, prims = torch.ops.aten, torch.ops.prims\n"
    if any("lib." in f for f in functions):
        head += f'\nlib = torch.library.Library("{library}", "FRAGMENT")\n'
    written = "\n\n\n".join(f.rstrip() for f in functions if f)
    made = "patterns = PatternMatcherPass()\n" + ("patterns2 = PatternMatcherPass()\n" if second else "")
    spec = {"id": case_id, "family": "fuzz_traced", "perturbation": labels, "model_py": source,
            "pattern_py": head + "\n\n" + helpers.used_by(written) + written + "\n\n\n" + made + "\n".join(registrations) + "\n"}
    if second:
        spec["passes"] = rng.choice([["patterns", "patterns2"], ["patterns2", "patterns"], ["patterns", "patterns2", "patterns"]])
    if dynamic:
        spec["dynamic"] = True if rng.random() < 0.5 else [[0, 0]]
    return spec
