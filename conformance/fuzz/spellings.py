"""The steps of a cut as the Python that an engineer would write."""
import operator
import re

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from .registrations import registration

WORDS = ["x", "input", "hidden_states", "weight", "residual", "scale", "bias", "q", "k", "v", "arg0_1", "arg1_1", "a", "b", "t", "eps_t", "other", "mask"]
# {0}, {1}, …: the arguments, {rest}: all after the first; {k}: a keyword
WAYS = {
    "aten.mul.Tensor": ["{0} * {1}", "torch.mul({0}, {1})", "{0}.mul({1})", "aten.mul({0}, {1})", "torch.ops.aten.mul({0}, other={1})"],
    "aten.add.Tensor": ["{0} + {1}", "torch.add({0}, {1})", "{0}.add({1})", "aten.add({0}, {1})", "aten.add.Tensor({0}, other={1})"],
    "aten.sub.Tensor": ["{0} - {1}", "torch.sub({0}, {1})", "{0}.sub({1})"],
    "aten.div.Tensor": ["{0} / {1}", "torch.div({0}, {1})", "{0}.div({1})"],
    "aten.pow.Tensor_Scalar": ["{0} ** {1}", "torch.pow({0}, {1})", "{0}.pow({1})", "aten.pow({0}, {1})"],
    "aten.rsqrt.default": ["torch.rsqrt({0})", "{0}.rsqrt()", "aten.rsqrt({0})"],
    "aten.sqrt.default": ["torch.sqrt({0})", "{0}.sqrt()"],
    "aten.neg.default": ["-{0}", "torch.neg({0})"],
    "aten.mm.default": ["torch.mm({0}, {1})", "{0} @ {1}", "torch.matmul({0}, {1})", "{0}.mm({1})"],
    "aten.bmm.default": ["torch.bmm({0}, {1})", "{0} @ {1}", "torch.matmul({0}, {1})"],
    "aten.addmm.default": ["torch.addmm({0}, {1}, {2})", "torch.addmm(input={0}, mat1={1}, mat2={2})", "{1} @ {2} + {0}"],
    "aten.sigmoid.default": ["torch.sigmoid({0})", "{0}.sigmoid()", "F.sigmoid({0})"],
    "aten.tanh.default": ["torch.tanh({0})", "{0}.tanh()", "F.tanh({0})"],
    "aten.relu.default": ["torch.relu({0})", "F.relu({0})", "{0}.relu()"],
    "aten.exp.default": ["torch.exp({0})", "{0}.exp()"],
    "aten.abs.default": ["torch.abs({0})", "{0}.abs()"],
    "aten.erf.default": ["torch.erf({0})", "{0}.erf()"],
    "aten.log.default": ["torch.log({0})", "{0}.log()"],
    "aten.round.default": ["torch.round({0})", "{0}.round()"],
    "aten.reciprocal.default": ["torch.reciprocal({0})", "1 / {0}", "{0}.reciprocal()"],
    "aten.permute.default": ["{0}.permute({1})", "torch.permute({0}, {1})", "aten.permute({0}, {1})", "{0}.t()", "{0}.transpose(-1, -2)", "{0}.transpose(1, 2)"],
    "aten.reshape.default": ["{0}.reshape({1})", "torch.reshape({0}, {1})", "{0}.view({1})", "aten.reshape.default({0}, {1})"],
    "aten.view.default": ["{0}.view({1})", "{0}.reshape({1})", "aten.view.default({0}, {1})", "aten.reshape.default({0}, {1})"],
    "aten.expand.default": ["{0}.expand({1})", "aten.expand({0}, {1})", "torch.broadcast_to({0}, {1})"],
    "aten.unsqueeze.default": ["{0}.unsqueeze({1})", "torch.unsqueeze({0}, {1})", "aten.unsqueeze({0}, dim={1})"],
    "aten.squeeze.dim": ["{0}.squeeze({1})", "torch.squeeze({0}, {1})"],
    "aten.clone.default": ["{0}.clone()", "{0}.contiguous()", "torch.clone({0})"],
    "aten.mean.dim": ["{0}.mean({rest})", "torch.mean({0}, {rest})", "torch.mean({0}, dim={1}, keepdim=True)"],
    "aten.sum.dim_IntList": ["{0}.sum({rest})", "torch.sum({0}, {rest})", "{0}.sum(dim={1}, keepdim=True)"],
    "aten.amax.default": ["{0}.amax({rest})", "torch.amax({0}, {rest})", "{0}.amax(dim={1}, keepdim=True)"],
    "aten.cat.default": ["torch.cat({0}, {1})", "torch.cat({0}, dim={1})", "torch.concat({0}, {1})", "aten.cat({0}, {1})"],
    "aten.slice.Tensor": ["aten.slice({0}, {rest})", "torch.ops.aten.slice.Tensor({0}, {rest})"],
    "aten.select.int": ["{0}.select({1}, {2})", "torch.select({0}, {1}, {2})"],
    "aten.clamp_min.default": ["{0}.clamp_min({1})", "torch.clamp_min({0}, {1})", "{0}.clamp(min={1})"],
    "aten.clamp_max.default": ["{0}.clamp_max({1})", "{0}.clamp(max={1})"],
    "aten.clamp.default": ["torch.clamp({0}, {rest})", "{0}.clamp({rest})"],
    "aten.where.self": ["torch.where({0}, {1}, {2})", "aten.where({0}, {1}, {2})", "{1}.where({0}, {2})"],
    "aten.embedding.default": ["F.embedding({1}, {0})", "torch.embedding({0}, {1})", "aten.embedding({0}, {1})"],
    "aten.index.Tensor": ["aten.index({0}, {1})", "torch.ops.aten.index.Tensor({0}, {1})"],
    "aten.gather.default": ["torch.gather({0}, {1}, {2})", "{0}.gather({1}, {2})"],
    "aten.topk.default": ["torch.topk({0}, {rest})", "{0}.topk({rest})"],
    "aten._softmax.default": ["torch.softmax({0}, {1})", "F.softmax({0}, dim={1})"],
    "aten.full.default": ["torch.full({0}, {1})"],
    "aten.squeeze.dims": ["{0}.squeeze({1})"],
    "prims.convert_element_type.default": ["{0}.to({1})", "{0}.type({1})", "prims.convert_element_type({0}, {1})", "{0}.to(dtype={1})", "aten._to_copy({0}, dtype={1})"],
    "aten.sym_size.int": ["{0}.size({1})", "{0}.shape[{1}]"],
}


