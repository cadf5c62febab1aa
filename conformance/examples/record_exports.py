"""Runs the exported script of each example on a real PyTorch and records the matches that it prints.

    npx tsx conformance/examples/export_scripts.ts FOLDER
    python3 conformance/examples/record_exports.py FOLDER conformance/examples/exports.json

The result has {example: {graph: {pass: matches}}} and the version of PyTorch; a script that fails ends the recording.
"""

import json
import pathlib
import subprocess
import sys

import torch

folder, out = map(pathlib.Path, sys.argv[1:])
counts = {}
for script in sorted(folder.glob("*.py")):
    ran = subprocess.run([sys.executable, script, "--json"], capture_output=True, text=True)
    if ran.stderr:
        print(f"{script.name}: {ran.stderr}", file=sys.stderr)
    ran.check_returncode()
    counts[script.stem] = json.loads(ran.stdout)
    print(script.stem, counts[script.stem], flush=True)
out.write_text(json.dumps({"torch": torch.__version__.split("+")[0], "counts": counts}, indent=1) + "\n")
