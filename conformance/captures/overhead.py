"""Measures what `fusescope.record()` costs, with its copies of graphs for assert_numbers: CPU time inside the recorder as a share of
a compilation's CPU time, or, with PAIRS, blocks with and without it in turns in one process: the median of the ratios of their CPU
times, with quartiles. A block with it also reads the recording at its end.

    PYTHONPATH=python:public/capture python3 conformance/captures/overhead.py [LAYERS] [REPEATS]
    PYTHONPATH=python:public/capture python3 conformance/captures/overhead.py LAYERS 1 PAIRS

Compiles a transformer with a custom post-grad pass whose pattern fires once per layer, up to Inductor's generated code (no
C++ compiler runs, so a real compilation takes longer and the share is smaller).
"""

import contextlib
import functools
import gc
import os
import statistics
import sys
import tempfile
import time

os.environ["FUSESCOPE_OUT"] = os.path.join(tempfile.mkdtemp(), "overhead.fusescope")

import fusescope
import fusescope_capture as capture
import torch
from fusescope import recording
from torch._inductor import config
from torch._inductor.graph import GraphLowering
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

given = [int(a) for a in sys.argv[1:]]
layers, repeats, pairs = (*given, *(12, 3, 0)[len(given) :])
inside = 0.0
depth = 0


def timed(fn):
    @functools.wraps(fn)
    def call(*args, **kwargs):
        global inside, depth
        depth += 1
        started = time.thread_time()
        try:
            return fn(*args, **kwargs)
        finally:
            depth -= 1
            if depth == 0:
                inside += time.thread_time() - started

    return call


capture._started = timed(capture._started)
capture._note_trace = timed(capture._note_trace)
recording._copied = timed(recording._copied)
for name in ("attempt", "applying", "applied", "end"):
    setattr(capture._Application, name, timed(getattr(capture._Application, name)))

patterns = PatternMatcherPass(pass_name="linear_silu")


def search(x, w, b):
    return torch.nn.functional.relu(torch.addmm(b, x, w))


def replace(x, w, b):
    return torch.nn.functional.silu(torch.addmm(b, x, w))


example = [torch.empty(4, 8), torch.empty(8, 16), torch.empty(16)]
register_replacement(search, replace, example, fwd_only, patterns)


class Apply:
    def __call__(self, graph):
        self.nodes = len(graph.nodes)
        self.count = patterns.apply(graph)

    def uuid(self):
        return None


class Block(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n1, self.n2 = torch.nn.LayerNorm(d), torch.nn.LayerNorm(d)
        self.qkv, self.o = torch.nn.Linear(d, 3 * d), torch.nn.Linear(d, d)
        self.up, self.down = torch.nn.Linear(d, 4 * d), torch.nn.Linear(4 * d, d)

    def forward(self, x):
        q, k, v = self.qkv(self.n1(x)).chunk(3, -1)
        x = x + self.o(torch.softmax(q @ k.transpose(-1, -2), -1) @ v)
        return x + self.down(torch.relu(self.up(self.n2(x))))


class Compiled(Exception):
    pass


def stop(self):
    self.codegen()
    raise Compiled


GraphLowering.compile_to_module = stop
config.post_grad_custom_post_pass = apply = Apply()
config.fx_graph_cache = False
model = torch.nn.Sequential(*[Block(64) for _ in range(layers)]).eval()
x = torch.randn(32, 64)


def compiled(out=None):
    """CPU seconds of a compilation, recorded to a file."""
    torch._dynamo.reset()
    gc.collect()
    started = time.thread_time()
    with fusescope.record(out) if out else contextlib.nullcontext():
        try:
            with torch.no_grad():
                torch.compile(model)(x)
        except Exception as e:
            if "Compiled" not in f"{type(e).__name__} {e}":
                raise
    return time.thread_time() - started


folder = os.path.dirname(os.environ["FUSESCOPE_OUT"])
capture.uninstall()
for i in range(repeats):
    inside = 0.0
    total = compiled(os.path.join(folder, f"repeat{i}.fusescope"))
    print(f"{apply.nodes} nodes, {apply.count} matches: {total:.2f} s, in the recorder {inside * 1000:.0f} ms, {inside / total:.2%}")
if pairs:
    ratios, plain = [], []
    for i in range(pairs):
        seconds = {}
        for recorded in (False, True) if i % 2 else (True, False):
            out = os.path.join(folder, f"pair{i}.fusescope")
            seconds[recorded] = compiled(out if recorded else None)
        assert os.path.getsize(out) > 10_000
        plain.append(seconds[False])
        ratios.append(seconds[True] / seconds[False])
    low, middle, high = statistics.quantiles(ratios, n=4)
    without = f"{statistics.median(plain):.2f} s without the recorder"
    print(f"{pairs} pairs, {without}; ratio with it: median {middle:.3f}, quartiles {low:.3f} to {high:.3f}, {min(ratios):.3f} to {max(ratios):.3f}")
