"""sglang.srt.compilation.sglang_inductor_pass: passes with a configuration; adapted, as SGLang's are, from vLLM's."""
from vllm.compilation.passes.vllm_inductor_pass import (  # noqa: F401
    InductorCompilationConfig, VllmInductorPass as SGLangInductorPass, VllmPatternMatcherPass as SGLangPatternMatcherPass,
)
