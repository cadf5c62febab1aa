"""Fusions of fusions.py in a model of some layers, with one change between pattern and model, named in `perturbation`.

A label with the prefix `exact` means that the other layers of the model are unchanged."""
import copy
import re
import textwrap

from .fusions import BF16, CUSTOM, F32, FP8, I8, I64, NATIVE, SCHEMAS, Plain, Writes

HEAD = """import builtins

import torch
import torch.nn.functional as F
from torch._higher_order_ops.auto_functionalize import auto_functionalized, auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
"""
ROWS = 16  # of the model; the examples of the patterns have 5


def declarations(ns, names):
    """The model and the pattern both declare: the second time must not fail."""
    lines = [f'lib = torch.library.Library("{ns}", "FRAGMENT")']
    for name in names:
        schema, returns, fake = SCHEMAS[name]
        parameters = ", ".join(p if p == "*" else p.split(" ")[-1] for p in schema.split(", "))
        lines.append(f'try:\n    lib.define("{name}({schema}) -> {returns}")\n    torch.library.register_fake("{ns}::{name}", lambda {parameters}: {fake}, lib=lib)\nexcept RuntimeError:\n    pass')
    return "\n".join(lines) + "\n"


class Case:
    """The source of the fusion in the pattern and in the changed layers of the model."""

    def __init__(self, rng, ns, fusion):
        self.rng, self.ns = rng, ns
        self.base, self.model, self.pattern = (copy.deepcopy(fusion) for _ in range(3))
        self.functional = any(isinstance(s, Writes) for s in fusion.steps)
        self.v2 = self.functional and rng.random() < 0.35
        self.pattern_v2 = self.v2
        self.made = rng.random() < 0.5  # the pattern makes its buffers, or takes them
        self.layers = rng.choice([1, 1, 1, 2, 3, 6])
        self.only_last = self.layers > 1 and rng.random() < 0.3
        self.more_uses, self.unused, self.register, self.prelude, self.registrations = [], set(), "", "", []
        self.edit = self.dynamic = self.custom_meta = None
        self.kwarg_swap = self.literal_sizes = False
        self.extra_params, self.buffer_dtypes, self.item_of, self.example_dtype = [], {}, {}, None
        self.drop_model_from = None

    # -- the fusion as text

    def constants(self, fusion):
        return {k: v[0] for k, v in fusion.consts.items()} | {"NS": self.ns}

    def model_layer(self, fusion, i):
        first = next(iter(fusion.inputs))
        env = {n: n if n in fusion.reads_only else f"{n}_{i}" for n in fusion.inputs} | self.constants(fusion)
        lines = [f"{env[n]} = torch.relu({n} * {i + 1.5})" for n in fusion.inputs if env[n] != n]
        for number, s in enumerate(fusion.steps):
            if isinstance(s, Plain):
                text = s.text.format(**env)
                env[s.out] = f"{s.out}_{i}"
                lines.append(f"{env[s.out]} = {text}")
                continue
            given = {}
            for a, text in s.args.items():
                if a in s.buffers:
                    shape, dtype = s.buffers[a]
                    shape = (ROWS, *shape[1:])
                    given[a] = f"buf{number}{a}_{i}"
                    lines.append(f"{given[a]} = torch.empty([{', '.join(map(str, shape))}], dtype={dtype}, device={env[first]}.device)")
                else:
                    given[a] = text.format(**env)
            name = s.op if "." in s.op else s.op + ".default"
            lines.append(f"torch.ops.{self.ns}.{name}({', '.join(given.values())})")
            for a, out in s.outs.items():
                env[out] = f"{out}_{i}"
                lines.append(f"{env[out]} = {given[a]}")
        return lines, env

    def model_source(self):
        fusion = self.model
        params = list(fusion.inputs)
        lines, results = [], []
        for i in range(self.layers):
            mine = self.base if self.only_last and i < self.layers - 1 else fusion
            changed = mine is fusion
            new, env = self.model_layer(mine, i)
            lines += new
            for out in mine.returns:
                if changed and out in self.unused:
                    continue
                results.append(env[out])
            if changed:
                results += [t.format(**env) for t in self.more_uses]
        body = "".join(f"    {line}\n" for line in lines)
        dtype = lambda t: t[2]  # noqa: E731
        examples = ", ".join(f"torch.ones({', '.join(map(str, t[1]))}, dtype={dtype(t)})" for t in fusion.inputs.values())
        return (HEAD + self.declared() + f"\n\ndef model({', '.join(params)}):\n{body}    return ({', '.join(results)},)\n\n\n"
                f"def example_args():\n    return ({examples},)\n")

    def declared(self):
        names = []
        for fusion in (self.base, self.model, self.pattern):
            for s in fusion.steps:
                found = [s.op] if isinstance(s, Writes) else re.findall(r"\{NS\}\.(\w+)", s.text)
                names += [n.removesuffix(".default") for n in found if n.removesuffix(".default") not in names]
        plain = [n for n in names if "." not in n]
        return declarations(self.ns, plain + [n for n in names if "." in n]) if names else ""

    def pattern_function(self, name="pattern", fusion=None):
        """(source, parameters with their example tensors)."""
        fusion = fusion or self.pattern
        env = {n: n for n in fusion.inputs} | self.constants(fusion)
        first = next(iter(fusion.inputs))
        examples = {n: (t[0], t[2]) for n, t in fusion.inputs.items()}
        lines = []
        for number, s in enumerate(fusion.steps):
            if isinstance(s, Plain):
                text = s.text.format(**env)
                env[s.out] = s.out
                lines.append(f"{s.out} = {text}")
                continue
            given, bases = {}, {}
            for a, text in s.args.items():
                if a in s.buffers:
                    shape, dtype = s.buffers[a]
                    dtype = self.buffer_dtypes.get((number, a), dtype)
                    if self.made:
                        size = str(shape[0]) if self.literal_sizes else f"{first}.shape[0]"
                        given[a] = f"torch.empty([{', '.join([size, *map(str, shape[1:])])}], dtype={dtype}, device={first}.device)"
                    else:
                        given[a] = f"{a}_{number}" if a in examples or a in env else a
                        examples[given[a]] = (shape, dtype)
                else:
                    given[a] = text.format(**env)
                if a in s.outs:
                    bases[a] = given[a]
            op = f"torch.ops.{self.ns}.{s.op if '.' in s.op else s.op + '.default'}"
            at = f"at{number}"
            if self.pattern_v2:
                read = {k: v for k, v in given.items() if k not in bases}
                read |= {f"_{k}_base_index": str(j) for j, k in enumerate(bases)}
                lines.append(f"{at} = auto_functionalized_v2({op}, {', '.join(f'{k}={v}' for k, v in read.items())}, _all_bases=[{', '.join(bases.values())}])")
            else:
                items = list(given.items())
                if self.kwarg_swap and len(items) > 1:
                    items[0], items[-1] = items[-1], items[0]
                lines.append(f"{at} = auto_functionalized({op}, {', '.join(f'{k}={v}' for k, v in items)})")
            for j, (a, out) in enumerate(s.outs.items()):
                env[out] = f"{at}[{self.item_of.get((number, a), j + 1)}]"
        used = " ".join(lines)
        names = [n for n in examples if re.search(rf"\b{n}\b", used)] + self.extra_params
        for n in self.extra_params:
            examples[n] = ((5,), F32)
        source = f"def {name}({', '.join(names)}):\n" + "".join(f"    {line}\n" for line in lines)
        return source + f"    return {', '.join(env[r] for r in fusion.returns)}\n", {n: examples[n] for n in names}

    def pattern_source(self):
        source, params = self.pattern_function()
        count = len(self.pattern.returns)
        names = ", ".join(params)
        used = [n for n in params if n not in self.extra_params]
        result = "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"
        first = f"torch.empty_like({next(iter(params))})"  # what the matcher does not ask for
        fake = first if count == 1 else f"({', '.join([first] * count)})"
        fused = (f'lib = torch.library.Library("{self.ns}", "FRAGMENT")\n' if not self.declared() else "") + (
            f'lib.define("fused({", ".join(f"Tensor {n}" for n in used)}) -> {result}")\n'
            f'torch.library.register_fake("{self.ns}::fused", lambda {", ".join(used)}: {fake}, lib=lib)\n')
        dtype = lambda d: self.example_dtype or d  # noqa: E731
        tensor = lambda t: f"torch.empty({', '.join(map(str, t[0]))}, dtype={dtype(t[1]) if t[1] == BF16 else t[1]})"  # noqa: E731
        examples = ", ".join(tensor(t) for t in params.values())
        register = f"register_replacement(pattern, replacement, [{examples}], fwd_only, patterns{self.register})\n"
        return (HEAD + self.declared() + f"\n\n{source}\n\n{fused}\n\ndef replacement({names}):\n    return torch.ops.{self.ns}.fused({", ".join(used)})\n\n\n{self.prelude}patterns = PatternMatcherPass()\n"
                + (("".join(r.format(register=register) for r in self.registrations)) if self.registrations else register))


