/** Products that decompose into mm and bmm: matmul, linear, and matrix-vector products. */
import type { Dim } from '../../../fx'
import { dimArg, dimArgs, type FakeTensor, shapeOf, toDim } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Traits, Rules } from '../../operator'
import { computationDtype, cppName, elementwiseDtype, isComplexDtype, isFloatDtype } from '../../promote'
import { broadcastShapes, contiguousStrides, listText, stridesOf } from '../../strides'
import { isOne, isZero, mulDims, sameDim } from '../../sym'
import { runtimeError } from '../../torch_error'
import { cast, inOpmath } from '../elementwise/elementwise_rule'
import { transpose } from '../views/permute'
import { reshape } from '../views/reshape'
import { batched } from './mm'
import * as guess from '../../guess/relations'

/** should_fold: the product of a contiguous batch of matrices and one matrix is a single mm. */
function folds(a: FakeTensor, b: FakeTensor): boolean {
  const [large, small] = shapeOf(a).length >= shapeOf(b).length ? [a, b] : [b, a]
  if (shapeOf(large).length < 3 || shapeOf(small).length > 2) return false
  if (small.meta.requiresGrad) return true
  if (shapeOf(a).length === 2) return false
  const stride = stridesOf(large.meta)
  return (
    shapeOf(large).some(isZero) ||
    contiguousStrides(shapeOf(large)).every((d, i) => isOne(shapeOf(large)[i]!) || sameDim(d, stride[i]!))
  )
}

/** c10::multiply_integers: symbolic sizes are multiplied from the left, which is the order of the graph's operands. */
const multiplied = (c: OpCall, sizes: readonly Dim[]): Dim =>
  sizes.reduce<Dim>((product, d) => toDim(c.call('operator.mul', [dimArg(product), dimArg(d)])), 1)

