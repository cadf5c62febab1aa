/** Calls that write their results to the caller's tensors: `out=`, or `values=` and `indices=`. */
import { type DispatchArg, type FakeTensor, dimArgs, isFake, itemsOf, shapeOf } from './fake'
import type { OpSchema } from './schema'
import { sameDims } from './sym'
import { categoryOf } from './promote'
import { runtimeError, TorchError } from './torch_error'

/**
 * Overloads that cannot be traced: PyTorch 2.14.1 decomposes them with functions that have no `out` parameter, so
 * Python rejects the call. From _inductor's select_decomp_table(): the overloads whose function lacks the parameter.
 */
const REFUSED = new Set(
  (
    'add.out add.Scalar_out addmm.out addmm.dtype_out amax.out amin.out angle.out bmm.out bmm.dtype_out clamp.out ' +
    'clamp.Tensor_out conj_physical.out fmax.out fmin.out full_like.out grid_sampler_2d.out index_add.out ' +
    'index_reduce.out lift.out masked_scatter.out mm.out mm.dtype_out narrow_copy.out put.out resize_as.out silu.out'
  )
    .split(' ')
    .map((name) => `aten.${name}`),
)

/** @throws TorchError TypeError, like the decomposition's call */
export function refuseOut(target: string): void {
  if (REFUSED.has(target))
    throw new TorchError('TypeError', `${target.split('.')[1]}() got an unexpected keyword argument 'out'`)
}

/** Operators whose decomposition is not registered for their out= overload. */
const UNDECOMPOSED = new Set(
  (
    '_softmax_backward_data zeros ones empty_permuted randint_like _native_batch_norm_legit ' +
    '_native_batch_norm_legit_no_training native_group_norm logsumexp unbind_copy addcmul addcdiv baddbmm'
  )
    .split(' ')
    .map((name) => `aten.${name}`),
)

/** Operators whose out= overload calls another operator's out= overload. */
const OTHER_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'true_divide:div divide:div multiply:mul subtract:sub greater:gt greater_equal:ge less:lt less_equal:le not_equal:ne ' +
    'clip:clamp absolute:abs fix:trunc arccos:acos arccosh:acosh arcsin:asin arcsinh:asinh arctan:atan arctanh:atanh ' +
    'arctan2:atan2 negative:neg concat:cat concatenate:cat'
  )
    .split(' ')
    .map((pair) => pair.split(':').map((name) => `aten.${name}`) as [string, string]),
)

/** The tensors that an out= overload writes to and returns; none for other overloads. */
export function outsOf({ args, returns, mutable }: OpSchema, values: ReadonlyMap<string, DispatchArg>): FakeTensor[] {
  if (!mutable || returns.length === 0 || !returns.every((r) => r.write)) return []
  const outs = args.filter((a) => a.kwargOnly && a.written).map((a) => values.get(a.name))
  return outs.length === returns.length && outs.every(isFake) ? outs : []
}

export const decomposesOut = (packet: string): boolean => !UNDECOMPOSED.has(packet)

/** The overload that `multiply.out` calls: `mul.out`; undefined for one that computes by itself. */
export function calledByOut(target: string): string | undefined {
  const at = target.lastIndexOf('.')
  const other = OTHER_NAMES[target.slice(0, at)]
  return other && other + target.slice(at)
}

/** @throws TorchError RuntimeError if the out tensor's dtype cannot hold the result */
function checkCast(from: FakeTensor, to: FakeTensor): void {
  if (categoryOf(from.meta.dtype) > categoryOf(to.meta.dtype))
    throw runtimeError(
      `Attempting to cast from torch.${from.meta.dtype} to out tensor with dtype torch.${to.meta.dtype}, but this can't be cast because it is not safe!`,
    )
}

/** The result of a call that computed `made`: its out tensors, resized to the results. */
export function asOuts(outs: readonly FakeTensor[], made: DispatchArg): DispatchArg {
  for (const [i, out] of outs.entries()) {
    const result = itemsOf(made)?.[i] ?? made
    if (!isFake(result) || result === out) continue
    checkCast(result, out)
    if (!sameDims(shapeOf(result), shapeOf(out)))
      (out as { meta: typeof out.meta }).meta = { ...out.meta, shape: result.meta.shape, stride: result.meta.stride }
  }
  return outs.length === 1 ? outs[0]! : { kind: 'tuple', items: outs }
}

/** Copies the results of a decomposition to the out tensors, as out_wrapper does. */
export function copiedToOuts(
  outs: readonly FakeTensor[],
  made: DispatchArg,
  call: (name: string, args: readonly DispatchArg[]) => DispatchArg,
): DispatchArg {
  for (const [i, out] of outs.entries()) {
    const result = itemsOf(made)?.[i] ?? made
    if (!isFake(result) || result === out) continue
    checkCast(result, out)
    if (!sameDims(shapeOf(result), shapeOf(out))) call('aten.resize_.default', [out, dimArgs(shapeOf(result))])
    call('aten.copy_.default', [out, result])
  }
  return outs.length === 1 ? outs[0]! : { kind: 'tuple', items: outs }
}
