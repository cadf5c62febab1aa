"""Records captures of the examples and of a compiled model on a real PyTorch, with fusescope_capture.py itself.

Runs on a real PyTorch 2.14.1, from a copy of the repository, beside the recorder of the recordings (record.py):

    python3 conformance/captures/record.py FOLDER_WITH_RECORD_PY OUT [NAME…]

Each example's own recorder runs under `python -m fusescope_capture`. `OUT` gets NAME.fusescope.gz.
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).parents[2]
helper, out = sys.argv[1], pathlib.Path(sys.argv[2])
examples = root / "conformance" / "examples"
sglang = sorted(p.name for p in (root / "public" / "examples").glob("sglang-*"))

# Name → the script, and its arguments after the two folders.
CAPTURES = {
    "rms-norm-int8": ("record.py", ["rms"]),
    "silu-mul-block-quant": ("record.py", ["silu"]),
    "ascend-add-rms-norm-mx-quant": ("record.py", ["ascend"]),
    "ascend-streams": ("record_ascend_streams.py", []),
    "inductor-attention": ("record_attention.py", []),
    "inductor-graph-patterns": ("record_graph_patterns.py", []),
    "vllm-block-quant-variants": ("record_variants.py", []),
    "vllm-pass-pipeline": ("record_pass_pipeline.py", []),
    "vllm-rms-norm-quant": ("record_rms_norm.py", []),
    **{name: ("record_sglang.py", [name]) for name in sglang},
    "compiled-model": (root / "conformance" / "captures" / "compiled_model.py", []),
    **{
        f"versions-{v}": (root / "conformance" / "captures" / "two_versions.py", [v])
        for v in ("first", "pattern", "check", "model", "unregistered")
    },
    "imported-late": (root / "conformance" / "captures" / "compiled_model.py", ["late"]),
}

out.mkdir(parents=True, exist_ok=True)
for name in sys.argv[3:] or CAPTURES:
    script, more = CAPTURES[name]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{name}.fusescope"
        environment = {
            **os.environ,
            "PYTHONPATH": str(root / "public" / "capture"),
            "FUSESCOPE_OUT": str(file),
            "FUSESCOPE_SOURCES": "1",
        }
        program = [str(examples / script), helper, folder, *more]
        command = [sys.executable, *([] if "late" in more else ["-m", "fusescope_capture"]), *program]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True)
        if not file.exists():
            print(f"{name}: no capture\n{ran.stderr[-500:]}")
            continue
        # Paths of the machine that records say nothing to a reader.
        text = file.read_text().replace(f"{root}/", "").replace(f"{folder}/", "")
        text = re.sub(rf"{tempfile.gettempdir()}/tmp\w+/", "", text)
        (out / f"{name}.fusescope.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
        size = (out / f"{name}.fusescope.gz").stat().st_size
        print(f"{name}: {len(text.splitlines())} records, {len(text)} bytes, {size} compressed")