# -- the changes: each returns False where it does not fit


def read_later(c):
    """Intermediate values of the fusion that a later step reads."""
    out = []
    for i, s in enumerate(c.model.steps):
        for v in [s.out] if isinstance(s, Plain) else s.outs.values():
            if any("{" + v + "}" in (t.text if isinstance(t, Plain) else " ".join(t.args.values())) for t in c.model.steps[i + 1:]):
                out.append((i, v))
    return out


def tensors(c):
    return [(i, v) for i, v in read_later(c) if not (isinstance(c.model.steps[i], Plain) and re.search(r"npu_add_rms_norm|topk", c.model.steps[i].text))]


def rename_reads(steps, old, new):
    for s in steps:
        if isinstance(s, Plain):
            s.text = s.text.replace("{" + old + "}", "{" + new + "}")
        else:
            s.args = {k: t.replace("{" + old + "}", "{" + new + "}") for k, t in s.args.items()}


def insert(*lines, into="model"):
    def change(c):
        fusion = getattr(c, into)
        fit = tensors(c)
        if not fit:
            return False
        i, v = c.rng.choice(fit)
        added, last = [], v
        for j, text in enumerate(lines):
            added.append(Plain(f"{v}_i{j}", text.format(v="{" + last + "}")))
            last = f"{v}_i{j}"
        rename_reads(fusion.steps[i + 1:], v, last)
        fusion.steps[i + 1: i + 1] = added
        return True
    return change


