"""flashinfer.comm: what a pass that fuses an all-reduce reads when it is created. Its kernels run inside an operator of vLLM."""


class AllReduceFusionPattern:
    """Codes of the fused operations."""

    kAllReduce = 0
    kARResidualRMSNorm = 1
    kARResidualRMSNormFP8Quant = 2
    kARResidualRMSNormFP4Quant = 3
    kARResidualRMSNormOutFP8Quant = 4
    kARResidualRMSNormOutFP4Quant = 5


def allreduce_fusion(*args, **kwargs):
    raise NotImplementedError("flashinfer.comm.allreduce_fusion runs only as a kernel")


trtllm_allreduce_fusion = allreduce_fusion


def create_allreduce_fusion_workspace(*args, **kwargs):
    return object()


def trtllm_create_ipc_workspace_for_all_reduce_fusion(*args, **kwargs):
    return None, object()


def trtllm_destroy_ipc_workspace_for_all_reduce_fusion(*args, **kwargs):
    pass
