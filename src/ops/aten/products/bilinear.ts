/** Products of three tensors, weight normalization, and integer matrix products. */
import type { Dim } from '../../../fx'
import { dtype as dtypeArg } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { cppType } from '../../promote'
import { broadcastShapes } from '../../strides'
import { runtimeError } from '../../torch_error'
import { reshape } from '../views/reshape'
import { transpose } from '../views/permute'

/** The product of three tensors, each with new dimensions of size 1, summed over `sumdim`. */
function trilinear(c: OpCall): FakeTensor {
  const [a, b, d] = ['i1', 'i2', 'i3'].map((name, i) => {
    const shape: Dim[] = [...c.tensor(name).meta.shape]
    for (const at of c.dims(`expand${i + 1}`)!.map(Number)) shape.splice(at, 0, 1)
    return shape
  }) as [Dim[], Dim[], Dim[]]
  const summed = c.dims('sumdim')!.map(Number)
  const shape = broadcastShapes([a, b, d]).filter((_, i) => !summed.includes(i))
  return c.fresh(c.tensor('i1').meta.dtype, shape, c.tensor('i1').meta.device)
}

function bilinear(c: OpCall): FakeTensor {
  const [x, y, weight] = [c.tensor('input1'), c.tensor('input2'), c.tensor('weight')]
  if (new Set([x, y, weight].map((t) => t.meta.dtype)).size > 1)
    throw runtimeError(
      `All tensors must have the same dtype, got input1: ${cppType(x.meta.dtype)}, input2: ${cppType(y.meta.dtype)}, weight: ${cppType(weight.meta.dtype)}`,
    )
  const flat = (t: FakeTensor): FakeTensor => c.op('aten.view.default', t, [-1n, BigInt(Number(t.meta.shape.at(-1)))])
  const first = flat(x)
  const dims: DispatchArg[] = [[1n, 3n], [0n], [1n, 2n], [2n, 3n]]
  const product = c.op('aten._trilinear.default', first, weight, flat(y), ...dims)
  const out = reshape(c, product, [...x.meta.shape.slice(0, -1), weight.meta.shape[0]!])
  return c.has('bias') ? c.op('aten.add.Tensor', out, c.tensor('bias')) : out
}

/** The norm over every dimension but one. */
function normExceptDim(c: OpCall, v: FakeTensor, pow: DispatchArg, dim: number): FakeTensor {
  const { shape } = v.meta
  const last = shape.length - 1
  const norm = (x: FakeTensor, over: bigint): FakeTensor => c.op('aten.norm.ScalarOpt_dim', x, pow, [over])
  const sizes = shape.map((d, i) => (i === dim ? d : 1))
  if (dim === -1) return c.op('aten.norm.Scalar', v, pow)
  const dense = (): FakeTensor => c.op('aten.contiguous.default', v)
  if (dim === 0)
    return c.op(
      'aten.view.default',
      norm(c.op('aten.view.default', dense(), [dimArgs(shape)[0]!, -1n]), 1n),
      dimArgs(sizes),
    )
  if (dim === last)
    return c.op(
      'aten.view.default',
      norm(c.op('aten.view.default', dense(), [-1n, dimArgs(shape)[last]!]), 0n),
      dimArgs(sizes),
    )
  return transpose(c, normExceptDim(c, transpose(c, v, 0, dim), pow, 0), 0, dim)
}

export const rules = (): Rules => ({
  'aten._trilinear': { meta: trilinear },
  'aten.bilinear': { implicit: bilinear },
  'aten.norm_except_dim': {
    implicit: (c) => normExceptDim(c, c.tensor('v'), c.get('pow'), c.int('dim')),
  },
  'aten._weight_norm': {
    implicit: (c) => {
      const v = c.op('aten.contiguous.default', c.tensor('v'))
      const g = c.op('aten.contiguous.default', c.tensor('g'))
      const dim = c.int('dim')
      const half = v.meta.dtype === 'float16' || g.meta.dtype === 'float16'
      if (!half && (dim === 0 || dim === v.meta.shape.length - 1))
        return itemsOf(c.call('aten._weight_norm_interface.default', [v, g, BigInt(dim)]))![0]
      const scale = c.op('aten.div.Tensor', g, c.op('aten.norm_except_dim.default', v, 2n, BigInt(dim)))
      return c.op('aten.mul.Tensor', v, scale)
    },
  },
  'aten._weight_norm_interface': {
    decomp: (c) => {
      const [v, g] = [c.tensor('v'), c.tensor('g')]
      const kept = v.meta.shape.map((_, i) => i).filter((i) => i !== c.int('dim'))
      const options: Record<string, DispatchArg> = g.meta.dtype === 'bfloat16' ? { dtype: dtypeArg('float32') } : {}
      const norm = c.call('aten.linalg_vector_norm.default', [v, 2n, kept.map(BigInt), true], options) as FakeTensor
      const same = norm.meta.dtype === g.meta.dtype
      const scale = same ? norm : c.op('prims.convert_element_type.default', norm, dtypeArg(g.meta.dtype))
      const out = c.op('aten.mul.Tensor', v, c.op('aten.div.Tensor', g, scale))
      return { kind: 'tuple', items: [out, norm] }
    },
  },
  'aten._int_mm': {
    meta: (c) => {
      const [a, b] = [c.tensor('self').meta, c.tensor('mat2').meta]
      if (a.shape.length !== 2) throw runtimeError('a must be a 2D tensor')
      if (b.shape.length !== 2) throw runtimeError('b must be a 2D tensor')
      if (a.dtype !== 'int8') throw runtimeError(`expected self to be int8, got ${a.dtype}`)
      if (b.dtype !== 'int8') throw runtimeError(`expected mat2 to be int8, got ${b.dtype}`)
      if (typeof a.shape[1] === 'number' && typeof b.shape[0] === 'number' && a.shape[1] !== b.shape[0])
        throw runtimeError(
          `Incompatible matrix sizes for _int_mm (${a.shape[0]}x${a.shape[1]} and ${b.shape[0]}x${b.shape[1]})`,
        )
      return c.fresh('int32', [a.shape[0]!, b.shape[1]!], a.device)
    },
  },
})