def parameter(rng, node, taken):
    name = node.name if rng.random() < 0.3 else rng.choice(WORDS)
    while name in taken or name in ("lambda", "model"):
        name += "_"
    return name


def literal(rng, value, cut=None):
    """The text of an argument."""
    if hasattr(value, "name") and hasattr(value, "val"):
        return value.name
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(literal(rng, v) for v in value) + "]"
    if isinstance(value, torch.device):
        return f"torch.device('{value}')"
    if isinstance(value, float) and repr(value) in ("inf", "-inf", "nan"):
        return f"float('{value}')"
    return repr(value)


def call_text(rng, step, schema_names):
    """One assignment's right side."""
    args = [literal(rng, a) for a in step.args]
    kwargs = [f"{k}={literal(rng, v)}" for k, v in step.kwargs.items()]
    target = str(step.target)
    if step.target is operator.getitem:
        return f"{args[0]}[{args[1]}]"
    if step.target in ("view", "to", "contiguous", "* 1"):
        return {"view": f"{args[0]}.view({args[0]}.shape)", "to": f"{args[0]}.to({args[0]}.dtype)", "contiguous": f"{args[0]}.contiguous()", "* 1": f"{args[0]} * 1"}[step.target]
    if not isinstance(step.target, torch._ops.OpOverload):
        name = getattr(step.target, "__name__", "")
        return f"{'operator' if getattr(operator, name, None) is step.target else 'torch.ops.higher_order' if 'higher' in type(step.target).__module__ else 'torch'}.{name}({', '.join(args + kwargs)})"
    ways = WAYS.get(target, [])
    if ways and rng.random() < 0.75 and (not kwargs or "{rest}" in ways[0]):
        way = rng.choice(ways)
        most = max([int(n) for n in re.findall(r"\{(\d)\}", way)], default=0)
        if most < len(args):
            return way.format(*args, rest=", ".join(args[1:] + kwargs))
    if args and rng.random() < 0.15 and schema_names:  # the last positional as a keyword
        at = rng.randrange(1, len(args) + 1)
        kwargs = [f"{n}={a}" for n, a in zip(schema_names[at:], args[at:])] + kwargs
        args = args[:at]
    name = target if rng.random() < 0.7 and target.split(".")[0] in ("aten", "prims") else f"torch.ops.{target}"
    if rng.random() < 0.15:
        name = name.rsplit(".", 1)[0]
    return f"{name}({', '.join(args + kwargs)})"


