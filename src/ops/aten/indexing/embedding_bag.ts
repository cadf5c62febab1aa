/** Sums, means and maxima of rows of a table, by bags. */
import type { Dim } from '../../../fx'
import { dimArg, type DispatchArg, shapeOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Traits, OpDef, Rules } from '../../operator'
import { isFloatDtype } from '../../promote'
import { isOne, productOf, subDims } from '../../sym'
import { runtimeError } from '../../torch_error'

const MAX = 2

/** `padding_idx` in the kernel's form: -1 for none, else counted from the start. */
function paddingIdx(c: OpCall): DispatchArg {
  if (!c.has('padding_idx')) return -1n
  const given = c.int('padding_idx')
  const rows = shapeOf(c.tensor('weight'))[0]!
  return given < 0 && typeof rows === 'number' ? BigInt(given + rows) : BigInt(given)
}

const forward = (padding: (c: OpCall) => DispatchArg): OpDef => ({
  implicit: (c) => {
    const dense = (name: string): DispatchArg => c.op('aten.contiguous.default', c.tensor(name))
    const rest = ['scale_grad_by_freq', 'mode', 'sparse', 'per_sample_weights', 'include_last_offset'].map((n) =>
      c.get(n),
    )
    const args = [c.tensor('weight'), dense('indices'), dense('offsets'), ...rest, padding(c)]
    const followed = (c.functional || c.tensor('weight').lifted) && c.tensor('weight').meta.requiresGrad
    if (followed) return c.call('aten._embedding_bag.default', args)
    // per_sample_weights of None becomes an undefined tensor.
    return c.callKeeping('aten._embedding_bag_forward_only.default', args, c.has('per_sample_weights') ? 0 : 7)
  },
})

/** The checks of meta_embedding_bag. @throws TorchError RuntimeError */
function checkBags(c: OpCall): void {
  for (const name of ['indices', 'offsets']) {
    const { dtype } = c.tensor(name).meta
    if (dtype !== 'int64' && dtype !== 'int32')
      throw runtimeError(`expected ${name} to be long or int, got torch.${dtype}`)
  }
  const { dtype } = c.tensor('weight').meta
  if (!isFloatDtype(dtype)) throw runtimeError(`expected weight to be floating point type, got torch.${dtype}`)
  const scale = c.maybeTensor('per_sample_weights')?.meta.shape
  if (!scale) return
  if (c.int('mode') !== 0) throw runtimeError("embedding_bag: per_sample_weights only supported with mode='sum'")
  if (scale.length !== 1) throw runtimeError(`expected per_sample_weights to be 1D tensor, got ${scale.length}D`)
  const [given, count] = [scale[0]!, productOf(shapeOf(c.tensor('indices')))]
  if (typeof given === 'number' && typeof count === 'number' && given !== count)
    throw runtimeError(`expected per_sample_weights.numel() (${given} to be the same as indices.numel() (${count})`)
}

/** meta_embedding_bag: output, offset2bag, bag_size, max_indices. */
const bags: OpDef = {
  meta: (c) => {
    const [weight, indices, offsets] = [c.tensor('weight'), c.tensor('indices'), c.tensor('offsets')]
    checkBags(c)
    const { dtype, device } = offsets.meta
    const given = shapeOf(offsets)[0]!
    const count = c.bool('include_last_offset') ? subDims(given, 1) : given
    const width = shapeOf(weight)[1]!
    const mode = c.int('mode')
    const onCpu = weight.meta.device?.type === 'cpu'
    const ints = (...shape: Dim[]): DispatchArg => c.fresh(dtype, shape, device)
    const length = mode !== 0 || !onCpu || !sumsFast(c) ? shapeOf(indices)[0]! : 0
    const picked = mode === MAX ? ints(count, width) : onCpu ? ints(count) : ints(0)
    return {
      kind: 'tuple',
      items: [c.fresh(weight.meta.dtype, [count, width], weight.meta.device), ints(length), ints(given), picked],
    }
  },
}

/** True if the CPU kernel sums without computing the bag of each index. */
function sumsFast(c: OpCall): boolean {
  const { dtype, stride } = c.tensor('weight').meta
  const scale = c.maybeTensor('per_sample_weights')?.meta.stride
  if (scale && !isOne(scale[0]!)) return false
  if (!['float32', 'float16'].includes(dtype) || c.int('padding_idx') >= 0) return false
  return stride === null || stride === undefined || isOne(stride[1]!)
}

export const rules = (): Rules => ({
  'aten.embedding_bag.default': forward(() => dimArg(-1)),
  'aten.embedding_bag.padding_idx': forward(paddingIdx),
  'aten._embedding_bag': bags,
  'aten._embedding_bag_forward_only': bags,
})

export const TRAITS: Traits = {
  view: '_embedding_bag _embedding_bag_forward_only',
}
