"""sglang.srt.compilation.matcher_utils: an operator in a pattern, as its kernel or in plain torch; vLLM's matchers, as in SGLang."""

from vllm.compilation.passes.fusion.matcher_utils import (  # noqa: F401
    RMS_ADD_OP,
    RMS_OP,
    MatcherCustomOp,
    MatcherFusedAddRMSNorm,
    MatcherRMSNorm,
)
