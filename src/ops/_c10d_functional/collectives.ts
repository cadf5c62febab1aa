/**
 * PyTorch's functional collectives: every rank has a tensor of the same shape, so the shapes are known without the
 * others.
 */
import type { Dim } from '../../fx'
import { type FakeTensor, itemsOf } from '../fake'
import type { OpCall } from '../op_call'
import { inNamespace, type Kernels, type Rules, type Traits } from '../operator'
import { addDims, floorDiv, mulDims } from '../sym'
import { functionalAllReduce } from '../vllm/collectives'

type Resize = (size: Dim, ranks: Dim) => Dim

/** A tensor like `input`; a collective over ranks changes its first dimension. */
function received(c: OpCall, input: FakeTensor, resize: Resize = (size) => size): FakeTensor {
  const { dtype, shape, device } = input.meta
  return c.fresh(
    dtype,
    c.has('group_size') ? [resize(shape[0]!, c.dim('group_size')), ...shape.slice(1)] : shape,
    device,
  )
}

const one = (resize?: Resize): Rules[string] => ({ meta: (c) => received(c, c.tensor('input'), resize) })
const each = (resize?: Resize): Rules[string] => ({
  meta: (c) => c.tensors('inputs').map((t) => received(c, t, resize)),
})

/** Returns nothing: a rank that sends waits for its result. */
const sent = (c: OpCall, { meta: { dtype, device } }: FakeTensor): FakeTensor => c.fresh(dtype, [0], device)

/** An unchanged tensor, including its strides. */
function unchanged(c: OpCall, { meta: { dtype, shape, device, stride } }: FakeTensor): FakeTensor {
  return c.fresh(dtype, shape, device, stride ?? undefined)
}

export const rules = (): Rules => ({
  '_c10d_functional.all_reduce _c10d_functional.broadcast': one(),
  '_c10d_functional.all_reduce_coalesced': each(),
  '_c10d_functional.all_gather_into_tensor': one(mulDims),
  '_c10d_functional.all_gather_into_tensor_coalesced': each(mulDims),
  '_c10d_functional.reduce_scatter_tensor': one(floorDiv),
  '_c10d_functional.reduce_scatter_tensor_coalesced': each(floorDiv),
  '_c10d_functional.wait_tensor _c10d_functional.irecv': { meta: (c) => unchanged(c, c.tensor('tensor')) },
  '_c10d_functional._wrap_tensor_autograd': { meta: (c) => unchanged(c, c.tensor('input')) },
  '_c10d_functional.isend': { meta: (c) => sent(c, c.tensor('tensor')) },
  '_c10d_functional.batch_p2p_ops': {
    meta: (c) => {
      const kinds = itemsOf(c.get('op_list')) ?? []
      return c.tensors('tensors').map((t, i) => (kinds[i] === 'isend' ? sent(c, t) : unchanged(c, t)))
    },
  },
  '_c10d_functional.all_to_all_single': {
    meta: (c, { meta: { dtype, shape, device } }) => {
      const sizes = c.dims('output_split_sizes')!
      return c.fresh(dtype, [sizes.length === 0 ? shape[0]! : sizes.reduce(addDims), ...shape.slice(1)], device)
    },
  },
})

export const KERNELS: Kernels = inNamespace('_c10d_functional', [functionalAllReduce])

export const TRAITS: Traits = {
  passes:
    'all_gather_into_tensor all_gather_into_tensor_coalesced all_reduce all_reduce_coalesced all_to_all_single reduce_scatter_tensor reduce_scatter_tensor_coalesced wait_tensor',
}