def constant(of):
    def change(c):
        side = c.rng.choice([c.model, c.pattern])
        fit = [k for k, (text, others) in side.consts.items() if of(text) and others != [text]]
        if not fit:
            return False
        k = c.rng.choice(fit)
        text, others = side.consts[k]
        side.consts = side.consts | {k: (c.rng.choice(others), others)}
        return True
    return change


def replaced(table):
    def change(c):
        side = c.rng.choice([c.model, c.pattern])
        fit = []
        for old, new in getattr(side, table).items():
            for s in side.steps:
                if isinstance(s, Plain) and old in s.text and (not re.fullmatch(r"\w+", old) or re.search(rf"\b{old}\b", s.text)):
                    fit.append((s, "text", re.sub(rf"\b{old}\b", new, s.text) if re.fullmatch(r"\w+", old) else s.text.replace(old, new)))
                elif isinstance(s, Writes) and old.removesuffix(".default") == s.op:
                    fit.append((s, "op", new))
        if not fit:
            return False
        step, what, value = c.rng.choice(fit)
        setattr(step, what, value)
        if value == "static_scaled_int8_quant":
            step.buffers = {k: (like, I8) for k, (like, _) in step.buffers.items()}
        return True
    return change


def operand_order(c):
    fit = [s for s in c.model.steps if isinstance(s, Plain) and re.fullmatch(r"(\{\w+\}) ([*+]) (\{\w+\})", s.text) and len(set(re.findall(r"\w+", s.text))) == 2
           and re.findall(r"\w+", s.text)[1] not in c.model.consts]
    if not fit:
        return False
    s = c.rng.choice(fit)
    s.text = re.sub(r"(\{\w+\}) ([*+]) (\{\w+\})", r"\3 \2 \1", s.text)
    return True


def extra_user(text):
    def change(c):
        fit = [v for _, v in tensors(c) if v not in c.pattern.returns]
        # A value that a later call overwrites is no longer an intermediate.
        written = {re.sub(r"\W", "", s.args[a]) for s in c.model.steps if isinstance(s, Writes) for a in s.outs}
        fit = [v for v in fit if v not in written]
        if not fit:
            return False
        c.more_uses.append(text.format(v="{" + c.rng.choice(fit) + "}"))
        return True
    return change


def output_missing(c):
    if len(c.pattern.returns) < 2:
        return False
    c.unused.add(c.rng.choice(c.pattern.returns[1:]) if c.rng.random() < 0.8 else c.pattern.returns[0])
    return True


