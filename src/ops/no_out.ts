/**
 * out= overloads that cannot be traced: PyTorch 2.14.1 decomposes them with functions that have no `out` parameter, so
 * Python rejects the call. From _inductor's select_decomp_table(): the overloads whose function lacks the parameter.
 */
import { TorchError } from './torch_error'

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
