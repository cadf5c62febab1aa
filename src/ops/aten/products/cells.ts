/**
 * One step of a recurrent layer (ATen's RNN.cpp): products of the input and of the state, and gates that are written in place.
 * Fused layers of transformers in evaluation mode, which torch.nn calls on its fast path.
 */
import { type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { runtimeError } from '../../torch_error'
import { preservedStrides } from '../../strides'

const product = (c: OpCall, of: FakeTensor, kind: 'ih' | 'hh'): FakeTensor => {
  const bias = c.has(`b_${kind}`) ? [c.tensor(`b_${kind}`)] : []
  return c.op('aten.linear.default', of, c.tensor(`w_${kind}`), ...bias)
}

/** w_hh · h + w_ih · x */
const gates = (c: OpCall, state: FakeTensor): FakeTensor =>
  c.op('aten.add_.Tensor', product(c, state, 'hh'), product(c, c.tensor('input'), 'ih'))

const parts = (c: OpCall, x: FakeTensor, count: bigint): FakeTensor[] =>
  itemsOf(c.call('aten.unsafe_chunk.default', [x, count, 1n])) as FakeTensor[]

const cell = (activation: string): OpDef => ({ implicit: (c) => c.op(activation, gates(c, c.tensor('hx'))) })

function lstm(c: OpCall): DispatchArg {
  const states = c.tensors('hx')
  if (states.length !== 2) throw runtimeError('lstm_cell expects two hidden states')
  const [enters, keeps, is, leaves] = parts(c, gates(c, states[0]!), 4n)
  const enter = c.op('aten.sigmoid_.default', enters!)
  const keep = c.op('aten.sigmoid_.default', keeps!)
  const value = c.op('aten.tanh_.default', is!)
  const leave = c.op('aten.sigmoid_.default', leaves!)
  const kept = c.op('aten.mul.Tensor', keep, states[1]!)
  const state = c.op('aten.add_.Tensor', kept, c.op('aten.mul.Tensor', enter, value))
  return { kind: 'tuple', items: [c.op('aten.mul.Tensor', leave, c.op('aten.tanh.default', state)), state] }
}

function gru(c: OpCall): FakeTensor {
  const state = c.tensor('hx')
  const [resets, updates, news] = parts(c, product(c, c.tensor('input'), 'ih'), 3n)
  const [reset, update, next] = parts(c, product(c, state, 'hh'), 3n)
  const gate = (of: FakeTensor, by: FakeTensor): FakeTensor =>
    c.op('aten.sigmoid_.default', c.op('aten.add_.Tensor', of, by))
  const resetGate = gate(reset!, resets!)
  const updateGate = gate(update!, updates!)
  const kept = c.op('aten.mul_.Tensor', next!, resetGate)
  const made = c.op('aten.tanh_.default', c.op('aten.add.Tensor', news!, kept))
  const moved = c.op('aten.mul_.Tensor', c.op('aten.sub.Tensor', state, made), updateGate)
  return c.op('aten.add_.Tensor', moved, made)
}

export const rules = (): Rules => ({
  'aten.rnn_tanh_cell': cell('aten.tanh.default'),
  'aten.rnn_relu_cell': cell('aten.relu.default'),
  'aten.lstm_cell': { implicit: lstm },
  'aten.gru_cell': { implicit: gru },
  'aten._transformer_encoder_layer_fwd': {
    meta: (c) => {
      const { meta } = c.tensor('src')
      return c.fresh(meta.dtype, meta.shape, meta.device, preservedStrides(meta))
    },
  },
  /** The output, and the attention weights where they are asked for. */
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
