/** Operators such as expand_copy: the view of that name, copied to contiguous memory (torch._refs._make_copy_from_view). */
import { memoryFormat } from '../../../fx'
import { type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'

function copyOfView(c: OpCall): DispatchArg {
  const view = c.call(
    c.schema.name.replace('_copy.', '.'),
    c.schema.args.filter((a) => !a.kwargOnly).map((a) => c.get(a.name)),
  )
  const clone = (t: DispatchArg): DispatchArg =>
    c.call('aten.clone.default', [t], { memory_format: memoryFormat('contiguous_format') })
  return itemsOf(view)?.map(clone) ?? clone(view)
}

/** The tensor that the operator itself creates. */
const dense = (c: OpCall, { meta }: FakeTensor): FakeTensor => c.fresh(meta.dtype, meta.shape, meta.device)

export const rules = (): Rules => ({
  'aten.alias_copy aten.diagonal_copy aten.expand_copy aten.permute_copy aten.squeeze_copy aten.t_copy aten.transpose_copy aten.unbind_copy aten.unfold_copy aten.unsqueeze_copy':
    { called: false, decomp: copyOfView },
  'aten.view_copy.default': {
    called: false,
    meta: (c) => dense(c, c.op('aten.view.default', c.tensor('self'), c.get('size'))),
    decomp: (c) => c.op('aten.clone.default', c.op('aten.view.default', c.tensor('self'), c.get('size'))),
  },
  'aten.view_copy.dtype': {
    called: false,
    meta: (c) => dense(c, c.op('aten.view.dtype', c.tensor('self'), c.get('dtype'))),
    decomp: (c) => c.op('aten.view.dtype', c.op('aten.clone.default', c.tensor('self')), c.get('dtype')),
  },
})
