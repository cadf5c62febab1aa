/**
 * One step of a recurrent layer (ATen's RNN.cpp): products of the input and of the state, and gates that are written in place.
 * Fused layers of transformers in evaluation mode, which torch.nn calls on its fast path.
 */
import { formula, python, type Helpers } from '../../formula/formula'
import type { OpDef, Rules } from '../../operator'
import { runtimeError } from '../../torch_error'
import { preservedStrides } from '../../strides'

const HELPERS: Helpers = {
  /** w · x + b of the input or of the state. */
  product: (c, of, kind) => {
    const bias = c.has(`b_${kind}`) ? [c.tensor(`b_${kind}`)] : []
    return c.op('aten.linear.default', of!, c.tensor(`w_${kind}`), ...bias)
  },
}

/** w_hh · h + w_ih · x */
const gates = (state: string): string => `add_.Tensor(product(${state}, 'hh'), product(input, 'ih'))`

const cell = (activation: string): OpDef => ({ implicit: python(`${activation}(${gates('hx')})`, HELPERS) })

const lstm = formula(
  `enters, keeps, values, leaves = unsafe_chunk(${gates('hx[0]')}, 4, 1)
   enter = sigmoid_(enters)
   keep = sigmoid_(keeps)
   value = tanh_(values)
   leave = sigmoid_(leaves)
   state = add_.Tensor(keep * hx[1], enter * value)
   leave * tanh(state), state`,
  { cpp: false, helpers: HELPERS },
)

const gru = python(
  `resets, updates, news = unsafe_chunk(product(input, 'ih'), 3, 1)
   reset, update, new = unsafe_chunk(product(hx, 'hh'), 3, 1)
   reset_gate = sigmoid_(add_.Tensor(reset, resets))
   update_gate = sigmoid_(add_.Tensor(update, updates))
   made = tanh_(news + mul_.Tensor(new, reset_gate))
   moved = mul_.Tensor(hx - made, update_gate)
   add_.Tensor(moved, made)`,
  HELPERS,
)

export const rules = (): Rules => ({
  'aten.rnn_tanh_cell': cell('tanh'),
  'aten.rnn_relu_cell': cell('relu'),
  'aten.lstm_cell': {
    implicit: (c) => {
      if (c.tensors('hx').length !== 2) throw runtimeError('lstm_cell expects two hidden states')
      return lstm(c)
    },
  },
  'aten.gru_cell': { implicit: gru },
  'aten._transformer_encoder_layer_fwd': {
    meta: (c) => {
      const { meta } = c.tensor('src')
      return c.fresh(meta.dtype, meta.shape, meta.device, preservedStrides(meta))
    },
  },
  /** The output, and the attention weights if they are requested. */
  'aten._native_multi_head_attention': {
    meta: (c, { meta: { dtype, shape, device } }) => {
      const [batch, rows] = [shape[0]!, shape[1]!]
      const columns = c.tensor('key').meta.shape[1]!
      const heads = c.bool('average_attn_weights') ? [] : [c.dim('num_head')]
      const weights = c.bool('need_weights') ? [batch, ...heads, rows, columns] : [0]
      return { kind: 'tuple', items: [c.fresh(dtype, shape, device), c.fresh(dtype, weights, device)] }
    },
  },
})
