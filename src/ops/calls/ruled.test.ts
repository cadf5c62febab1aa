import { expect, it } from 'vitest'
import { Graph, opRef, read } from '../../fx'
import { standingIn } from './computes'
import { isRuled } from './ruled'

const graph = new Graph()
const x = graph.createNode('placeholder', 'x')
const ruled = (target: string, files = '', named = new Map()): boolean =>
  isRuled(
    graph.createNode(/^\w+$/.test(target) ? 'call_method' : 'call_function', target, [x], named),
    standingIn([{ text: files }]),
  )
const having = (targets: string, of: boolean): string[] => targets.split(' ').filter((t) => ruled(t) === of)

it('an exported script computes what has a rule here', () => {
  const targets =
    'aten.add.Tensor aten.add_.Tensor aten.view.default aten.native_layer_norm.default aten.sym_size.int aten.add torch.relu torch.sum ' +
    'torch.nn.functional.gelu torch._C._nn.linear operator.add operator.getitem math.sqrt view add_ float size prims.convert_element_type.default ' +
    '_C.rms_norm.default vllm.unified_attention_with_output.default'
  expect(having(targets, false)).toEqual([])
})

it('and names the rest: what has no rule, writes to out, changes sizes in place, takes names, or calls others', () => {
  const targets =
    'aten._stack.default aten._remove_batch_dim.default aten.quantized_lstm_cell.input torch.quantized_lstm_cell aten._ctc_loss_backward.default ' +
    'aten.squeeze_.dim squeeze_ aten.resize_.default aten.add.out aten.lstm.input torch.lstm torch.searchsorted torch.stft combinations ' +
    'aten.combinations.default aten.sum.DimnameList_out aten.max.names_dim aten._foreach_copy.default higher_order.cond mylib.fused.default mylib.f ' +
    'torch.nn.functional.interpolate __add__ torch.ops.aten'
  expect(having(targets, true)).toEqual([])
  expect(ruled('torch.add', '', new Map([['out', x]]))).toBe(false)
  expect([ruled('aten.sort'), ruled('aten.sort', '', new Map([['values', x]]))]).toEqual([true, false])
})

it('an operator of a library counts if the user’s files name it, PyTorch’s own by their rules only', () => {
  expect(ruled('mylib.fused.default', 'torch.ops.mylib.fused')).toBe(true)
  expect(ruled('aten._stack.default', 'torch.ops.aten._stack')).toBe(false)
})

it('auto_functionalized counts as what it wraps', () => {
  const wrapped = (name: string): boolean =>
    isRuled(graph.createNode('call_function', 'higher_order.auto_functionalized', [opRef(name), x]), () => false)
  expect(['_C.rms_norm.default', 'aten._stack.default', 'mylib.fused.default'].map(wrapped)).toEqual([
    true,
    false,
    false,
  ])
})

it('each call of the text of a graph is one or the other', () => {
  const { graph: of } = read(
    `graph():
    %x : [num_users=1] = placeholder[target=x]
    %s : [num_users=1] = call_function[target=torch.ops.aten._stack.default](args = ([], 0), kwargs = {})
    %r : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (r,)`,
    'graph.txt',
  )
  const calls = [...of.nodes()].filter((n) => n.op === 'call_function')
  expect(calls.map((n) => isRuled(n, () => false))).toEqual([false, true])
})