def written(rng, cut, case_id, labels):
    lines = []
    for s in cut.steps:
        names = [a.name for a in s.target._schema.arguments] if isinstance(s.target, torch._ops.OpOverload) else []
        lines.append(f"{s.name} = {call_text(rng, s, names)}")
    text = "\n".join(lines)
    params = {n: v for n, v in cut.params.items() if re.search(rf"\b{n}\b", text)}
    sizes_as_inputs(rng, lines, params)
    if rng.random() < 0.25:
        inline(rng, lines)
    result = ", ".join(cut.outs)
    if rng.random() < 0.05:
        result = f"[{result}]"
    examples = example_texts(rng, params, lines, cut.outs)
    return registration(rng, case_id, labels, "", list(params), [*lines, f"return {result}"], examples)


def sizes_as_inputs(rng, lines, params):
    """Sizes in lists that are those of an input, written as x.shape[i]."""
    if rng.random() < 0.5 or not params:
        return
    for i, line in enumerate(lines):
        for n, v in params.items():
            for d, size in enumerate(v.shape):
                if isinstance(size, int) and size > 2 and rng.random() < 0.4:
                    lines[i] = re.sub(rf"(?<=[\[ ]){size}(?=[,\]])(?=[^(]*\])", f"{n}.shape[{d}]", lines[i], count=1) if "view" in line or "reshape" in line or "expand" in line else lines[i]


def inline(rng, lines):
    """Values that one line uses are written into that line."""
    i = 0
    while i < len(lines) - 1:
        name, value = lines[i].split(" = ", 1)
        uses = [j for j in range(i + 1, len(lines)) if re.search(rf"\b{re.escape(name)}\b", lines[j])]
        if len(uses) == 1 and len(re.findall(rf"\b{re.escape(name)}\b", lines[uses[0]])) == 1 and rng.random() < 0.6 and len(value) < 120:
            simple = re.fullmatch(r"[\w.]+\([^()]*\)", value)
            lines[uses[0]] = re.sub(rf"\b{re.escape(name)}\b", lambda _: value if simple else f"({value})", lines[uses[0]])
            lines.pop(i)
        else:
            i += 1


def example_texts(rng, params, lines, outs):
    """Examples of the inputs; of another number of tokens where the function still runs on them."""
    shapes = {n: [int(s) if isinstance(s, int) else rng.choice([4, 7]) for s in v.shape] for n, v in params.items()}
    if rng.random() < 0.5:
        leads = {s[0] for s in shapes.values() if s}
        if leads:
            old, new = rng.choice(sorted(leads)), rng.choice([2, 5, 7, 9])
            shapes = {n: [new if i == 0 and x == old else x for i, x in enumerate(s)] for n, s in shapes.items()}
    how = rng.choice(["empty", "ones", "empty", "zeros"])
    symbol = any(not isinstance(s, int) for v in params.values() for s in v.shape)
    if symbol:
        shapes = {n: [int(s) if isinstance(s, int) else 5 for s in v.shape] for n, v in params.items()}
    texts = []
    for n, v in params.items():
        contiguous = v.is_contiguous() if not symbol else True
        dims = ", ".join(map(str, shapes[n]))
        if not contiguous and rng.random() < 0.5 and len(shapes[n]) == len(v.shape):
            texts.append(f"torch.empty_strided(({dims},), {tuple(v.stride())}, dtype={v.dtype})")
        else:
            texts.append(f"torch.{how}({'()' if not dims else dims}, dtype={v.dtype})")
    return texts
