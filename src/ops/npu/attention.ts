/** Ascend's attention over one sequence: torch_npu.npu_fused_infer_attention_score. */
import { type Attention, attentionOf, headsOf } from '../attention/heads'
import { attentionValues } from '../attention/reference'
import { attentionPlan } from '../attention/shader'
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg, type TensorView } from '../kernel'
import { inNamespace, type Kernels } from '../operator'

const attr = (name: string, value: Param['default']): Param => ({ name, kind: 'attr', default: value })

/** A tensor as [tokens, heads, head size], even if it is [tokens, heads * head size]. Throws KernelRefusal. */
function asHeads(name: string, t: TensorView, heads: number): TensorView {
  const { shape, stride } = t
  if (shape.length === 3 && shape[1] === heads) return t
  if (shape.length !== 2 || shape[1]! % heads !== 0)
    throw new KernelRefusal(
      `\`${name}\` of shape [${shape.join(', ')}] is not a sequence of tokens with ${heads} heads`,
    )
  const size = shape[1]! / heads
  return { ...t, shape: [shape[0]!, heads, size], stride: [stride[0]!, size * stride[1]!, stride[1]!] }
}

/** The call, with its tensors split into heads and its mask. */
function inHeads(call: KernelCall): { call: KernelCall; a: Attention; heads: number } {
  const heads = Number(call.attrs['num_heads'])
  const shared = Number(call.attrs['num_key_value_heads']) || heads
  // 2 and 3 mean a triangle; the mask only spells it out.
  const causal = [2, 3].includes(Number(call.attrs['sparse_mode']))
  if (call.tensors['atten_mask'] && !causal)
    throw new KernelRefusal('an `atten_mask` is supported only as the triangle of sparse_mode 2 and 3')
  const split = (name: string): TensorView => asHeads(name, tensorArg(call, name), name === 'query' ? heads : shared)
  const tensors = { ...call.tensors, query: split('query'), key: split('key'), value: split('value') }
  const taken = { ...call, tensors }
  return { call: taken, a: attentionOf(taken, 'tokens first', causal), heads }
}

/**
 * T(softmax(query key^T * scale) value) of each head, T the queries' dtype; every query sees every key unless sparse_mode
 * is 2 or 3. torch_npu's documentation of npu_fused_infer_attention_score, whose defaults are one head and a scale of 1;
 * one sequence, no cache, no quantization, and the attention without its softmax's logarithms.
 * Shapes: query [tokens, heads * d] or [tokens, heads, d], key and value with num_key_value_heads (0: as many).
 */
export const npuFusedInferAttentionScore: Kernel = {
  name: 'npu_fused_infer_attention_score',
  functional: true,
  params: [
    { name: 'query', kind: 'in', rows: true, aliases: ['q'] },
    { name: 'key', kind: 'in', rows: true, aliases: ['k'] },
    { name: 'value', kind: 'in', rows: true, aliases: ['v'] },
    { name: 'atten_mask', kind: 'in', optional: true },
    attr('num_heads', 1),
    attr('scale', 1),
    attr('input_layout', 'BSH'),
    attr('num_key_value_heads', 0),
    attr('sparse_mode', 0),
    { name: 'attention_out', kind: 'out' },
  ],
  outputs(call) {
    inHeads(call)
    const { shape, dtype } = tensorArg(call, 'query')
    return { attention_out: { shape, dtype } }
  },
  reference(call, memory) {
    const taken = inHeads(call)
    memory.write('attention_out', attentionValues(taken.call, memory, taken.a).out)
  },
  plan(call, device) {
    const taken = inHeads(call)
    const view = asHeads('attention_out', tensorArg(call, 'attention_out'), taken.heads)
    const out = { name: 'attention_out', heads: headsOf('attention_out', view, 'tokens first') }
    const label = 'npu_fused_infer_attention_score'
    return attentionPlan(taken.call, taken.a, { label, out }, device)
  },
}

export const KERNELS: Kernels = inNamespace('npu', [npuFusedInferAttentionScore])
