/** torch.lstm on a CPU: a call of oneDNN for each layer and direction (torch._decomp's lstm_impl and mkldnn_one_layer_lstm). */
import { dtype as dtypeArg } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, itemsOf, shapeOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'

const NAMES = ['train', 'dropout', 'has_biases', 'num_layers', 'bidirectional', 'batch_first']

const zerosLike = (c: OpCall, weight: FakeTensor): FakeTensor =>
  c.call('aten.zeros.default', [dimArgs([...shapeOf(weight)])], {
    dtype: dtypeArg(weight.meta.dtype),
    device: weight.meta.device!,
  }) as FakeTensor

interface Step {
  readonly out: FakeTensor
  readonly states: readonly FakeTensor[]
}

/** One layer in one direction. @param states hidden states and cell states */
function layer(
  c: OpCall,
  x: FakeTensor,
  weights: readonly FakeTensor[],
  states: readonly DispatchArg[],
  reverse: boolean,
): Step {
  const [w0, w1, ...given] = weights as [FakeTensor, FakeTensor, ...FakeTensor[]]
  const biases = given.length > 0 ? given : [zerosLike(c, w0), zerosLike(c, w1)]
  const wide = states.map((s) => c.op('aten.unsqueeze.default', s, 0n))
  const hidden = dimArg(wide[0]!.meta.shape[2]!)
  const flags = [given.length > 0, false, false, false]
  const made = c.call('aten.mkldnn_rnn_layer.default', [
    x, w0, w1, ...biases, ...wide, reverse, [], 2n, hidden, 1n, ...flags,
  ]) // prettier-ignore
  const [out, ...last] = itemsOf(made)!
  return { out: out as FakeTensor, states: last.slice(0, 2).map((s) => c.op('aten.squeeze.dim', s, 0n)) }
}

function lstm(c: OpCall): DispatchArg | undefined {
  const x = c.tensor('input')
  const [train, dropout, biased, layers, both, batchFirst] = NAMES.map((n) => c.get(n))
  const given = c.tensors('params')
  const directions = both === true ? 2 : 1
  const each = biased === true ? 4 : 2
  const [onCpu, known] = [x.meta.device?.type === 'cpu', given.length === Number(layers) * directions * each]
  if (!onCpu || x.meta.dtype !== 'float32' || !known || (train === true && Number(dropout) > 0)) return undefined
  const states = c.tensors('hx').map((t) => itemsOf(c.call('aten.unbind.int', [t]))!)
  let out = batchFirst === true ? c.op('aten.transpose.int', x, 0n, 1n) : x
  const last: (readonly FakeTensor[])[] = []
  for (let i = 0; i < given.length / each; i += directions) {
    const made = [i, i + 1].slice(0, directions).map((at) =>
      layer(
        c,
        out,
        given.slice(at * each, (at + 1) * each),
        states.map((s) => s[at]!),
        at > i,
      ),
    )
    last.push(...made.map((m) => m.states))
    out = directions === 1 ? made[0]!.out : c.op('aten.cat.default', made.map((m) => m.out), 2n) // prettier-ignore
  }
  if (batchFirst === true) out = c.op('aten.transpose.int', out, 0n, 1n)
  const stacked = [0, 1].map((k) => c.op('aten.stack.default', last.map((s) => s[k]!), 0n)) // prettier-ignore
  return { kind: 'tuple', items: [out, ...stacked] }
}

export const rules = (): Rules => ({
  'aten.lstm.input': { called: false, decomp: lstm },
  'aten.mkldnn_rnn_layer': {
    called: false,
    meta: (c) => {
      const { meta } = c.tensor('input')
      const [length, batch] = meta.shape
      const hidden = c.dim('hidden_size')
      const fresh = (dtype: string, shape: readonly (typeof hidden)[]): FakeTensor => c.fresh(dtype, shape, meta.device)
      const state = [...shapeOf(c.tensor('hx_'))]
      const items = [fresh(meta.dtype, [length!, batch!, hidden]), fresh(meta.dtype, state), fresh(meta.dtype, state)]
      return { kind: 'tuple', items: [...items, fresh('uint8', [0])] }
    },
  },
})
