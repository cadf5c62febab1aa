"""Generates random matcher cases from a seed and records PyTorch's results on them.

    cp -r conformance DIR/home/; chroot DIR python3 /home/conformance/generate.py FAMILY SEED COUNT > fuzz.jsonl

FAMILY is a module of fuzz/ that has a `make`: engineers, traced, retraced, strided, written, joint, single, structural, vmap,
custom_op, native.
The same seed makes the same cases; COUNT is of models, of which engineers, structural and native make several cases each. DIR holds
a PyTorch 2.14.1. Then `npx tsx conformance/run.ts fuzz.jsonl` lists the differences from Fusescope.
"""
import importlib
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import torch  # noqa: E402

from record import record_all  # noqa: E402


def specs(family, seed, count):
    make = importlib.import_module(f"fuzz.{family}").make
    for i in range(count):
        rng = random.Random(f"{family}-{seed}-{i}")
        torch.manual_seed(0)
        case_id = f"fuzz-{family}-{seed}-{i:04d}"
        try:
            made = make(rng, case_id)
        except Exception as e:  # the model cannot be compiled
            print(f"{case_id}: not made, {type(e).__name__}: {e}"[:300], file=sys.stderr)
            continue
        yield from made if isinstance(made, list) else [made] if made else []


if __name__ == "__main__":
    record_all(specs(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), sys.stdout)
