"""Models of blocks.py's blocks, and patterns that engineers write for them.

A pattern is a search function in the same or in another way of writing, or is cut out of the captured graph (cuts.py);
most are then changed a little. Several cases share one model.
"""
import math
import re
import warnings

import torch
import torch.nn.functional as F

from record import capture_spec

from . import cuts, rewrites
from .blocks import BLOCKS
from .captured import copied

warnings.filterwarnings("ignore")
HEAD = "import math\n\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\naten = torch.ops.aten\n"
SCOPE = {"torch": torch, "nn": torch.nn, "F": F, "math": math}
DTYPES = {"f32": "torch.float32", "bf16": "torch.bfloat16", "f16": "torch.float16", "i8": "torch.int8", "b8": "torch.bool", "f64": "torch.float64"}


class Sizes:
    """What the letters of a shape stand for in one model or in one pattern's examples."""

    def __init__(self, rank, lead, hidden):
        self.rank, self.lead, self.hidden = rank, lead, hidden
        letters = {"H": hidden, "I": 2 * hidden, "P": 4 * hidden, "D": hidden // 2, "V": 12}
        if rank == 5:
            letters["C"] = lead[1]
        if rank in (3, 4):
            letters |= {"B": lead[0], "S": lead[-1]}
        self.letters = letters

    def shape(self, text):
        sizes = []
        for part in text.split(","):
            if part == "X":
                sizes += [*self.lead, self.hidden]
            elif part == "T":
                sizes += self.lead
            else:
                sizes.append(self.letters[part] if part in self.letters else int(part))
        return tuple(sizes)

    def fill(self, line, consts):
        return re.sub(r"\$([A-Za-z]\w*)", lambda m: str(self.letters[m[1]]) if m[1] in self.letters else consts[m[1]], line)


def sizes_of(rng, rank, hidden=None):
    hidden = hidden or rng.choice([8, 16, 16])
    lead = {2: (rng.choice([3, 4, 5, 6, 16]),), 3: (2, rng.choice([3, 5, 6])), 4: (2, 2, rng.choice([3, 5, 6])), 5: (2, 4, 8)}[rank]
    return Sizes(rank, lead, 8 if rank == 5 else hidden)


class Tensor:
    """An argument: its shape in letters, its dtype, and the values its integers may have."""

    def __init__(self, shape, kind, dtype):
        self.shape, self.kind = shape, kind
        self.dtype = "torch.int64" if kind and (kind.startswith("ids") or kind == "slots") else DTYPES.get(kind, dtype)

    def is_weight(self):
        return not re.search("[XTBS]", self.shape)

    def text(self, sizes, how="rand"):
        shape = ", ".join(map(str, sizes.shape(self.shape)))
        if how == "rand" and self.kind and self.kind.startswith("ids"):
            return f"torch.randint(0, {sizes.letters.get(self.kind[3:], 0) or int(self.kind[3:])}, ({shape},))"
        if how == "rand" and self.kind == "slots":
            return f"torch.arange({shape})"
        if how == "rand" and self.dtype == "torch.bool":
            return f"torch.rand({shape}) > 0.3"
        if how == "rand" and self.dtype == "torch.int8":
            return f"torch.randint(-8, 8, ({shape},), dtype=torch.int8)"
        return f"torch.{how}({shape}, dtype={self.dtype})" if self.dtype not in ("torch.int64", "torch.int8", "torch.bool") or how != "rand" else f"torch.ones({shape}, dtype={self.dtype})"


def tensors(block, dtype):
    return {a: Tensor(shape, kind, dtype) for a, (shape, kind) in block.args.items()}


def function(name, args, body):
    return f"def {name}({', '.join(args)}):\n" + "".join(f"    {line}\n" for line in body)


def split_layer(body):
    """(the layer of torch.nn that a way begins with, the rest)."""
    return (body[0].removeprefix("@m = "), body[1:]) if body[0].startswith("@m") else (None, body)


class Use:
    """One block of a model: its way, its constants, its tensors."""

    def __init__(self, rng, block, sizes, dtype):
        self.block = block
        self.way = rng.randrange(len(block.ways))
        self.consts = {k: rng.choice(v) for k, v in block.consts.items()}
        self.tensors = tensors(block, dtype)
        self.layer, self.body = split_layer([sizes.fill(line, self.consts) for line in block.ways[self.way]])
        self.results = 1

    def function(self, name, taps=True):
        return function(name, [*self.tensors, *(["taps"] if taps else [])], self.body)

    def run(self, name, sizes, x):
        """The results as a tuple, for real tensors."""
        scope = dict(SCOPE)
        exec((f"m = {self.layer}.eval()\n" if self.layer else "") + self.function(name), scope)
        if self.layer:
            scope["m"].to(x.dtype)
        args = [x] + [eval(t.text(sizes), scope) for t in list(self.tensors.values())[1:]]
        with torch.no_grad():
            out = scope[name](*args, [])
        self.results = len(out) if isinstance(out, tuple) else 1
        return out if isinstance(out, tuple) else (out,)


class Model:
    """A chain of blocks, as modules or as functions."""

    def __init__(self, rng, rank, functional):
        self.rng, self.functional = rng, functional
        self.sizes = sizes_of(rng, rank)
        self.dtype = rng.choice(["torch.float32"] * 3 + ["torch.bfloat16"] * 2 + ["torch.float16"])
        self.uses, self.taps, self.residual = [], 0, rng.random() < 0.3
        x = torch.rand(self.sizes.shape("X"), dtype=eval(self.dtype))
        blocks = [b for b in BLOCKS if b.fits(rank)]
        again = rng.random() < 0.4
        for i in range(rng.choice([1, 1, 2, 2, 3, 4])):
            for _ in range(12):
                block = rng.choice([u.block for u in self.uses] if again and self.uses and rng.random() < 0.5 else blocks)
                use = Use(rng, block, self.sizes, self.dtype)
                if use.layer and functional:
                    continue
                if rng.random() < 0.2:
                    use.body = rewrites.changed(rng, use.body)
                if rng.random() < 0.2:
                    self.tap(use)
                try:
                    out = use.run(f"block{i}", self.sizes, x)
                except Exception:
                    continue
                if block.ends or out[0].shape == x.shape and out[0].dtype.is_floating_point:
                    self.uses.append(use)
                    x = x if block.ends else out[0]
                    break
            if self.uses and self.uses[-1].block.ends and rng.random() < 0.7:
                break

    def tap(self, use):
        """A value inside the block that is also used elsewhere."""
        made = [(i, m[1]) for i, line in enumerate(use.body) if (m := re.match(r"(\w+) = ", line))]
        if made:
            i, name = self.rng.choice(made)
            use.body.insert(i + 1, f"taps.append({self.rng.choice([name, f'torch.abs({name})', f'{name} * 2'])})")

    def source(self):
        parts, calls, params, made = [], [], {}, []
        for i, use in enumerate(self.uses):
            rest = list(use.tensors.items())[1:]
            weights = [] if self.functional else [(n, t) for n, t in rest if t.is_weight()]
            if weights or use.layer:
                body = ["super().__init__()"] + [f"self.{n} = nn.{'Parameter' if t.kind in (None, 'f32') else 'Buffer'}({t.text(self.sizes)})" for n, t in weights]
                body += [f"self.m = {use.layer}.to({self.dtype})"] if use.layer else []
                others = [n for n, t in rest if not t.is_weight()]
                held = [n for n, _ in weights] + (["m"] if use.layer else [])
                forward = [f"{', '.join(held)} = {', '.join(f'self.{n}' for n in held)}", *use.body]
                names = ["self", next(iter(use.tensors)), *others, "taps"]
                parts.append(f"class Block{i}(nn.Module):\n" + re.sub("(?m)^", "    ", function("__init__", ["self"], body) + "\n" + function("forward", names, forward)).rstrip() + "\n")
                made.append(f"self.block{i} = Block{i}()")
            else:
                parts.append(use.function(f"block{i}"))
                others = [n for n, _ in rest]
            given = []
            for n, t in rest:
                if n in others:
                    params[f"{n}{i}"] = t
                    given.append(f"{n}{i}")
            self_ = "self." if weights or use.layer else ""
            results = ["y"] if use.results == 1 else ["y"] + [f"y{i}_{j}" for j in range(1, use.results)]
            calls.append(f"{', '.join(results)} = {self_}block{i}({', '.join(['x', *given, 'taps'])})")
            keep = [r for r in results[1:]] + (["y"] if use.block.ends else [])
            calls += [f"out.append({r})" for r in keep]
            if not use.block.ends:
                calls.append("x = x + y" if self.residual and use.results == 1 else "x = y")
        calls.append("return (*out, *taps) if out else (x, *taps)" if self.uses[-1].block.ends else "return (x, *out, *taps)")
        body = ["taps, out = [], []", *calls]
        first = Tensor("X", None, self.dtype)
        text = HEAD + "\n\n" + "\n\n".join(parts) + "\n\n"
        if self.functional or not made:
            text += function("model", ["x", *params], body)
        else:
            text += "class Model(nn.Module):\n" + re.sub("(?m)^", "    ", function("__init__", ["self"], ["super().__init__()", *made]) + "\n" + function("forward", ["self", "x", *params], body)).rstrip() + "\n\n\nmodel = Model().eval()\n"
        self.params = {"x": first, **params}
        return text + f"\n\ndef example_args():\n    return ({', '.join(t.text(self.sizes) for t in self.params.values())},)\n"

    def marked(self):
        """[argument, dimension] of every argument whose leading (with heads: last leading) size is the tokens'."""
        at = {2: 0, 3: 1, 4: 2, 5: 0}[self.sizes.rank]
        return [[i, at] for i, t in enumerate(self.params.values()) if re.match("[XT]", t.shape)]


def make(rng, case_id):
    """Several cases on one model; [] where none can be made."""
    rank = rng.choice([2, 2, 2, 3, 3, 4, 5])
    functional = rng.random() < 0.4
    model = Model(rng, rank, functional)
    if not model.uses:
        return []
    base = {"family": "fuzz_engineers", "model_py": model.source()}
    if functional and rng.random() < 0.75:
        base["where"] = "fwd_only"
    elif rank != 5 and rng.random() < 0.2:
        base["dynamic"] = model.marked()
    gm = capture_spec({"id": case_id, **base})
    cases = []
    for letter in "abcd":
        spec = {"id": f"{case_id}{letter}", **base}
        for _ in range(8):
            written = cuts.cut(rng, gm, spec["id"]) if rng.random() < 0.5 else search_function(rng, model, spec["id"])
            if written:
                labels, text = written
                cases.append(spec | {"captured": copied(gm), "perturbation": labels, "pattern_py": text})
                break
    return cases


def search_function(rng, model, case_id):
    """A pattern for one block of the model, or for two in a row."""
    from .registrations import registration

    at = rng.randrange(len(model.uses))
    uses = model.uses[at : at + (2 if rng.random() < 0.35 else 1)]
    hidden = model.sizes.hidden if rng.random() < 0.85 else None
    sizes = sizes_of(rng, model.sizes.rank, hidden)
    dtype = model.dtype if rng.random() < 0.85 else rng.choice(list(DTYPES.values())[:3])
    labels, helpers, params, lines = [], [], {}, []
    value = "x"
    extra = []
    x = torch.rand(sizes.shape("X"), dtype=eval(dtype))
    for i, use in enumerate(uses):
        mine = Use(rng, use.block, sizes, dtype)
        if rng.random() < 0.7:
            mine.way, mine.consts = use.way, {**use.consts} if rng.random() < 0.85 else mine.consts
            mine.layer, mine.body = split_layer([sizes.fill(line, mine.consts) for line in use.block.ways[use.way]])
        else:
            labels.append("way")
        if mine.layer:
            return None
        if rng.random() < 0.6:
            mine.body = rewrites.changed(rng, mine.body, labels)
        rest = list(mine.tensors.items())[1:]
        try:
            out = mine.run("f", sizes, x)
        except Exception:
            return None
        for n, t in rest:
            params[n if len(uses) == 1 else f"{n}{i}"] = t
        if len(uses) == 1:
            body = rewrites.shortened(rng, mine.body, labels)
            text = "\n".join(body)
            params = {"x": Tensor("X", None, dtype)} | params
            params = {n: t for n, t in params.items() if re.search(rf"\b{n}\b", text)}
            return registration(rng, case_id, labels, "", list(params), body, examples(rng, params, sizes))
        helpers.append(mine.function(f"_{use.block.name}{i}", taps=False))
        results = [f"y{i}"] + [f"y{i}_{j}" for j in range(1, mine.results)]
        lines.append(f"{', '.join(results)} = _{use.block.name}{i}({', '.join([value, *(f'{n}{i}' for n, _ in rest)])})")
        if i + 1 < len(uses) and use.block.ends:
            return None
        extra += results[1:]
        value, x = f"y{i}", out[0]
    body = [*lines, f"return {', '.join([value, *extra])}"]
    return registration(rng, case_id, labels, "\n\n".join(helpers) + "\n\n", ["x", *params], body, examples(rng, {"x": Tensor("X", None, dtype)} | params, sizes))


def examples(rng, params, sizes):
    how = rng.choice(["empty", "empty", "ones", "rand", "randn"])
    return [t.text(sizes, how if how != "randn" or t.dtype.startswith(("torch.float", "torch.bf")) else "ones") for t in params.values()]
