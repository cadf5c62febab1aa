"""Lines for record_python_calls.py: a few torch calls on inputs of every dtype, layout and kind of size.

    chroot DIR python3 /home/conformance/fuzz/calls.py SEED COUNT > LINES

The quick way to compare tracing: a line needs no model and no match, so that a thousand take seconds to record.
"""
import math
import operator
import random
import re
import sys
import warnings
from pathlib import Path

import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).parent.parent))
from fuzz import ops  # noqa: E402

warnings.filterwarnings("ignore")
SCOPE = {"torch": torch, "F": F, "math": math, "operator": operator, "aten": torch.ops.aten, "prims": torch.ops.prims}
SHORT = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "f16": torch.float16, "i64": torch.int64,
         "i32": torch.int32, "i8": torch.int8, "u8": torch.uint8, "b8": torch.bool, "f8e4m3fn": torch.float8_e4m3fn}
DTYPES = ["f32"] * 8 + ["bf16"] * 5 + ["f16"] * 2 + ["f64", "i64", "i64", "i32", "i8", "u8", "b8", "b8", "f8e4m3fn"]
SHAPES = ["4,8"] * 8 + ["8", "8,8", "4,4", "4,1", "1,8", "1", "", "2,4,8", "2,4,8", "1,4,8", "2,1,8", "2,2,4,8", "2,2,4,4", "0,8", "4,6", "3,5", "1,1"]
DYNAMIC = ["N,8", "N,8", "N,8", "2,N,8", "N", "N,M", "N,1", "1,N,8", "M,8", "2,2,N,8", "4,N"]
SIZES = {"N": 16, "M": 24}


def tensor_text(rng, shape, dtype):
    dims = shape.split(",") if shape else []
    text = f"{dtype}[{shape}]"
    if len(dims) < 2 or rng.random() > 0.25:
        return text
    kind = rng.choice(["transposed", "padded", "permuted", "expanded"])
    order = list(range(len(dims)))
    if kind == "transposed":
        order[-1], order[-2] = order[-2], order[-1]
    elif kind == "permuted":
        rng.shuffle(order)
    strides, step = {}, "1"
    for i in reversed(order):
        strides[i] = "0" if kind == "expanded" and i == 0 else step
        step = times(step, dims[i])
        if kind == "padded" and i == order[-1]:
            step = times(step, "2")
    return text + "(" + ",".join(strides[i] for i in range(len(dims))) + ")"


def times(a, b):
    if a.isdigit() and b.isdigit():
        return str(int(a) * max(int(b), 1))
    return a if b == "1" else b if a == "1" else f"{a}*{b}"


def example(text):
    m = re.fullmatch(r"(\w+)\[([^\]]*)\](?:\(([^)]*)\))?", text)
    dims = lambda s: [eval(x, SIZES.copy()) for x in s.split(",") if x]
    t = (torch.rand(dims(m[2])) * 3).to(SHORT[m[1]])
    if m[3] is None:
        return t
    out = torch.empty_strided(dims(m[2]), dims(m[3]), dtype=t.dtype)
    return out if 0 in dims(m[3]) else out.copy_(t)


GROUPS = [(g, len(g) ** 0.5) for g, _ in ops.GROUPS]


def line(rng, dynamic):
    dtype = rng.choice(DTYPES)
    base = rng.choice(DYNAMIC if dynamic else SHAPES)
    inputs, env = [], {}
    for i in range(rng.choice([1, 1, 2, 2, 3])):
        last = base.split(",")[-1]
        shape = base if i == 0 or rng.random() < 0.5 else rng.choice([last, f"{last},{last}" if last else "", rng.choice(SHAPES), f"6,{last}" if last else "1"])
        text = tensor_text(rng, shape, dtype if i == 0 or rng.random() < 0.7 else rng.choice(DTYPES))
        inputs.append(text)
        env[chr(97 + i)] = example(text)
    body, order, used = [], list(env), set()
    for i in range(rng.choice([1, 1, 1, 2, 3])):
        for _ in range(30):
            group = rng.choices([g for g, _ in GROUPS], [w for _, w in GROUPS])[0]
            template = rng.choice(group)
            slots = {}
            for slot in set(re.findall(r"\{([abcwm])\}", template)):
                fit = [n for n in order if slot in "abc" or isinstance(env[n], torch.Tensor) and env[n].dim() == (1 if slot == "w" else 2)]
                if not fit:
                    break
                slots[slot] = order[-1] if slot == "a" and rng.random() < 0.7 else rng.choice(fit)
            else:
                consts = {"k": rng.choice(ops.FLOATS), "n": rng.choice(ops.INTS), "d": rng.choice(ops.DIMS), "t": rng.choice(ops.DTYPES)}
                text = template.format(**slots, **consts)
                try:
                    value = eval(text, SCOPE, env)
                except Exception:
                    if rng.random() > 0.05:
                        continue
                    used |= set(slots.values())
                    return finish(inputs, body, text)
                if not isinstance(value, torch.Tensor) or value.numel() > 4096:
                    continue
                name = f"h{i}"
                env[name] = value
                order.append(name)
                used |= set(slots.values())
                body.append(f"{name} = {text}")
                break
    if not body:
        return None
    outputs = [b.split(" = ")[0] for b in body if b.split(" = ")[0] not in used]
    return finish(inputs, body, ", ".join(outputs) if len(outputs) > 1 else outputs[0])


def finish(inputs, body, result):
    return " ".join(inputs) + " | " + " ;; ".join([*body, result])


if __name__ == "__main__":
    seed, count = sys.argv[1:3]
    made = 0
    i = 0
    while made < int(count):
        rng = random.Random(f"calls-{seed}-{i}")
        torch.manual_seed(0)
        i += 1
        text = line(rng, rng.random() < 0.15)
        if text:
            print(text)
            made += 1
