/** Ranks and pseudoinverses, which take tolerances; and solving and inverting tensors that are reshaped to matrices. */
import { dtype as dtypeArg, layout } from '../../../fx'
import { type DispatchArg, type FakeTensor, itemsOf, rankOf, shapeOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { toReal } from '../../promote'
import { productOf } from '../../sym'
import { runtimeError } from '../../torch_error'
import { reshape } from '../views/reshape'
import { checked } from './factor'
import { matricesOf } from './matrices'

const EPSILON: Readonly<Record<string, number>> = { float32: 2 ** -23, float64: 2 ** -52 }

const number = (c: OpCall, x: FakeTensor, value: DispatchArg): FakeTensor =>
  c.call('aten.full.default', [[], value], {
    dtype: dtypeArg('float64'),
    layout: layout('strided'),
    device: x.meta.device!,
  }) as FakeTensor

/** get_atol_rtol: both as tensors; null if the default depends on values that no rule knows. */
function tolerances(c: OpCall, x: FakeTensor): readonly [FakeTensor, FakeTensor] | null {
  const given = (name: string): FakeTensor | number | null =>
    c.has(name) ? (c.maybeTensor(name) ?? c.number(name)) : null
  const [atol, rtol] = [given('atol'), given('rtol')]
  const sizes = shapeOf(x).slice(-2)
  const epsilon = EPSILON[toReal(x.meta.dtype)]
  if (rtol === null && (typeof atol === 'object' ? atol !== null : !sizes.every((d) => typeof d === 'number')))
    return null
  if (rtol === null && epsilon === undefined) return null
  const usual = typeof atol === 'number' && atol > 0 ? 0 : epsilon! * Math.max(...sizes.map(Number))
  const zeros = (): FakeTensor =>
    c.call('aten.zeros.default', [[]], { dtype: dtypeArg('float64'), device: x.meta.device! }) as FakeTensor
  const tensor = (value: FakeTensor | number): FakeTensor => (typeof value === 'number' ? number(c, x, value) : value)
  const ofTensors = c.schema.name.endsWith('_tensor')
  return [atol === null && ofTensors ? zeros() : tensor(atol ?? 0), tensor(rtol ?? usual)]
}

/** The singular values that are greater than both tolerances. */
function counted(c: OpCall, x: FakeTensor, atol: FakeTensor, rtol: FakeTensor): FakeTensor {
  const hermitian = c.bool('hermitian')
  const values = hermitian
    ? c.op('aten.abs.default', c.op('aten.linalg_eigvalsh.default', x))
    : c.op('aten.linalg_svdvals.default', x)
  const largest = hermitian
    ? c.op('aten.amax.default', values, [-1n], true)
    : c.op('aten.narrow.default', values, -1n, 0n, 1n)
  const scaled = c.op('aten.mul.Tensor', c.op('aten.unsqueeze.default', rtol, -1n), largest)
  const least = c.op('aten.maximum.default', c.op('aten.unsqueeze.default', atol, -1n), scaled)
  return c.op('aten.sum.dim_IntList', c.op('aten.gt.Tensor', values, least), [-1n])
}

const rank: OpDef = {
  called: false,
  implicit: (c) => {
    const { x } = matricesOf(c, c.schema.args[0]!.name, 'torch.linalg.matrix_rank')
    if (c.schema.name.endsWith('.tol_tensor')) return undefined
    const found = c.has('tol') ? ([number(c, x, c.get('tol')), number(c, x, 0)] as const) : tolerances(c, x)
    return found ? counted(c, x, ...found) : undefined
  },
}

export const rules = (): Rules => ({
  'aten.linalg_matrix_rank': rank,
  'aten.linalg_pinv.atol_rtol_float': {
    called: false,
    implicit: (c) => {
      const x = c.tensor('self')
      const found = tolerances(c, x)
      const options: Record<string, DispatchArg> = c.bool('hermitian') ? { hermitian: true } : {}
      return found
        ? c.call('aten.linalg_pinv.atol_rtol_tensor', [x], { atol: found[0], rtol: found[1], ...options })
        : undefined
    },
  },
  'aten.linalg_tensorinv': {
    called: false,
    implicit: (c) => {
      const x = c.tensor('self')
      const at = c.int('ind', 2)
      if (at <= 0) throw runtimeError("Expected a strictly positive integer for 'ind'")
      const [ahead, behind] = [shapeOf(x).slice(0, at), shapeOf(x).slice(at)]
      const square = reshape(c, x, [productOf(behind), productOf(ahead)])
      const out = checked(c, c.call('aten.linalg_inv_ex.default', [square]), 1, 'inv', square)
      return reshape(c, out, [...behind, ...ahead])
    },
  },
  'aten.linalg_tensorsolve': {
    called: false,
    implicit: (c) => {
      let x = c.tensor('self')
      const other = c.tensor('other')
      const dims = itemsOf(c.get('dims'))
      if (dims)
        x = c.op(
          'aten.movedim.intlist',
          x,
          dims,
          dims.map((_, i) => BigInt(i - dims.length)),
        )
      const sizes = shapeOf(x).slice(rankOf(other))
      const square = reshape(c, x, [productOf(shapeOf(other)), productOf(sizes)])
      const right = reshape(c, other, [productOf(shapeOf(other))])
      return reshape(c, c.op('aten.linalg_solve.default', square, right), sizes)
    },
  },
})
