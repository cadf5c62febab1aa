"""Records the example inductor-graph-patterns: its graph, and the result of its three passes in sequence.

Runs on a real PyTorch 2.14.1, beside the recorder of the recordings (record.py):

    python3 conformance/examples/record_graph_patterns.py FOLDER_WITH_RECORD_PY OUT

`OUT` gets graph.txt, fx_graph_readable.py and case.jsonl.
"""

import json
import pathlib
import sys

import torch

example = pathlib.Path(__file__).parents[2] / "public" / "examples" / "inductor-graph-patterns"
sys.path[:0] = [sys.argv[1], str(example)]
out = pathlib.Path(sys.argv[2])

import graph_patterns  # noqa: E402
import record  # noqa: E402

inputs = [torch.empty(8, 16), torch.empty(8, 16), torch.empty(2, 16), torch.empty(16, 16), torch.empty(16, 16), torch.empty(16)]
gm = record.capture(graph_patterns.compiled_function, inputs, where="joint_custom_pre_pass")
case = record.record(
    "graph-patterns", (example / "graph_patterns.py").read_text(), gm, passes=("edits", "examples", "lowerings")
)
case["readable"] = case["readable"].replace(f"{example}/", "")
out.mkdir(exist_ok=True)
(out / "graph.txt").write_text(case["graph"] + "\n")
(out / "fx_graph_readable.py").write_text(case["readable"])
(out / "case.jsonl").write_text(json.dumps(case) + "\n")
print(case["graph"])
for p in case["expected"]["passes"]:
    print(p["pass"], p.get("count", p.get("apply_error")))
print(case["expected"]["graph_after_dce"])
