"""Patterns with a single call, and models that make the same call; tests the trace of each call."""
from . import ops, traced


def make(rng, case_id):
    """The next spec; None if the call accepts none of the drawn values."""
    number = int(case_id.rsplit("-", 1)[1])
    template = ops.RARER[number % len(ops.RARER)]
    for _ in range(30):
        pattern = traced.Pattern(rng, names=["x", "y", "w", "z"][: rng.choice([1, 2, 3])], most_steps=1)
        env = {n: traced.example(t) for n, t in pattern.inputs.items()}
        if step := traced.make_step(rng, "h0", env, list(env), [([template], 1)]):
            break
    else:
        return None
    names = ", ".join(pattern.inputs)
    body = f"    h0 = {step.text()}\n    return h0"
    source = traced.HEAD + f"\n\ndef model({names}):\n{body}\n\n\ndef example_args():\n    return ({', '.join(map(traced.tensor_text, pattern.inputs.values()))},)\n"
    used = [n for n in pattern.inputs if n in step.slots.values()]
    text = traced.HEAD + f"from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement\n\n\ndef pattern({', '.join(used)}):\n{body}\n\n\ndef replacement({', '.join(used)}):\n{body} * 2\n\n\npatterns = PatternMatcherPass()\n"
    text += f"register_replacement(pattern, replacement, [{', '.join(traced.tensor_text(pattern.inputs[n]) for n in used)}], fwd_only, patterns)\n"
    return {"id": case_id, "family": "fuzz_single", "perturbation": [template], "model_py": source, "pattern_py": text}
