"""Patterns with a single call on non-contiguous inputs, with the strides of the result as constants of the graph."""
from . import traced

LAYOUTS = ["{a}.t()", "{a}.transpose(0, 1)", "{a}.transpose(-1, -2)", "{a}[..., ::2]", "{a}[:, 1:]", "{a}[:1].expand({a}.shape)",
           "{a}.permute(2, 0, 1)", "{a}.unsqueeze(1).expand(-1, 2, -1)", "{a}.permute(0, 2, 1, 3)", "{a}.flip(0)", "{a}[0].t()", "{a}.mT"]
PATTERNS = 5


def make(rng, case_id):
    """The next spec, with several patterns in separate passes."""
    traced.make_step.dynamic = False
    bodies = []
    for _ in range(40):
        p = traced.Pattern(rng, names=["x", "y", "w", "z"][: rng.choice([1, 2, 3])], most_steps=1)
        env = {n: traced.example(t) for n, t in p.inputs.items()}
        order, steps = list(env), []
        for i in range(rng.choice([1, 1, 2])):
            if step := traced.make_step(rng, f"v{i}", env, order, [(LAYOUTS, 1)]):
                steps.append(step)
                order.append(step.name)
        if not (steps and (step := traced.make_step(rng, "h", env, order))):
            continue
        used = [n for n in p.inputs if any(n in s.slots.values() for s in [*steps, step])]
        lines = [f"    {s.name} = {s.text()}" for s in [*steps, step]]
        lines.append("    return torch.empty_strided(h.shape, h.stride(), dtype=h.dtype), h")
        bodies.append((used, lines, [traced.tensor_text(p.inputs[n]) for n in used]))
        if len(bodies) == PATTERNS:
            break
    functions, registrations, calls, passes = [], [], [], []
    for i, (used, lines, examples) in enumerate(bodies):
        functions.append(f"def pattern{i}({', '.join(used)}):\n" + "\n".join(lines) + "\n\n\n")
        passes.append(f"passes{i} = PatternMatcherPass()\n")
        registrations.append(f"register_replacement(pattern{i}, lambda {', '.join(used)}: ({used[0]}.sin(), {used[0]}.cos()), [{', '.join(examples)}], fwd_only, passes{i})\n")
        calls.append((f"*pattern{i}({', '.join(f'{n}{i}' for n in used)})", [f"{n}{i}" for n in used], examples))
    written = traced.helpers.used_by("".join(functions)) + "".join(functions)
    model = f"def model({', '.join(n for _, names, _ in calls for n in names)}):\n    return ({', '.join(c for c, _, _ in calls)},)\n\n\n"
    model += f"def example_args():\n    return ({', '.join(e for _, _, es in calls for e in es)},)\n"
    imports = "from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement\n"
    return {"id": case_id, "family": "fuzz_strided", "perturbation": [], "where": "fwd_only", "model_py": traced.HEAD + "\n\n" + written + model,
            "pattern_py": traced.HEAD + imports + "\n\n" + written + "".join(passes) + "".join(registrations)}
