"""Records what PyTorch does in each case of cases.py: the graph's text, what the pass prints, and the graph after.

    python record.py > recorded.jsonl      (PyTorch 2.14.1, CPU)
"""
import contextlib
import io
import json
import sys
import types

import torch
import torch._inductor.config  # noqa: F401

from cases import CASES, PRELUDE, TAIL


def loaded(name, text):
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, f"{name}.py", "exec"), vars(module))
    return module


def record(id, model, py):
    torch._inductor.config.post_grad_custom_pre_pass = None
    gm = torch.fx.symbolic_trace(loaded("model", PRELUDE + model).model)
    graph = str(gm.graph)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        loaded("p", f"{PRELUDE}{py}\n{TAIL}")
        torch._inductor.config.post_grad_custom_pre_pass(gm.graph)
    return {"id": id, "model_py": model, "file": f"{PRELUDE}{py}\n{TAIL}", "graph": graph, "printed": printed.getvalue(), "graph_after": str(gm.graph)}


for each in CASES:
    print(json.dumps(record(*each)))
