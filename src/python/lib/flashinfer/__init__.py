"""FlashInfer, which vLLM's packages for CUDA depend on: its collectives, as passes ask for them."""

from _fusescope import environment

if not environment.answer("import flashinfer", environment.platform().startswith("cuda")):
    raise ImportError("flashinfer: this platform is not CUDA")
