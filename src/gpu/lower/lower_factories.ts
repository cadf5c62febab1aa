/** Lowers factories (`empty`, `full`, `zeros` and similar): the result's layout and fill value. */
import { dtypeInfo } from '../../ops/dtype'
import type { TensorView } from '../../ops/kernel'
import { contiguousStrides } from '../../ops/strides'
import { CannotRun, denseLike, isFresh, isItems, isTensor, viewOf, type Value } from './lower_values'
import type { Lowers } from './lowers'
import type { RunNode } from '../types'

/** The tensor that a factory creates: from the dump if it is there, otherwise from its arguments. */
export function factoryView(on: Lowers, node: RunNode, args: Value[], kwargs: Record<string, Value>): TensorView {
  if (node.meta) {
    const view = viewOf(node.name, node.meta, on.symbols)
    const shape = on.withTokens(view.shape)
    return { ...view, shape, stride: shape === view.shape ? view.stride : denseLike(view.stride, shape) }
  }
  const like = args[0]
  if (like !== undefined && (isTensor(like) || isFresh(like)) && /_like\b/.test(node.target)) {
    const { dtype, shape } = isTensor(like) ? like.view : like.fresh
    const wanted = kwargs['dtype']
    const named = typeof wanted === 'object' && wanted !== null && 'dtype' in wanted ? dtypeInfo(wanted.dtype) : null
    return { dtype: named?.name ?? dtype, shape, stride: contiguousStrides(shape), offset: 0 }
  }
  const size = args[0]
  const shape = size !== undefined && isItems(size) ? size.items : []
  const dtype = kwargs['dtype']
  const name = typeof dtype === 'object' && dtype !== null && 'dtype' in dtype ? dtype.dtype : 'float32'
  if (!shape.every((n) => typeof n === 'number')) throw new CannotRun(`the size of ${node.name} is unknown`)
  const info = dtypeInfo(name)
  if (!info) throw new CannotRun(`the dtype ${name} of ${node.name} is not supported`)
  const sizes = shape as number[]
  return { dtype: info.name, shape: sizes, stride: contiguousStrides(sizes), offset: 0 }
}
