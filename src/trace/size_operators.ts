/** Operators that read a tensor's sizes: numel, size, stride. */
import type { Dim, TensorMeta } from '../fx'
import { wrapDim } from '../ops/op_call'
import { contiguousStrides } from '../ops/strides'
import { productOf } from '../ops/sym'

/** Values of the size operators by overload name. */
export const SIZE_OPERATORS: Readonly<Record<string, (meta: TensorMeta, dim: number) => Dim>> = {
  'aten.sym_numel.default': ({ shape }) => productOf(shape),
  'aten.sym_size.int': ({ shape }, dim) => shape[wrapDim(dim, shape.length)]!,
  'aten.sym_stride.int': ({ shape, stride }, dim) => (stride ?? contiguousStrides(shape))[wrapDim(dim, shape.length)]!,
}
