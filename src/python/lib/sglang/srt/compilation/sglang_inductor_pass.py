"""sglang.srt.compilation.sglang_inductor_pass: passes with a configuration; adapted from vLLM's, as in SGLang."""

from vllm.compilation.passes.vllm_inductor_pass import (  # noqa: F401
    InductorCompilationConfig,
    VllmInductorPass as SGLangInductorPass,
    VllmPatternMatcherPass as SGLangPatternMatcherPass,
)
