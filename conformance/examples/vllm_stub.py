"""A stub of vLLM for a real PyTorch: this project's helpers, and vLLM's operators declared by their schemas.

`folder` goes onto sys.path. The library's own torch package is left out, because the real one is used.
"""

import pathlib
import shutil
import tempfile

import catalog
import torch

root = pathlib.Path(__file__).parents[2]
_python = root / "src" / "python" / "lib"

folder = pathlib.Path(tempfile.mkdtemp())
for _name in ("vllm", "_fusescope"):
    shutil.copytree(_python / _name, folder / _name)

libraries = {ns: torch.library.Library(ns, "FRAGMENT") for ns in ("_C", "vllm")}
catalog.declare(libraries, skip=lambda schema: "fp4" in schema)  # no chip has fp4 here
libraries["_C"].define("fp8_mm(Tensor a, Tensor b, Tensor s) -> Tensor")
torch.library.register_fake(
    "_C::fp8_mm", lambda a, b, s: torch.empty(a.shape[0], b.shape[0], dtype=torch.bfloat16), lib=libraries["_C"]
)
