"""Patterns that gen_register_replacement loads: PyTorch's by name, and the workspace's files in this folder."""

import importlib

_ALL, _BS1 = (
    "training inference half_training half_inference",
    "bs1_training bs1_inference half_bs1_training half_bs1_inference",
)
_INFERENCE = "inference half_inference"
_NAMES = {
    **{f"_sfdp_pattern_{i}": _ALL for i in (*range(1, 13), 14, 28)},
    **{f"_sfdp_pattern_{i}": _INFERENCE for i in (13, 15, 17, 19, 20, 24)},
    **{f"_sfdp_pattern_{i}": f"{_INFERENCE} bs1_inference half_bs1_inference" for i in (18, 21, 22, 23)},
    **{f"_sfdp_pattern_{i}": f"{_ALL} {_BS1}" for i in (25, 26, 27, 29, 30)},
    "_sfdp_pattern_16": f"{_ALL} {_BS1} half_mask_fp32_training half_mask_fp32_inference half_mask_fp32_bs1_training half_mask_fp32_bs1_inference",
    **dict.fromkeys(("addmm_pattern", "bmm_pattern", "mm_pattern"), "training inference"),
}


def find(module, name):
    """The workspace's pattern of this name; None for one of PyTorch's, which its function is traced to."""
    path = f"{__name__}.{module}"
    if module in _NAMES:
        if name.removeprefix(f"{module}_") not in _NAMES[module].split() or not name.startswith(f"{module}_"):
            raise AttributeError(f"module {path!r} has no attribute {name!r}")
        return None
    from _fusescope import workspace_files

    if path not in workspace_files.modules:
        raise ModuleNotFoundError(f"No module named {path!r}", name=path)
    return getattr(importlib.import_module(path), name)
