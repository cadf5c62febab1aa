/** vLLM's attention over one sequence, and its form with quantized output. */
import { fp8Sink, requireOneScale } from '../_C/static_quant'
import { type Attention, attentionOf, headsOf } from '../attention/heads'
import { attentionValues } from '../attention/reference'
import { attentionPlan } from '../attention/shader'
import { DTYPES, roundTo } from '../dtype'
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg, type TensorView } from '../kernel'
import { sinkValues } from '../kernels/row_values'
import { inNamespace, type Kernels } from '../operator'

const INPUTS: readonly Param[] = [
  { name: 'query', kind: 'in', rows: true, aliases: ['q'] },
  { name: 'key', kind: 'in', rows: true, aliases: ['k'] },
  { name: 'value', kind: 'in', rows: true, aliases: ['v'] },
]
/** The layer's name selects a key-value cache; here the given keys and values are the whole cache. */
const LAYER: Param = { name: 'layer_name', kind: 'attr', default: null, aliases: ['layer_id'] }
const CAUSAL: readonly Param[] = [
  { name: 'causal', kind: 'attr', default: true },
  { name: 'scale', kind: 'attr', default: null },
]

const sizes = (call: KernelCall): Attention => attentionOf(call, 'tokens first', call.attrs['causal'] !== false)
const outShape = ({ q, v }: Attention): number[] => [q.rows, q.heads, v.dim]

/** [tokens, heads, head size], even if the caller's tensor is [tokens, heads * head size]. */
function asHeads(t: TensorView, a: Attention): TensorView {
  if (t.shape.length === 3) return t
  const [row, column] = [t.stride[0]!, t.stride[1]!]
  return { ...t, shape: outShape(a), stride: [row, a.v.dim * column, column] }
}

/** Attributes set only by counterfactuals. */
const AS_UNFUSED = 'as_unfused_round'

/**
 * output = T(softmax(q k^T * scale) v) per head, T the queries' dtype; query i sees keys 0 to i, `scale` is
 * 1 / sqrt(head size), and heads of keys and values are shared evenly (grouped queries). With `output_scale` the values
 * stay in float32 and output = f8(clamp(value * (1 / output_scale), -448, 448)).
 * vLLM vllm/v1/attention/ops/triton_unified_attention.py, as called by vllm/model_executor/layers/attention: one
 * sequence, no cache, no sliding window; `causal` and `scale` are attributes here, where vLLM asks its layer.
 * Shapes: query [tokens, heads, d], key and value [tokens, kv heads, d], output [tokens, heads, d] or [tokens, heads * d].
 */
export const unifiedAttentionWithOutput: Kernel = {
  name: 'unified_attention_with_output',
  params: [
    ...INPUTS,
    { name: 'output', kind: 'out', dtype: 'float8_e4m3fn' },
    LAYER,
    { name: 'output_scale', kind: 'in', optional: true, sample: 'scale' },
    { name: 'output_block_scale', kind: 'in', optional: true },
    { name: 'kv_cache_dummy_dep', kind: 'in', optional: true },
    ...CAUSAL,
  ],
  outputs(call) {
    const a = sizes(call)
    if (call.tensors['output_block_scale'])
      throw new KernelRefusal('an output quantized by blocks (`output_block_scale`) is not implemented')
    const scale = call.tensors['output_scale']
    if (scale) requireOneScale(call, 'output_scale')
    return { output: { shape: outShape(a), dtype: scale ? null : a.q.dtype, flattens: true } }
  },
  reference(call, memory) {
    const { out } = attentionValues(call, memory, sizes(call))
    if (!call.tensors['output_scale']) return memory.write('output', out)
    const { dtype } = tensorArg(call, 'query')
    const x = call.attrs[AS_UNFUSED] === true ? out.map((v) => roundTo(dtype, v)) : out
    memory.write('output', sinkValues(memory, x, fp8Sink(call, 'output_scale', 'output')))
  },
  plan(call, device) {
    const a = sizes(call)
    const output = tensorArg(call, 'output')
    const quantized = call.tensors['output_scale']
    if (quantized && DTYPES[output.dtype].bytes !== 1)
      throw new KernelRefusal(`\`output\` must be an 8-bit dtype with an output_scale, found ${output.dtype}`)
    const sink = quantized ? { sink: fp8Sink(call, 'output_scale', 'output') } : {}
    const out = { name: 'output', heads: headsOf('output', asHeads(output, a), 'tokens first') }
    return attentionPlan(call, a, { label: 'unified_attention_with_output', out, ...sink }, device)
  },
  counterfactuals(call) {
    const { dtype } = tensorArg(call, 'query')
    if (dtype === 'float32' || !call.tensors['output_scale']) return []
    return [
      {
        id: 'round',
        text: `does not round the attention's output to ${dtype} before quantizing`,
        attrs: { [AS_UNFUSED]: true },
      },
    ]
  },
}

/** unified_attention_with_output in vLLM's older form, which returns its output. */
export const unifiedAttention: Kernel = {
  name: 'unified_attention',
  functional: true,
  params: [...INPUTS, LAYER, ...CAUSAL, { name: 'output', kind: 'out' }],
  outputs(call) {
    const a = sizes(call)
    return { output: { shape: outShape(a), dtype: a.q.dtype } }
  },
  reference: (call, memory) => memory.write('output', attentionValues(call, memory, sizes(call)).out),
  plan(call, device) {
    const out = { name: 'output', heads: headsOf('output', tensorArg(call, 'output'), 'tokens first') }
    return attentionPlan(call, sizes(call), { label: 'unified_attention', out }, device)
  },
}

export const KERNELS: Kernels = inNamespace('vllm', [unifiedAttention, unifiedAttentionWithOutput])

export const SCHEMAS = `# vLLM vllm/model_executor/layers/attention/attention.py
2026-04..2026-08 vllm::unified_attention_with_output(Tensor query, Tensor key, Tensor value, Tensor! output, vllm.utils.torch_utils.LayerName layer_name, Tensor? output_scale=None, Tensor!? output_block_scale=None, Tensor? kv_cache_dummy_dep=None) -> ()
2026-01..2026-08 vllm::unified_attention_with_output(Tensor query, Tensor key, Tensor value, Tensor! output, str layer_name, Tensor? output_scale=None, Tensor!? output_block_scale=None, Tensor? kv_cache_dummy_dep=None) -> ()
# vLLM vllm/attention/layer.py
2025-08..2026-01 vllm::unified_attention_with_output(Tensor query, Tensor key, Tensor value, Tensor! output, str layer_name, Tensor? output_scale=None, Tensor!? output_block_scale=None) -> ()
2025-06..2025-08 vllm::unified_attention_with_output(Tensor query, Tensor key, Tensor value, Tensor! output, str layer_name, Tensor? output_scale=None) -> ()
2025-05..2025-05 vllm::unified_attention_with_output(Tensor query, Tensor key, Tensor value, Tensor! output, str layer_name) -> ()`