def getitem_index(c):
    fit = [(i, a, j) for i, s in enumerate(c.pattern.steps) if isinstance(s, Writes) and len(s.outs) > 1 for j, a in enumerate(s.outs)]
    if fit:
        for i, a, j in [f for f in fit if f[0] == fit[0][0]]:
            c.item_of[(i, a)] = 2 if j == 0 else 1
        return True
    fit = [s for s in c.pattern.steps if isinstance(s, Plain) and re.fullmatch(r"\{t\}\[\d\]", s.text)]
    if not fit:
        return False
    s = c.rng.choice(fit)
    s.text = "{t}[1]" if s.text != "{t}[1]" else "{t}[0]"
    return True


def kwarg_order(c):
    if not c.functional or c.v2:
        return False
    c.kwarg_swap = True
    return True


def extra_check(c):
    x = next(iter(c.base.inputs))
    c.register = c.rng.choice([f', extra_check=lambda m: m.kwargs["{x}"].meta["val"].shape[0] > 4096', f', extra_check=lambda m: m.kwargs["{x}"].meta["val"].dtype == torch.float16',
                               f', extra_check=lambda m: m.kwargs["{x}"].op == "get_attr"', ', extra_check=lambda m: len(m.nodes) > 100'])
    return True


def extra_check_raises(c):
    c.register = c.rng.choice([', extra_check=lambda m: m.kwargs["missing"] is None', ', extra_check=lambda m: m.output_node().meta["nothing"] > 0'])
    return True


def duplicate(c):
    c.registrations = ["{register}", "{register}"]
    return True


def not_registered(c):
    c.registrations = ['if torch.__version__ < "1.0":\n    {register}']
    return True


def empty_dtype(c):
    fit = [(i, a, d) for i, s in enumerate(c.pattern.steps) if isinstance(s, Writes) for a, (_, d) in s.buffers.items()]
    if not fit:
        return False
    c.made = True
    i, a, d = c.rng.choice(fit)
    c.buffer_dtypes[(i, a)] = {FP8: I8, BF16: F32, F32: BF16, I8: FP8}[d]
    return True


def burned_shape(c):
    if not any(s.buffers for s in c.pattern.steps if isinstance(s, Writes)):
        return False
    c.made = c.literal_sizes = True
    return True


def functionalization_version(c):
    if not c.functional:
        return False
    c.pattern_v2 = not c.v2
    return True


def none_vs_tensor(c):
    for s in c.model.steps:
        if isinstance(s, Writes):
            for a, text in s.args.items():
                if text == "None":
                    c.model.inputs["mask"] = ((1,), (1,), F32)
                    s.args[a] = "{mask}"
                    return True
        elif ", None" in s.text:
            c.model.inputs["mask"] = ((256,), (256,), BF16)
            s.text = s.text.replace(", None", ", {mask}")
            return True
    return False


def input_dtype(c):
    if c.functional or ".to(torch.float32)" not in " ".join(s.text for s in c.pattern.steps) or BF16 not in [t[2] for t in c.pattern.inputs.values()]:
        return False
    c.example_dtype = F32
    return True


def dynamic(c):
    if not c.made or not c.functional:
        return False
    c.dynamic = True
    return True


def stream(key):
    def change(c):
        c.layers, c.only_last = 1, False
        names = ["auto_functionalized_v2_1", "auto_functionalized_1"] if sum(isinstance(s, Writes) for s in c.base.steps) > 1 else []
        if not names:
            return False
        c.custom_meta = {n: {key: 1} for n in names}
        return True
    return change


def mutation_region(c):
    if not c.functional or sum(isinstance(s, Writes) for s in c.base.steps) < 2:
        return False

    def edit(graph):
        import torch
        calls = [n for n in graph.nodes if "auto_functionalized" in n.name]
        params = [n for n in graph.nodes if n.op == "placeholder"]
        for last in calls[1::2]:
            with graph.inserting_before(last):
                copied = graph.call_function(torch.ops.aten.copy_.default, (params[0], params[0]))
                copied.meta["val"] = params[0].meta["val"]
    c.edit = edit
    return True


