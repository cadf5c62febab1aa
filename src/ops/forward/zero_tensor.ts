/**
 * Calls on zeros without a node (aten._efficientzerotensor): sums and products answer without reading them, other operators read
 * `zeros([]).expand(sizes)` (BinaryOps.cpp, ZeroTensorFallback.cpp).
 */
import { dtype } from '../../fx'
import { dimArgs, isFake, itemsOf, type DispatchArg, type FakeTensor } from '../fake'
import type { OpCall } from '../op_call'
import { elementwiseDtype } from '../promote'
import { broadcastShapes } from '../strides'

const isZero = (a: DispatchArg): a is FakeTensor => isFake(a) && a.zero === true

/** Undefined: no argument is such a tensor. */
export function onZeros(c: OpCall): DispatchArg | undefined {
  const values = c.all()
  if (!values.some((v) => isZero(v) || (itemsOf(v) ?? []).some(isZero))) return undefined
  const binary = /^aten\.(add|sub|mul|div)\.Tensor$/.exec(c.schema.name)?.[1]
  const [x, y] = [c.get('self'), c.get('other')]
  if (binary && isFake(x)) {
    const made = resultOf(c, x, y)
    if (binary === 'mul' || (binary === 'div' && isZero(x))) return { ...made, zero: true }
    if (binary !== 'div' && isZero(x) && isZero(y)) return { ...made, zero: true }
    if (binary === 'add' && isZero(x)) return like(c, y as FakeTensor, made)
    if (binary === 'sub' && isZero(x)) return c.op('aten.mul.Scalar', like(c, y as FakeTensor, made), -1n)
    if (binary !== 'div') return like(c, x, made)
  }
  const filled = (v: DispatchArg): DispatchArg =>
    isZero(v) ? zeros(c, v) : itemsOf(v)?.some(isZero) ? itemsOf(v)!.map(filled) : v
  return c.call(c.schema.name, [], Object.fromEntries(c.schema.args.map((a, i) => [a.name, filled(values[i]!)])))
}

/** Metadata of an elementwise result. */
function resultOf(c: OpCall, x: FakeTensor, y: DispatchArg): FakeTensor {
  const shape = broadcastShapes([x, y].filter(isFake).map((t) => t.meta.shape))
  return c.fresh(elementwiseDtype([x, y]), shape, x.meta.device)
}

/** `x` with the sizes and the dtype of a sum with zeros. */
function like(c: OpCall, x: FakeTensor, { meta }: FakeTensor): FakeTensor {
  const expanded = c.op('aten.expand.default', x, dimArgs(meta.shape))
  return c.op('prims.convert_element_type.default', expanded, dtype(meta.dtype))
}

function zeros(c: OpCall, { meta }: FakeTensor): FakeTensor {
  const options = {
    dtype: dtype(meta.dtype),
    layout: { kind: 'layout', name: 'strided' } as const,
    device: meta.device ?? null,
    pin_memory: false,
  }
  const scalar = c.call('aten.full.default', [[], 0n], options) as FakeTensor
  return c.op('aten.expand.default', scalar, dimArgs(meta.shape))
}
