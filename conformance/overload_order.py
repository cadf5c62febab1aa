"""Prints the overloads of each operator in the order PyTorch tries them, for scripts/make-schemas.mjs.

Runs in a real PyTorch: python3 overload_order.py schemas.txt > order.txt
"""
import sys

import torch
import torch._inductor.pattern_matcher  # registers Inductor's own operators
import torch.distributed._functional_collectives  # noqa: F401

packets = dict.fromkeys(line.split("(")[0].split(".")[0] for line in open(sys.argv[1]) if "::" in line)
for name in packets:
    ns, _, op = name.partition("::")
    try:
        print(name, *getattr(getattr(torch.ops, ns), op).overloads())
    except (AttributeError, RuntimeError):
        pass  # TorchScript's own; no packet