def same_input(c):
    """The pattern reads one value twice, the model reads two values."""
    inputs = [n for n, t in c.pattern.inputs.items() if n not in c.pattern.reads_only]
    fit = [(a, b) for a in inputs for b in inputs if a < b and c.pattern.inputs[a] == c.pattern.inputs[b]]
    if not fit:
        return False
    a, b = c.rng.choice(fit)
    rename_reads(c.pattern.steps, b, a)
    del c.pattern.inputs[b]
    return True


def unused_argument(c):
    c.extra_params = ["unused"]
    return True


def arity(c):
    for s in c.model.steps:
        if isinstance(s, Plain) and "all_reduce" in s.text:
            s.text = s.text.replace("{grp})", "{grp}, {mask})")
            c.model.inputs["mask"] = X_LIKE
            return True
        if isinstance(s, Plain) and "rmsnorm.default" in s.text:
            s.text = s.text.replace("{eps})", "{eps}, True)")
            return True
        if isinstance(s, Plain) and re.search(r"mean\(-1, keepdim=True\)", s.text):
            return False
    return False


X_LIKE = ((5, 256), (16, 256), BF16)


def default_dropped(c):
    """The constant equals the schema's default, and tracing drops it."""
    for s in c.pattern.steps:
        if isinstance(s, Plain) and re.search(r"rmsnorm|npu_add_rms_norm\b", s.text):
            side = c.rng.choice([c.model, c.pattern])
            side.consts = side.consts | {"eps": ("1e-06", [])}
            return True
    return False


def unsqueeze(c):
    """The model writes keepdim=True in two steps."""
    fit = [s for s in c.model.steps if isinstance(s, Plain) and "keepdim=True" in s.text]
    if not fit:
        return False
    s = c.rng.choice(fit)
    s.text = s.text.replace(", keepdim=True", "") + ".unsqueeze(-1)"
    return True


def root_absent(c):
    """The model stops before the last step."""
    if len(c.model.steps) < 2:
        return False
    last = c.model.steps[-1]
    gone = {last.out} if isinstance(last, Plain) else set(last.outs.values())
    before = [v for _, v in tensors(c)]
    kept = [r for r in c.model.returns if r not in gone]
    if not before:
        return False
    c.model.steps.pop()
    c.model.returns = kept + [before[-1]] if before[-1] not in kept else kept
    c.only_last = False
    return True


def literal_view(c):
    """A literal shape in a view of the pattern."""
    fit = [(i, v) for i, v in tensors(c) if not isinstance(c.model.steps[i], Writes) and v in ("h", "y", "x0", "n", "sg", "xf")]
    if not fit:
        return False
    i, v = c.rng.choice(fit)
    shape = c.base.inputs[next(iter(c.base.inputs))]
    if len(shape[0]) != 2 or shape[0][1] != 256:
        return False
    for fusion, text in ((c.model, "{v}.view(16, 2, 128)"), (c.pattern, "{v}.view(5, 2, 128)")):
        at = next(k for k, s in enumerate(fusion.steps) if isinstance(s, Plain) and s.out == v)
        rename_reads(fusion.steps[at + 1:], v, v + "_f")
        flat = "{vv}.flatten(1)" if fusion is c.model else "{vv}.flatten(1)"
        fusion.steps[at + 1: at + 1] = [Plain(v + "_v", text.replace("{v}", "{" + v + "}")), Plain(v + "_s", "torch.sigmoid({" + v + "_v})"), Plain(v + "_f", flat.replace("{vv}", "{" + v + "_s}"))]
    c.base = copy.deepcopy(c.model)
    return True


def nothing(c):
    return True


def missing_operand(c):
    """A step of the pattern that the model lacks."""
    fit = [k for k, s in enumerate(c.model.steps) if isinstance(s, Plain) and re.match(r"torch\.(round|sigmoid|relu|rsqrt)\(\{\w+\}\)$|F\.silu\(\{\w+\}\)$", s.text) and s.out not in c.model.returns]
    if not fit:
        return False
    s = c.model.steps.pop(c.rng.choice(fit))
    rename_reads(c.model.steps, s.out, re.findall(r"\{(\w+)\}", s.text)[0])
    return True


