"""FlashInfer's workspace for a fused all-reduce: it exists where FlashInfer does."""


class _Workspace:
    backend = "trtllm"


def get_fi_ar_workspace(**kwargs):
    return _Workspace()


get_fi_ar_quant_workspace = get_fi_ar_workspace


def initialize_fi_ar_workspace(**kwargs):
    pass


initialize_fi_ar_quant_workspace = initialize_fi_ar_workspace


def destroy_fi_ar_workspace():
    pass
