/**
 * The text on which the compression model of every link is trained before its first byte. Part of the format: never edit it.
 * Reason for length: it is one text.
 */
export const PRIMER = `/site-packages/transformers/models/llama/modeling_llama.py
hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
variance = hidden_states.pow(2).mean(-1, keepdim=True)
hidden_states = hidden_states.to(torch.float32)
return self.weight * hidden_states.to(input_dtype)
query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
attn_output = torch.nn.functional.scaled_dot_product_attention(
down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
q_embed = (q * cos) + (rotate_half(q) * sin)
/site-packages/torch/nn/functional.py

import torch
from torch._inductor.pattern_matcher import (
    Arg,
    CallFunction,
    KeywordArg,
    Match,
    MULTIPLE,
    PatternMatcherPass,
    register_graph_pattern,
    register_lowering_pattern,
)
aten = torch.ops.aten
edits = PatternMatcherPass(pass_name="edits")
examples = PatternMatcherPass(pass_name="examples")
lowerings = PatternMatcherPass(pass_name="lowerings")
def undo_each_other(match: Match) -> bool:
    inner, outer = match.kwargs["inner"], match.kwargs["outer"]
    return [inner[i] for i in outer] == list(range(len(inner)))
@register_graph_pattern(
    CallFunction(
        aten.permute.default, CallFunction(aten.permute.default, KeywordArg("x"), KeywordArg("inner")), KeywordArg("outer")
    ),
    extra_check=undo_each_other,
    pass_dict=edits,
)
def drop_permutations(match: Match, x, inner, outer):
    match.output_node().replace_all_uses_with(x)
    match.erase_nodes()
def one_number(match: Match) -> bool:
    return isinstance(match.kwargs["number"], (int, float)) and match.kwargs["size"] == []
@register_graph_pattern(
    CallFunction(
        aten.mul.Tensor,
        KeywordArg("x"),
        CallFunction(
            aten.full.default,
            KeywordArg("size"),
            KeywordArg("number"),
            dtype=KeywordArg("dtype"),
            layout=Arg(),
            device=Arg(),
            pin_memory=Arg(),
            _users=MULTIPLE,
        ),
    ),
    extra_check=one_number,
    pass_dict=edits,
)
def multiply_by_number(match: Match, *others, x, size, number, dtype):
    node = match.output_node()
    with match.graph.inserting_before(node):
        product = match.graph.call_function(aten.mul.Tensor, (x, number))
    product.meta.update(node.meta)
    node.replace_all_uses_with(product)
    match.erase_nodes()
def few_rows(match: Match) -> bool:
    return match.kwargs["x"].meta["val"].shape[0] <= 4
@register_graph_pattern(
    CallFunction(aten.addmm.default, KeywordArg("bias"), KeywordArg("x"), KeywordArg("weight")),
    extra_check=few_rows,
    pass_dict=examples,
)
def by_rows(match: Match, bias, x, weight):
    def product(bias, x, weight):
        return (x.unsqueeze(-1) * weight).sum(dim=1) + bias
    match.replace_by_example(product, [bias, x, weight])
@register_lowering_pattern(
    CallFunction(
        aten.add.Tensor,
        CallFunction(aten.mm.default, Arg(), Arg()),
        CallFunction(aten.mm.default, Arg(), Arg()),
    ),
    pass_dict=lowerings,
)
def sum_of_products(match: Match, a, b, c, d):
    raise NotImplementedError("Inductor's lowering would be here; the matcher only puts the call")
def compiled_function(x, y, few, weight, other, bias):
        both = x @ weight + y @ other
    there_and_back = torch.relu(both).permute(1, 0).permute(1, 0)
    turned = x.view(8, 4, 4).permute(2, 0, 1).permute(2, 0, 1)
    scaled = there_and_back * torch.full((), 0.5)
    return scaled.sin(), turned.cos(), torch.addmm(bias, few, weight), torch.addmm(bias, x, weight)


import npu_ops  # noqa: F401 - declares the operators
import torch
import torch_npu
from base_pattern import BasePattern
from npu_ops import FP8
from torch._inductor.pattern_matcher import PatternMatcherPass
from torch._subclasses.fake_tensor import FakeTensorMode
from vllm.config import VllmConfig
from vllm.logger import init_logger
from vllm_ascend.utils import AscendDeviceType, get_ascend_device_type
logger = init_logger(__name__)
npu = torch.ops.npu
NEEDED = ("npu_dynamic_mx_quant", "npu_add_rms_norm_dynamic_mx_quant")
class AddRMSNormDynamicMXQuantPattern(BasePattern):
    def get_inputs(self) -> list[torch.Tensor]:
        x = torch.empty(2, 64, dtype=torch.bfloat16)
        return [x, torch.empty_like(x), torch.empty(64, dtype=torch.bfloat16)]
    def get_pattern(self):
        def pattern(rms_norm_input: torch.Tensor, residual: torch.Tensor, rms_norm_weight: torch.Tensor):
            norm = npu.npu_add_rms_norm(rms_norm_input, residual, rms_norm_weight, self.eps)
            quantised = npu.npu_dynamic_mx_quant(norm[0], dst_type=FP8)
            return quantised[0], quantised[1], norm[2]
        return pattern
    def get_replacement(self):
        def replacement(rms_norm_input: torch.Tensor, residual: torch.Tensor, rms_norm_weight: torch.Tensor):
            fused = npu.npu_add_rms_norm_dynamic_mx_quant(
                rms_norm_input, residual, rms_norm_weight, epsilion=self.eps, dst_type=FP8
            )
            return fused[0], fused[2], fused[1]
        return replacement
class AddRMSNormQuantFusionPass:
    def __init__(self, vllm_config: VllmConfig) -> None:
        self.pattern_match_passes = PatternMatcherPass(pass_name="rmsnorm_quant_fusion_pass")
        self.matched_count = 0
        dtype = vllm_config.model_config.dtype
        if dtype not in (torch.bfloat16, torch.float16):
            logger.warning("norm and quant are not fused: the model's dtype is %s", dtype)
            return
        if get_ascend_device_type() != AscendDeviceType.A5:
            logger.warning("norm and MX quant are not fused: the chip is %s", get_ascend_device_type().name)
            return
        missing = [name for name in NEEDED if not hasattr(torch_npu, name)]
        if missing:
            logger.warning("norm and MX quant are not fused: torch_npu lacks %s", ", ".join(missing))
            return
        with FakeTensorMode():  # tracing needs shapes and dtypes, not memory
            for eps in (1e-5, 1e-6):
                AddRMSNormDynamicMXQuantPattern(eps).register(self.pattern_match_passes)
    def __call__(self, graph: torch.fx.Graph) -> None:
        self.matched_count = self.pattern_match_passes.apply(graph)
        logger.debug("Replaced %s patterns", self.matched_count)
fusion = AddRMSNormQuantFusionPass(VllmConfig())
patterns = fusion.pattern_match_passes


import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
EPSILON = 1e-6
@torch.library.custom_op("vllm::rms_norm", mutates_args=["result"])
def rms_norm(result: torch.Tensor, input: torch.Tensor, weight: torch.Tensor, epsilon: float) -> None:
        result.copy_(input * weight + epsilon)
@torch.library.custom_op("vllm::static_scaled_int8_quant", mutates_args=["result", "scale"])
def static_scaled_int8_quant(
    result: torch.Tensor, input: torch.Tensor, scale: torch.Tensor, azp: torch.Tensor | None = None
) -> None:
    result.copy_((input * scale).to(torch.int8))
@torch.library.custom_op("vllm::fused_rms_norm_quant_static", mutates_args=["result", "scale"])
def fused_rms_norm_quant_static(
    result: torch.Tensor,
    input: torch.Tensor,
    weight: torch.Tensor,
    scale: torch.Tensor,
    azp: torch.Tensor | None,
    epsilon: float,
) -> None:
    result.copy_(((input * weight + epsilon) * scale).to(torch.int8))
ops = torch.ops.vllm
def search(result, result_rms, input, weight, scale):
        normed = auto_functionalized(
        ops.rms_norm.default, result=result_rms, input=input, weight=weight, epsilon=EPSILON
    )
    quantised = auto_functionalized(
        ops.static_scaled_int8_quant.default, result=result, input=normed[1], scale=scale, azp=None
    )
    return quantised[1], quantised[2]
def replace(result, result_rms, input, weight, scale):
        fused = auto_functionalized(
        ops.fused_rms_norm_quant_static.default,
        result=result,
        input=input,
        weight=weight,
        epsilon=EPSILON,
        scale=scale,
        azp=None,
    )
    return fused[1], fused[2]
example_inputs = [
    torch.empty(5, 4, dtype=torch.int8),
    torch.empty(5, 4, dtype=torch.bfloat16),
    torch.empty(5, 4, dtype=torch.bfloat16),
    torch.empty(5, 1, dtype=torch.bfloat16),
    torch.empty(1, 1),
]
patterns = PatternMatcherPass(pass_name="rms_norm_int8")
register_replacement(search, replace, example_inputs, fwd_only, patterns)
def compiled_function(x, w):
        quantised = torch.empty_like(x, dtype=torch.int8)
    normed = torch.empty_like(x, dtype=torch.bfloat16)
    scale = torch.ones((1, 1))
    return search(quantised, normed, x.to(torch.bfloat16), w.to(torch.bfloat16), scale)


import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from vllm.compilation.passes.fusion.matcher_utils import MatcherFusedAddRMSNorm, MatcherQuantFP8, MatcherRMSNorm
from vllm.compilation.passes.fusion.rms_quant_fusion import FUSED_OPS, FusedRMSQuantKey
from vllm.compilation.passes.vllm_inductor_pass import VllmFusionPatternMatcherPass, VllmPatternReplacement
from vllm.config import VllmConfig, set_current_vllm_config
from vllm.model_executor.layers.quantization.utils.quant_utils import (
    QuantKey,
    kFp8Dynamic64Sym,
    kFp8Dynamic128Sym,
    kFp8DynamicTokenSym,
    kFp8StaticTensorSym,
)
class RMSNormQuantPattern(VllmPatternReplacement):
    
    fused_add = False
    def __init__(self, quant_key: QuantKey, epsilon: float) -> None:
        key = FusedRMSQuantKey(quant_key, self.fused_add)
        assert key in FUSED_OPS, f"no kernel does {key}"
        self.quant_key = quant_key
        self.epsilon = epsilon
        self.FUSED_OP = FUSED_OPS[key]
        self.rmsnorm_matcher = (MatcherFusedAddRMSNorm if self.fused_add else MatcherRMSNorm)(epsilon)
        self.quant_matcher = MatcherQuantFP8(quant_key)
        self.model_dtype = self.rmsnorm_matcher.model_dtype
    def fused(self, input: torch.Tensor, **arguments):
        input = input.to(dtype=self.model_dtype)
        result = torch.empty(input.shape, device=input.device, dtype=self.quant_key.dtype)
        at = auto_functionalized(self.FUSED_OP, result=result, input=input, epsilon=self.epsilon, **arguments)
        return at[1:]
    def fused_dynamic(self, input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor | None):
        groups = {}
        if self.quant_key.scale.group_shape.is_per_group():
            groups = {"group_size": self.quant_key.scale.group_shape.col, "is_scale_transposed": False}
        scale = self.quant_matcher.make_scale(input)
        return self.fused(input, weight=weight, scale=scale, scale_ub=None, residual=residual, **groups)
class RMSNormStaticQuantPattern(RMSNormQuantPattern):
    
    def get_inputs(self) -> list[torch.Tensor]:
        return [*self.rmsnorm_matcher.inputs(), self.quant_matcher.inputs()[1]]
    @property
    def pattern(self):
        def search(input: torch.Tensor, weight: torch.Tensor, scale: torch.Tensor):
            return self.quant_matcher(self.rmsnorm_matcher(input, weight), scale)[0]
        return search
    @property
    def replacement(self):
        def replace(input: torch.Tensor, weight: torch.Tensor, scale: torch.Tensor):
            return self.fused(input, weight=weight, scale=scale)[0]
        return replace
class FusedAddRMSNormStaticQuantPattern(RMSNormStaticQuantPattern):
    
    fused_add = True
    @property
    def pattern(self):
        def search(input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor, scale: torch.Tensor):
            normed, residual = self.rmsnorm_matcher(input, weight, residual)
            return self.quant_matcher(normed, scale)[0], residual
        return search
    @property
    def replacement(self):
        def replace(input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor, scale: torch.Tensor):
            codes, residual = self.fused(input, weight=weight, residual=residual, scale=scale)
            return codes, residual
        return replace
class RMSNormDynamicQuantPattern(RMSNormQuantPattern):
    
    def get_inputs(self) -> list[torch.Tensor]:
        columns = max(16, 2 * self.quant_key.scale.group_shape.col)
        return [torch.empty(*t.shape[:-1], columns, dtype=t.dtype, device=t.device) for t in self.rmsnorm_matcher.inputs()]
    @property
    def pattern(self):
        def search(input: torch.Tensor, weight: torch.Tensor):
            return self.quant_matcher(self.rmsnorm_matcher(input, weight))
        return search
    @property
    def replacement(self):
        def replace(input: torch.Tensor, weight: torch.Tensor):
            codes, scale, *_ = self.fused_dynamic(input, weight, None)
            return codes, scale
        return replace
class FusedAddRMSNormDynamicQuantPattern(RMSNormDynamicQuantPattern):
    fused_add = True
    @property
    def pattern(self):
        def search(input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor):
            normed, residual = self.rmsnorm_matcher(input, weight, residual)
            codes, scale = self.quant_matcher(normed)
            return codes, residual, scale
        return search
    @property
    def replacement(self):
        def replace(input: torch.Tensor, weight: torch.Tensor, residual: torch.Tensor):
            codes, scale, residual = self.fused_dynamic(input, weight, residual)
            return codes, residual, scale
        return replace
class RMSNormQuantFusionPass(VllmFusionPatternMatcherPass):
    def __init__(self, config: VllmConfig) -> None:
        super().__init__(config, "rmsnorm_quant_fusion_pass")
        for epsilon in [1e-5, 1e-6]:
            self.register(FusedAddRMSNormStaticQuantPattern(kFp8StaticTensorSym, epsilon))
            self.register(RMSNormStaticQuantPattern(kFp8StaticTensorSym, epsilon))
            for quant_key in [kFp8DynamicTokenSym, kFp8Dynamic128Sym, kFp8Dynamic64Sym]:
                self.register(FusedAddRMSNormDynamicQuantPattern(quant_key, epsilon))
                self.register(RMSNormDynamicQuantPattern(quant_key, epsilon))
        self.dump_patterns(config, self.pm_pass)
config = VllmConfig()
with set_current_vllm_config(config):
    patterns = RMSNormQuantFusionPass(config).pm_pass


import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from sglang.srt.utils import direct_register_custom_op
from torch._higher_order_ops.auto_functionalize import auto_functionalized_v2
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
FP8 = torch.float8_e4m3fn
SILU_AND_MUL = torch.ops.sgl_kernel.silu_and_mul.default
QUANT = torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default
def silu_and_mul_quant(result: torch.Tensor, input: torch.Tensor, scale: torch.Tensor) -> None:
        half = input.shape[-1] // 2
    gate, up = input[..., :half].float(), input[..., half:].float()
    result.copy_((torch.nn.functional.silu(gate) * up / scale).clamp(-448, 448))
direct_register_custom_op(
    op_name="silu_and_mul_quant",
    op_func=silu_and_mul_quant,
    mutates_args=["result"],
    fake_impl=lambda result, input, scale: None,
)
class SiluMulQuantPass(SGLangInductorPass):
    def __init__(self) -> None:
        super().__init__()
        self.patterns = PatternMatcherPass(pass_name=self.pass_name)
        def pattern(
            gate_up: torch.Tensor, act: torch.Tensor, codes: torch.Tensor, scale: torch.Tensor
        ) -> torch.Tensor:
            silu = auto_functionalized_v2(SILU_AND_MUL, input=gate_up, _out_base_index=0, _all_bases=[act])
            quant = auto_functionalized_v2(
                QUANT, input=silu[1], output_s=scale, is_static=True, _output_q_base_index=0, _all_bases=[codes]
            )
            return quant[1]
        def replacement(
            gate_up: torch.Tensor, act: torch.Tensor, codes: torch.Tensor, scale: torch.Tensor
        ) -> torch.Tensor:
            at = auto_functionalized_v2(
                torch.ops.sglang.silu_and_mul_quant.default,
                input=gate_up,
                scale=scale,
                _result_base_index=0,
                _all_bases=[codes],
            )
            return at[1]
        half = torch.float16
        examples = [
            torch.empty(4, 16, dtype=half),
            torch.empty(4, 8, dtype=half),
            torch.empty(4, 8, dtype=FP8),
            torch.empty(1),
        ]
        register_replacement(pattern, replacement, examples, fwd_only, self.patterns)
    def __call__(self, graph: torch.fx.Graph) -> None:
        self.patterns.apply(graph)
silu_mul_quant = SiluMulQuantPass()
`