/** at::matmul. */
export function matmul(c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor {
  const [ra, rb] = [shapeOf(a).length, shapeOf(b).length]
  if (ra === 0 || rb === 0)
    throw runtimeError(`both arguments to matmul need to be at least 1D, but they are ${ra}D and ${rb}D`)
  if (ra === 1 && rb === 1) return c.op('aten.dot.default', a, b)
  if (ra === 2 && rb === 1) return c.op('aten.mv.default', a, b)
  if (ra === 1 && rb === 2)
    return c.op('aten.squeeze.dim', c.op('aten.mm.default', c.op('aten.unsqueeze.default', a, 0n), b), 0n)
  if (ra === 2 && rb === 2) return c.op('aten.mm.default', a, b)
  if (folds(a, b)) return folded(c, a, b, ra < rb)
  // Each side as a batch of matrices, broadcast to a common batch.
  const [n, m1] = [ra > 1 ? shapeOf(a).at(-2)! : 1, shapeOf(a).at(-1)!]
  const [m2, p] = [rb > 1 ? shapeOf(b).at(-2)! : shapeOf(b).at(-1)!, rb > 1 ? shapeOf(b).at(-1)! : 1]
  const lead = [shapeOf(a).slice(0, Math.max(ra - 2, 0)), shapeOf(b).slice(0, Math.max(rb - 2, 0))]
  const batch = broadcastShapes(lead, listText)
  const count = multiplied(c, batch)
  const left = reshape(c, c.op('aten.expand.default', a, dimArgs([...batch, n, m1])), [count, n, m1])
  const shape = dimArgs([...batch, ...(ra > 1 ? [n] : []), ...(rb > 1 ? [p] : [])])
  if (rb === 1) {
    const rows = reshape(c, c.op('aten.expand.default', b, dimArgs([...batch, m2])), [count, m2])
    const out = c.op('aten.bmm.default', left, c.op('aten.unsqueeze.default', rows, 2n))
    return c.op('aten.view.default', c.op('aten.squeeze.dim', out, -1n), shape)
  }
  const right = reshape(c, c.op('aten.expand.default', b, dimArgs([...batch, m2, p])), [count, m2, p])
  return c.op('aten.view.default', c.op('aten.bmm.default', left, right), shape)
}

function folded(c: OpCall, a: FakeTensor, b: FakeTensor, transposed: boolean): FakeTensor {
  const large = transposed ? transpose(c, b, -2, -1) : a
  const small = transposed ? (shapeOf(a).length === 2 ? transpose(c, a, 0, 1) : a) : b
  const lead = shapeOf(large).slice(0, -1)
  const flat = reshape(c, large, [multiplied(c, lead), shapeOf(large).at(-1)!])
  if (shapeOf(small).length === 1) return c.op('aten.view.default', c.op('aten.mv.default', flat, small), dimArgs(lead))
  const out = c.op('aten.view.default', c.op('aten.mm.default', flat, small), dimArgs([...lead, shapeOf(small)[1]!]))
  return transposed ? (c.call('aten.contiguous.default', [transpose(c, out, -2, -1)]) as FakeTensor) : out
}

/** _dot_check. @throws TorchError RuntimeError */
function checkVectors(a: FakeTensor, b: FakeTensor): void {
  const ranks = [a, b].map((t) => shapeOf(t).length)
  if (ranks.some((n) => n !== 1))
    throw runtimeError(`1D tensors expected, but got ${ranks[0]}D and ${ranks[1]}D tensors`)
  if (a.meta.dtype !== b.meta.dtype)
    throw runtimeError(
      `dot : expected both vectors to have same dtype, but found torch.${a.meta.dtype} and torch.${b.meta.dtype}`,
    )
  const [n, m] = [shapeOf(a)[0]!, shapeOf(b)[0]!]
  if (typeof n === 'number' && typeof m === 'number' && n !== m)
    throw runtimeError(
      `inconsistent tensor size, expected tensor [${n}] and src [${m}] to have thesame number of elements, but got ${n} and ${m} elements respectively`,
    )
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.mv': {
    shape: '[n, k] and [k] give [n].',
    decomp: (c) => {
      const [m, v] = [c.tensor('self'), c.tensor('vec')]
      if (shapeOf(m).length !== 2 || shapeOf(v).length !== 1)
        throw runtimeError(`matrix @ vector expected, got ${shapeOf(m).length}, ${shapeOf(v).length}`)
      const [rows, columns] = shapeOf(m) as [Dim, Dim]
      const size = shapeOf(v)[0]!
      if (typeof columns === 'number' && typeof size === 'number' && columns !== size)
        throw runtimeError(`size mismatch, got input (${rows}x${columns}), vec (${size})`)
      return inOpmath(c, [m, v], (a, b) => c.op('aten.sum.dim_IntList', c.op('aten.mul.Tensor', a!, b!), [1n]))
    },
  },
  'aten.addmv': {
    decomp: (c) => {
      const dtypes = ['self', 'mat', 'vec'].map((name) => `torch.${c.tensor(name).meta.dtype}`)
      if (new Set(dtypes).size > 1)
        throw runtimeError(
          `addmv input tensors must have the same dtype, but got ${dtypes[0]}, ${dtypes[1]}, and ${dtypes[2]}`,
        )
      return inOpmath(c, [c.tensor('self'), c.tensor('mat'), c.tensor('vec')], (self, mat, vec) => {
        const alpha = c.get('alpha')
        const beta = c.get('beta')
        const out = c.op('aten.mul.Tensor', c.op('aten.mv.default', mat!, vec!), alpha)
        return beta === 0n ? out : c.op('aten.add.Tensor', out, c.op('aten.mul.Tensor', self!, beta))
      })
    },
  },
  'aten.addr': {
    decomp: (c) => {
      const given = ['self', 'vec1', 'vec2'].map((name) => c.tensor(name))
      const result = elementwiseDtype(given)
      const [x, u, v] = given.map((t) => cast(c, t, computationDtype(result))) as [FakeTensor, FakeTensor, FakeTensor]
      const [m, n] = [shapeOf(u)[0]!, shapeOf(v)[0]!]
      const wide = c.op('aten.expand.default', x, dimArgs([m, n]))
      const [alpha, beta] = [c.get('alpha'), c.get('beta')]
      const outer = (): FakeTensor => c.op('aten.mul.Tensor', c.op('aten.view.default', u, dimArgs([m, 1])), v)
      if (result === 'bool' && alpha === 1n && beta === 1n) return c.op('aten.logical_or.default', wide, outer())
      const scaled = beta === 0n ? null : c.op('aten.mul.Tensor', wide, beta)
      const product = c.op('aten.mul.Tensor', outer(), alpha)
      return cast(c, scaled ? c.op('aten.add.Tensor', scaled, product) : product, result)
    },
  },
  'aten.addbmm': {
    meta: (c) => {
      const out = batched(c, c.tensor('batch1'), c.tensor('batch2'), false)
      return c.fresh(out.meta.dtype, shapeOf(out).slice(1), out.meta.device)
    },
  },
  'aten.dot': {
    decomp: (c) => {
      const operands = [c.tensor('self'), c.tensor('tensor')] as const
      checkVectors(...operands)
      return inOpmath(c, operands, (a, b) => c.op('aten.sum.default', c.op('aten.mul.Tensor', a!, b!)))
    },
  },
  'aten.matmul aten.__matmul__': {
    shape: '[…, n, k] and […, k, m] give […, n, m]; leading dimensions broadcast, and a vector loses its dimension.',
    implicit: (c) => matmul(c, c.tensor('self'), c.tensor('other')),
  },
  'aten.linear': {
    shape: '[…, in] with a weight [out, in] gives […, out].',
    guess: guess.linear,
    implicit: (c) => {
      const [x, w, bias] = [c.tensor('input'), c.tensor('weight'), c.maybeTensor('bias')]
      const rank = shapeOf(x).length
      if (bias && rank === 2) return c.op('aten.addmm.default', bias, x, c.op('aten.t.default', w))
      if (bias && (rank === 1 || (rank >= 3 && folds(x, w)))) {
        const lead = shapeOf(x).slice(0, -1)
        const flat = reshape(c, x, [multiplied(c, lead), shapeOf(x).at(-1)!])
        const out = c.op('aten.addmm.default', bias, flat, c.op('aten.t.default', w))
        return c.op('aten.view.default', out, dimArgs([...lead, shapeOf(w)[0]!]))
      }
      const out = matmul(c, x, shapeOf(w).length === 2 ? c.op('aten.t.default', w) : w)
      return bias ? c.op('aten.add.Tensor', out, bias) : out
    },
  },
  'aten.vdot': { implicit: (c) => c.op('aten.dot.default', c.tensor('self'), c.tensor('other')) },
  'aten.linalg_vecdot': {
    implicit: (c) => {
      const [x, y] = [c.tensor('x'), c.tensor('y')]
      const [first, second] = [cppName(x.meta.dtype), cppName(y.meta.dtype)]
      if (!isFloatDtype(x.meta.dtype) && !isComplexDtype(x.meta.dtype))
        throw runtimeError(`linalg.vecdot: Expected a floating point or complex tensor as input. Got ${first}`)
      if (first !== second)
        throw runtimeError(
          `linalg.vecdot: Expected x and y to have the same dtype, but found x of type ${first} and y of type ${second} instead`,
        )
      if (x.meta.shape.length === 1 && y.meta.shape.length === 1) return c.op('aten.vdot.default', x, y)
      return c.op('aten.sum.dim_IntList', c.op('aten.mul.Tensor', x, y), [c.get('dim')])
    },
  },
  'aten.matrix_exp': { implicit: (c) => c.op('aten.linalg_matrix_exp.default', c.tensor('self')) },
  'aten.linalg_matrix_exp': {
    meta: (c, { meta: { dtype, shape, device } }) => c.fresh(dtype, shape, device),
  },
  'aten._weight_int4pack_mm': {
    meta: (c, { meta: { dtype, shape, device } }) =>
      c.fresh(dtype, [shape[0]!, mulDims(c.tensor('mat2').meta.shape[0]!, 8)], device),
  },
  'aten._weight_int8pack_mm': {
    meta: (c, { meta: { dtype, shape, device } }) =>
      c.fresh(dtype, [shape[0]!, c.tensor('mat2').meta.shape[0]!], device),
  },
})

export const TRAITS: Traits = {
  matmul: 'matmul linear dot mv addmv',
}
