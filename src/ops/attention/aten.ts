/** PyTorch's scaled_dot_product_attention, and the kernels it dispatches to. */
import { storeAsIs } from '../_C/pointwise'
import { KernelRefusal, tensorArg, type Kernel, type KernelCall, type OutSpec, type Param } from '../kernel'
import { attentionOf, headsOf, type Attention } from './heads'
import { attentionValues } from './reference'
import { attentionPlan } from './shader'

const INPUTS: readonly Param[] = ['query', 'key', 'value'].map((name) => ({ name, kind: 'in' as const }))
const MASK: Param = { name: 'attn_mask', kind: 'in', optional: true, aliases: ['attn_bias'] }
const attr = (name: string, value: boolean | number | null): Param => ({ name, kind: 'attr', default: value })
const DROPOUT = attr('dropout_p', 0)
const CAUSAL = attr('is_causal', false)
const SCALE = attr('scale', null)

function sizes(call: KernelCall): Attention {
  if (Number(call.attrs['dropout_p']) !== 0)
    throw new KernelRefusal(
      `dropout is random, so a dropout_p of ${String(call.attrs['dropout_p'])} cannot be compared`,
    )
  return attentionOf(call, 'heads first', call.attrs['is_causal'] === true)
}

/** The result lies in memory as the query does. */
function outSpec(call: KernelCall, { v }: Attention): OutSpec {
  const { shape, stride, dtype } = tensorArg(call, 'query')
  const made = [...shape.slice(0, -1), v.dim]
  const order = stride.map((_, d) => d).sort((a, b) => stride[a]! - stride[b]! || b - a)
  const dense = new Array<number>(made.length)
  let step = 1
  for (const d of order) {
    dense[d] = step
    step *= Math.max(1, made[d]!)
  }
  return { shape: made, dtype, stride: dense }
}

/**
 * softmax(q k^T * scale + mask) v: torch.nn.functional.scaled_dot_product_attention. Query [batch, heads, rows, d], key
 * and value [batch, heads or a divisor of them, keys, d]; with is_causal row i sees keys 0 to i.
 * @param lse the name of a second result, log(sum(exp(scores))) of [batch, heads, rows], laid out as [batch, rows, heads]
 */
function attention(name: string, params: readonly Param[], lse: string | null): Kernel {
  const out = lse ? 'output' : 'result'
  return {
    name,
    functional: true,
    params: [...INPUTS, ...params, { name: out, kind: 'out' }, ...(lse ? [{ name: lse, kind: 'out' } as const] : [])],
    outputs(call) {
      const a = sizes(call)
      const { heads, rows } = a.q
      const shape = tensorArg(call, 'query').shape.slice(0, -1)
      return {
        [out]: outSpec(call, a),
        ...(lse && { [lse]: { shape, dtype: 'float32', stride: [heads * rows, 1, heads].slice(3 - shape.length) } }),
      }
    },
    reference(call, memory) {
      const values = attentionValues(call, memory, sizes(call))
      memory.write(out, values.out)
      if (lse) memory.write(lse, values.lse)
    },
    plan(call, device) {
      const heads = headsOf(out, tensorArg(call, out), 'heads first')
      return attentionPlan(
        call,
        sizes(call),
        {
          label: name,
          out: { name: out, heads },
          sink: storeAsIs,
          ...(lse && { lse: { name: lse, view: tensorArg(call, lse) } }),
        },
        device,
      )
    },
  }
}

export const ATTENTION: readonly (readonly [string, Kernel])[] = [
  attention('scaled_dot_product_attention', [MASK, DROPOUT, CAUSAL, SCALE, attr('enable_gqa', false)], null),
  attention('_scaled_dot_product_flash_attention_for_cpu', [DROPOUT, CAUSAL, MASK, SCALE], 'logsumexp'),
  attention(
    '_scaled_dot_product_flash_attention',
    [DROPOUT, CAUSAL, attr('return_debug_mask', false), SCALE],
    'logsumexp',
  ),
  attention(
    '_scaled_dot_product_efficient_attention',
    [MASK, attr('compute_log_sumexp', true), DROPOUT, CAUSAL, SCALE],
    'log_sumexp',
  ),
].map((k) => [k.name, k] as const)
