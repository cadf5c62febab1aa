/** Matrix products: linear and matmul are always made of mm, addmm and bmm. */
import type { Dim } from '../../fx'
import { dimArgs, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { register } from '../registry'
import { broadcastShapes, contiguousStrides, listText, stridesOf } from '../strides'
import { isOne, isZero, mulDims, productOf, sameDim } from '../sym'
import { runtimeError, TorchError } from '../torch_error'
import { inOpmath } from './elementwise'
import { reshape, transpose } from './view'

const shapeOf = (t: FakeTensor): readonly Dim[] => t.meta.shape

function product(c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor {
  if (shapeOf(a).length !== 2 || shapeOf(b).length !== 2)
    throw runtimeError(shapeOf(a).length !== 2 ? 'a must be 2D' : 'b must be 2D')
  const [m, k] = shapeOf(a) as [Dim, Dim]
  const [k2, n] = shapeOf(b) as [Dim, Dim]
  if (typeof k === 'number' && typeof k2 === 'number' && k !== k2)
    throw runtimeError(`a and b must have same reduction dim, but got [${m}, ${k}] X [${k2}, ${n}].`)
  return c.fresh(a.meta.dtype, [m, n], a.meta.device)
}

/** torch.sum(a.squeeze(0) * b.squeeze(-1), dim=0, keepdim=True).unsqueeze(0) */
const rowByColumn = (c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor => {
  const rows = c.op('aten.mul.Tensor', c.op('aten.squeeze.dim', a, 0n), c.op('aten.squeeze.dim', b, -1n))
  return c.op('aten.unsqueeze.default', c.op('aten.sum.dim_IntList', rows, [0n], true), 0n)
}
/** pw_cast_for_opmath casts before the decomposition declines: the casts are dead, but they have taken their names. */
const castsOnly = (c: OpCall, operands: readonly FakeTensor[]): undefined => void inOpmath(c, operands, () => undefined)
const onCpu = (t: FakeTensor): boolean => t.meta.device?.type === 'cpu'

register('aten.mm', {
  decomp: (c) => {
    const [a0, b0] = [c.tensor('self'), c.tensor('mat2')]
    const outer = c.isOne(shapeOf(a0).at(-1)!) && !c.isOne(shapeOf(a0)[0]!) && !c.isOne(shapeOf(b0)[1]!)
    const small = Number(mulDims(productOf(shapeOf(a0)), 1)) + Number(productOf(shapeOf(b0))) <= 32
    const decomposes =
      (outer && (!onCpu(a0) || (isOne(shapeOf(b0)[0]!) && a0.meta.dtype === b0.meta.dtype && small))) ||
      (onCpu(a0) && c.isOne(shapeOf(a0)[0]!) && c.isOne(shapeOf(b0).at(-1)!))
    if (!decomposes) return castsOnly(c, [a0, b0])
    return inOpmath(c, [a0, b0], (a, b) =>
      isOne(shapeOf(a)[0]!) && isOne(shapeOf(b).at(-1)!) ? rowByColumn(c, a!, b!) : c.op('aten.mul.Tensor', a!, b!),
    )
  },
  meta: (c) => product(c, c.tensor('self'), c.tensor('mat2')),
})

register('aten.addmm', {
  decomp: (c) => {
    const [bias, m1, m2] = [c.tensor('self'), c.tensor('mat1'), c.tensor('mat2')]
    if (!onCpu(bias) || !c.isOne(shapeOf(m1)[0]!)) return castsOnly(c, [bias, m1, m2])
    const single = isOne(shapeOf(m2).at(-1)!)
    const small = shapeOf(m2).every((d) => typeof d === 'number' && d <= 16)
    if (!single && !small) return castsOnly(c, [bias, m1, m2])
    return inOpmath(c, [bias, m1, m2], (self, a, b) => {
      const out = single
        ? rowByColumn(c, a!, b!)
        : c.op(
            'aten.sum.dim_IntList',
            c.op('aten.mul.Tensor', c.op('aten.permute.default', a!, [1n, 0n]), b!),
            [0n],
            true,
          )
      return c.op(
        'aten.add.Tensor',
        c.op('aten.mul.Tensor', out, c.get('alpha')),
        c.op('aten.mul.Tensor', self!, c.get('beta')),
      )
    })
  },
  meta: (c) => {
    const out = product(c, c.tensor('mat1'), c.tensor('mat2'))
    broadcastShapes([c.tensor('self').meta.shape, shapeOf(out)])
    return out
  },
})

function batched(c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor {
  for (const [t, name] of [
    [a, 'batch1'],
    [b, 'batch2'],
  ] as const)
    if (shapeOf(t).length !== 3) throw runtimeError(`${name} must be a 3D tensor`)
  const [n, m, k] = shapeOf(a) as [Dim, Dim, Dim]
  const [n2, k2, p] = shapeOf(b) as [Dim, Dim, Dim]
  if (![n, k, n2, k2].some((d) => typeof d === 'string') && (n !== n2 || k !== k2))
    throw runtimeError(
      `Expected size for first two dimensions of batch2 tensor to be: ${listText([n, k])} but got: ${listText([n2, k2])}.`,
    )
  return c.fresh(a.meta.dtype, [n, m, p], a.meta.device)
}
register('aten.bmm', {
  decomp: (c) => {
    const [a0, b0] = [c.tensor('self'), c.tensor('mat2')]
    if (shapeOf(a0).length < 3 || shapeOf(b0).length < 2) throw new TorchError('IndexError', 'tuple index out of range')
    const outer = c.isOne(shapeOf(a0)[2]!) && c.isOne(shapeOf(b0)[1]!)
    const inner = onCpu(a0) && c.isOne(shapeOf(a0)[1]!) && c.isOne(shapeOf(b0).at(-1)!)
    if (!outer && !inner) return castsOnly(c, [a0, b0])
    return inOpmath(c, [a0, b0], (a, b) => {
      if (outer) return c.call('aten.contiguous.default', [c.op('aten.mul.Tensor', a!, b!)]) as FakeTensor
      const rows = c.op('aten.mul.Tensor', c.op('aten.squeeze.dim', a!, 1n), c.op('aten.squeeze.dim', b!, -1n))
      return c.op('aten.unsqueeze.default', c.op('aten.sum.dim_IntList', rows, [1n], true), 1n)
    })
  },
  meta: (c) => batched(c, c.tensor('self'), c.tensor('mat2')),
})
register('aten.baddbmm', {
  decomp: (c) => {
    for (const name of ['batch1', 'batch2']) wrapDim(2, shapeOf(c.tensor(name)).length)
    return undefined
  },
  meta: (c) => batched(c, c.tensor('batch1'), c.tensor('batch2')),
})

register('aten.mv', {
  decomp: (c) => {
    const [m, v] = [c.tensor('self'), c.tensor('vec')]
    const [rows, columns] = shapeOf(m) as [Dim, Dim]
    const size = shapeOf(v)[0]!
    if (typeof columns === 'number' && typeof size === 'number' && columns !== size)
      throw runtimeError(`size mismatch, got input (${rows}x${columns}), vec (${size})`)
    return inOpmath(c, [m, v], (a, b) => c.op('aten.sum.dim_IntList', c.op('aten.mul.Tensor', a!, b!), [1n]))
  },
})
register('aten.addmv', {
  decomp: (c) =>
    inOpmath(c, [c.tensor('self'), c.tensor('mat'), c.tensor('vec')], (self, mat, vec) => {
      const alpha = c.get('alpha')
      const beta = c.get('beta')
      const out = c.op('aten.mul.Tensor', c.op('aten.mv.default', mat!, vec!), alpha)
      return beta === 0n ? out : c.op('aten.add.Tensor', out, c.op('aten.mul.Tensor', self!, beta))
    }),
})
register('aten.addr', {
  decomp: (c) => {
    const [x, u, v] = [c.tensor('self'), c.tensor('vec1'), c.tensor('vec2')]
    const [m, n] = [shapeOf(u)[0]!, shapeOf(v)[0]!]
    const wide = c.op('aten.expand.default', x, dimArgs([m, n]))
    const beta = c.get('beta')
    const scaled = beta === 0n ? null : c.op('aten.mul.Tensor', wide, beta)
    const outer = c.op('aten.mul.Tensor', c.op('aten.view.default', u, dimArgs([m, 1])), v)
    const product = c.op('aten.mul.Tensor', outer, c.get('alpha'))
    return scaled ? c.op('aten.add.Tensor', scaled, product) : product
  },
})
register('aten.addbmm', {
  meta: (c) => {
    const out = batched(c, c.tensor('batch1'), c.tensor('batch2'))
    return c.fresh(out.meta.dtype, shapeOf(out).slice(1), out.meta.device)
  },
})
register('aten.chain_matmul aten.linalg_multi_dot', {
  implicit: (c) => {
    const all = c.tensors(c.schema.args[0]!.name)
    // More than two are ordered by cost: not known here.
    return all.length === 2 ? c.op('aten.mm.default', all[0]!, all[1]!) : undefined
  },
})
register('aten.dot', {
  decomp: (c) =>
    inOpmath(c, [c.tensor('self'), c.tensor('tensor')], (a, b) =>
      c.op('aten.sum.default', c.op('aten.mul.Tensor', a!, b!)),
    ),
})

/** should_fold: a batch of matrices by one matrix is one mm when the batch lies contiguous. */
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
  // Each side as a batch of matrices, broadcast to one batch.
  const [n, m1] = [ra > 1 ? shapeOf(a).at(-2)! : 1, shapeOf(a).at(-1)!]
  const [m2, p] = [rb > 1 ? shapeOf(b).at(-2)! : shapeOf(b).at(-1)!, rb > 1 ? shapeOf(b).at(-1)! : 1]
  const batch = broadcastShapes([shapeOf(a).slice(0, Math.max(ra - 2, 0)), shapeOf(b).slice(0, Math.max(rb - 2, 0))])
  const count = productOf(batch)
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
  const flat = reshape(c, large, [productOf(lead), shapeOf(large).at(-1)!])
  if (shapeOf(small).length === 1) return c.op('aten.view.default', c.op('aten.mv.default', flat, small), dimArgs(lead))
  const out = c.op('aten.view.default', c.op('aten.mm.default', flat, small), dimArgs([...lead, shapeOf(small)[1]!]))
  return transposed ? (c.call('aten.contiguous.default', [transpose(c, out, -2, -1)]) as FakeTensor) : out
}
register('aten.matmul aten.__matmul__', { implicit: (c) => matmul(c, c.tensor('self'), c.tensor('other')) })

register('aten.linear', {
  implicit: (c) => {
    const [x, w, bias] = [c.tensor('input'), c.tensor('weight'), c.maybeTensor('bias')]
    const rank = shapeOf(x).length
    if (bias && rank === 2) return c.op('aten.addmm.default', bias, x, transpose(c, w, 0, 1))
    if (bias && (rank === 1 || (rank >= 3 && folds(x, w)))) {
      const lead = shapeOf(x).slice(0, -1)
      const flat = reshape(c, x, [productOf(lead), shapeOf(x).at(-1)!])
      const out = c.op('aten.addmm.default', bias, flat, transpose(c, w, 0, 1))
      return c.op('aten.view.default', out, dimArgs([...lead, shapeOf(w)[0]!]))
    }
    const out = matmul(c, x, shapeOf(w).length === 2 ? transpose(c, w, 0, 1) : w)
    return bias ? c.op('aten.add.Tensor', out, bias) : out
  },
})