SOFTCAP = insert("{v} / 30.0", "torch.tanh({v})", "{v} * 30.0")
CHANGES = {
    "slice": insert("{v}[1:]", "torch.nn.functional.pad({v}, (0, 0, 1, 0))"),
    "op_between": insert("torch.sigmoid({v})"),
    "extra_op": insert("{v} * 0.5"),
    "extra_cast": insert("{v}.to(torch.float64).to({v}.dtype)"),
    "extra_permute": insert("{v}.transpose(-1, -2)", "torch.sin({v})", "{v}.transpose(-1, -2)"),
    "extra_reshape": insert("{v}.reshape(-1, 64)", "torch.abs({v})", "{v}.reshape(16, -1)"),
    "extra_clone": insert("aten.clone.default({v}, memory_format=torch.contiguous_format)"),
    "softcap": SOFTCAP,
    "extra_in_pattern": insert("torch.sigmoid({v})", into="pattern"),
    "missing_operand": missing_operand,
    "overload": replaced("overloads"),
    "op": replaced("other_ops"),
    "op_swap": replaced("other_ops"),
    "operand_order": operand_order,
    "extra_user": extra_user("torch.cos({v}.to(torch.float32))"),
    "extra_user_output": extra_user("{v}"),
    "output_missing": output_missing,
    "getitem_index": getitem_index,
    "kwarg_order": kwarg_order,
    "extra_check": extra_check,
    "extra_check_raises": extra_check_raises,
    "duplicate": duplicate,
    "not_registered": not_registered,
    "empty_dtype": empty_dtype,
    "burned_shape": burned_shape,
    "functionalization_version": functionalization_version,
    "float_constant": constant(lambda t: re.fullmatch(r"-?[\d.e-]*[.e][\d.e-]*", t)),
    "int_constant": constant(lambda t: re.fullmatch(r"-?\d+", t)),
    "bool_constant": constant(lambda t: t in ("True", "False")),
    "str_constant": constant(lambda t: t.startswith("'")),
    "none_vs_tensor": none_vs_tensor,
    "input_dtype": input_dtype,
    "dynamic": dynamic,
    "stream": stream("stream"),
    "mempool": stream("mempool"),
    "mutation_region": mutation_region,
    "same_input": same_input,
    "unused_argument": unused_argument,
    "arity": arity,
    "default_dropped": default_dropped,
    "unsqueeze": unsqueeze,
    "root_absent": root_absent,
    "literal_view": literal_view,
    "addmm": nothing,
    "sdpa": nothing,
}
# Changes that Inductor makes before a custom pass runs, so that the pattern never fires; each in a separate fusion.
BY_INDUCTOR = {"addmm": "mm_bias_gelu", "sdpa": "native_attention"}
# Changes in the pattern or at registration, where all layers are equal.
OF_ALL = {"kwarg_order", "extra_check", "extra_check_raises", "duplicate", "not_registered", "empty_dtype", "burned_shape", "functionalization_version", "input_dtype",
          "dynamic", "stream", "mempool", "mutation_region", "same_input", "unused_argument", "getitem_index", "literal_view", "extra_in_pattern"}


def make(rng, case_id):
    """The next spec, cycling through the kinds of changes; None if no drawn fusion fits."""
    number = int(case_id.rsplit("-", 1)[1])
    label = list(CHANGES)[number % len(CHANGES)]
    for attempt in range(80):
        fusion = rng.choice(CUSTOM if rng.random() < 0.55 else NATIVE)
        if fusion.name != BY_INDUCTOR.get(label, fusion.name) or (fusion.name in BY_INDUCTOR.values() and label not in BY_INDUCTOR):
            continue
        c = Case(rng, f"pert_{case_id.replace('-', '_')}_{attempt}", fusion)
        before = (copy.deepcopy(c.pattern.consts), copy.deepcopy(c.pattern.steps))
        if label in OF_ALL:
            c.only_last = False
        if not CHANGES[label](c):
            continue
        if (c.pattern.consts, c.pattern.steps) != before:
            c.only_last = False
        labels = ["exact"] * (c.layers - 1) + [label] if c.only_last else [label] * 1
        spec = {"id": case_id, "family": "perturbed", "title": f"{fusion.name}: {label}, {c.layers} layers", "perturbation": labels,
                "model_py": c.model_source(), "pattern_py": c.pattern_source(), "v2": c.v2}
        if c.dynamic:
            spec["dynamic"] = c.dynamic
        if c.custom_meta:
            spec["custom_meta"] = c.custom_meta
        if c.edit:
            spec["edit"] = c.edit
        return spec
    return None
