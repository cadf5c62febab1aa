"""Random functions under torch.vmap: batches at random dimensions, elementwise operators, reductions and views."""

IMPORTS = "import torch\n"
PATTERN = """import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()


def pattern({names}):
    return {call} + 1


register_replacement(pattern, lambda {names}: x.abs(), [{inputs}], fwd_only, patterns)
"""
UNARY = "sin exp sigmoid relu abs neg rsqrt tanh sqrt log".split()


def make(rng, case_id):
    count = rng.choice([1, 2, 2])
    ranks = [rng.choice([0, 1, 2, 2, 3]) for _ in range(count)]
    batch, base = rng.choice([2, 3, 5]), [rng.choice([2, 3, 4, 6]) for _ in range(3)]
    dims, shapes = [], []
    for rank in ranks:
        shape = list(base[3 - rank:])
        dim = rng.choice([0, 0, 0, rng.randrange(rank + 1), -1])
        if any(d is not None for d in dims) and rng.random() < 0.15:
            dim = None
        else:
            shape.insert(dim if dim >= 0 else rank, batch)
        dims.append(dim)
        shapes.append(shape)
    inner = ["s", "t"][:count]
    text, rank = _expression(rng, inner, ranks, rng.choice([1, 2, 2, 3]))
    if text in inner:
        return None
    out = rng.choice([0, 0, 0, 0, rng.randrange(rank + 1)])
    names = ", ".join(["x", "y"][:count])
    call = f"torch.vmap(lambda {', '.join(inner)}: {text}, in_dims={tuple(dims)!r}, out_dims={out})({names})"
    arguments = ", ".join(f"torch.rand({s})" for s in shapes)
    inputs = ", ".join(f"torch.empty({s})" for s in shapes)
    return {
        "id": case_id, "family": "vmap", "where": "fwd_only",
        "model_py": f"{IMPORTS}\n\ndef model({names}):\n    return {call} + 1\n\n\ndef example_args():\n    return ({arguments},)\n",
        "pattern_py": PATTERN.format(names=names, call=call, inputs=inputs),
    }


def _expression(rng, names, ranks, depth):
    """A random function of the arguments, and the rank of its result."""
    if depth == 0:
        i = rng.randrange(len(names))
        return names[i], ranks[i]
    x, rank = _expression(rng, names, ranks, depth - 1)
    kind = rng.random()
    if kind < 0.2:
        return f"{x}.{rng.choice(UNARY)}()", rank
    if kind < 0.45:
        y, other = _expression(rng, names, ranks, depth - 1)
        return f"({x} {rng.choice('+-*/')} {y})", max(rank, other)
    if kind < 0.55:
        return f"({x} {rng.choice('+-*/')} {rng.choice(['2', '0.5', '3'])})", rank
    if kind < 0.65 and rank > 0:
        keep = rng.random() < 0.5
        reduced = f"{x}.{rng.choice(['sum', 'mean', 'amax'])}({rng.choice([0, -1, rank - 1])}, keepdim={keep})"
        return reduced, rank if keep else rank - 1
    if kind < 0.7 and rank > 0:
        return f"torch.softmax({x}, {rng.choice([0, -1])})", rank
    if kind < 0.76:
        return f"{x}.unsqueeze({rng.randrange(rank + 1)})", rank + 1
    if kind < 0.82 and rank > 1:
        return f"{x}.transpose(0, {rank - 1})", rank
    if kind < 0.86 and rank > 0:
        return f"{x}[0]", rank - 1
    if kind < 0.9 and rank > 0:
        return f"{x}.chunk(2, -1)[1]", rank
    if kind < 0.93 and rank > 0:
        return f"{x}.flatten()", 1
    if kind < 0.96:
        return f"{x}.to(torch.bfloat16)", rank
    return f"torch.where({x} > 0, {x}, {x} * 2)", rank
