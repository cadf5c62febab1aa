/** Fused layers of transformers in evaluation mode, which torch.nn calls on its fast path. */
import type { Rules } from '../../operator'
import { preservedStrides } from '../../strides'

export const rules = (): Rules => ({
  'aten._transformer_encoder_layer_fwd': {
    meta: (c) => {
      const { meta } = c.tensor('src')
      return c.fresh(meta.dtype, meta.shape, meta.device, preservedStrides(meta))
    },
  },
  /** The output, and the attention weights where they are asked for. */
  'aten._native_multi_head_attention': {
    meta: (c) => {
      const { dtype, shape, device } = c.tensor('query').meta
      const [batch, rows] = [shape[0]!, shape[1]!]
      const columns = c.tensor('key').meta.shape[1]!
      const heads = c.bool('average_attn_weights') ? [] : [c.dim('num_head')]
      const weights = c.bool('need_weights') ? [batch, ...heads, rows, columns] : [0]
      return { kind: 'tuple', items: [c.fresh(dtype, shape, device), c.fresh(dtype, weights, device)] }
    },
  },
})
