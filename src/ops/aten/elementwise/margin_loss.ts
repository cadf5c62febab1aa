/** Losses with a margin. */
import { type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { runtimeError } from '../../torch_error'
import { upTo } from '../factories/ranges'
import { reduced } from './loss'

/** `number - x` as C++ evaluates it: a copy of the number in the shape of x, then sub_. */
function fromNumber(c: OpCall, value: DispatchArg, x: FakeTensor): FakeTensor {
  const like = c.op('aten.empty_like.default', x)
  return c.op('aten.sub_.Tensor', c.op('aten.fill_.Scalar', like, value), x)
}

function cosineEmbedding(c: OpCall): FakeTensor {
  const [a, b, target] = [c.tensor('input1'), c.tensor('input2'), c.tensor('target')]
  const rank = target.meta.shape.length
  if (rank > 1) throw runtimeError('0D or 1D target tensor expected, multi-target not supported')
  // The constant is a float in C++.
  const EPSILON = Math.fround(1e-12)
  const sum = (x: FakeTensor, y: FakeTensor): FakeTensor =>
    c.op('aten.sum.dim_IntList', c.op('aten.mul.Tensor', x, y), [BigInt(rank)])
  const product = sum(a, b)
  const first = c.op('aten.add.Scalar', sum(a, a), EPSILON)
  const second = c.op('aten.add.Scalar', sum(b, b), EPSILON)
  const norm = c.op('aten.sqrt_.default', c.op('aten.mul.Tensor', first, second))
  const cos = c.op('aten.div.Tensor', product, norm)
  const zeros = c.op('aten.zeros_like.default', cos)
  const positive = fromNumber(c, 1n, cos)
  const negative = c.op('aten.clamp_min_.default', c.op('aten.sub.Scalar', cos, c.get('margin')), 0n)
  const where = (label: bigint, loss: FakeTensor): FakeTensor =>
    c.op('aten.where.self', c.op('aten.eq.Scalar', target, label), loss, zeros)
  const near = where(1n, positive)
  return reduced(c, c.op('aten.add.Tensor', near, where(-1n, negative)))
}

function hingeEmbedding(c: OpCall): FakeTensor {
  const [x, target] = [c.tensor('self'), c.tensor('target')]
  const zeros = c.op('aten.zeros_like.default', x)
  const apart = c.op('aten.clamp_min_.default', fromNumber(c, c.get('margin'), x), 0n)
  const far = c.op('aten.where.self', c.op('aten.ne.Scalar', target, 1n), apart, zeros)
  const near = c.op('aten.where.self', c.op('aten.ne.Scalar', target, -1n), x, zeros)
  return reduced(c, c.op('aten.add.Tensor', far, near))
}

/** torch._decomp.decompositions.multi_margin_loss */
function multiMargin(c: OpCall): FakeTensor {
  const x = c.op('aten.atleast_2d.default', c.tensor('self'))
  const target = c.op('aten.unsqueeze.default', c.op('aten.atleast_1d.default', c.tensor('target')), 1n)
  const classes = x.meta.shape[1]!
  const own = c.op('aten.gather.default', x, 1n, target)
  let z = c.op('aten.add.Tensor', c.op('aten.rsub.Scalar', own, c.get('margin')), x)
  z = c.op('aten.clamp_min.default', z, 0n)
  if (c.number('p') !== 1) z = c.op('aten.mul.Tensor', z, z)
  if (c.has('weight')) z = c.op('aten.mul.Tensor', z, c.op('aten.index.Tensor', c.tensor('weight'), [target]))
  const index = upTo(c, classes, 'int64', x.meta.device!)
  z = c.op('aten.where.ScalarOther', c.op('aten.ne.Tensor', index, target), z, 0n)
  const reduction = c.int('reduction')
  if (reduction === 1) return c.op('aten.mean.default', z)
  return reduction === 2
    ? c.op('aten.div.Tensor', c.op('aten.sum.default', z), BigInt(Number(classes)))
    : c.op('aten.mean.dim', z, [1n])
}

/** torch._decomp.decompositions.multilabel_margin_loss_forward */
function multilabelMargin(c: OpCall): DispatchArg {
  const x = c.op('aten.atleast_2d.default', c.tensor('self'))
  const target = c.op('aten.atleast_2d.default', c.tensor('target'))
  const classes = BigInt(Number(x.meta.shape[1]))
  const index = upTo(c, Number(classes), 'int64', target.meta.device!)
  const turned = (t: FakeTensor): FakeTensor =>
    c.op('aten.unsqueeze.default', c.op('aten.permute.default', t, [1n, 0n]), -1n)
  const end = c.op('aten.where.ScalarOther', c.op('aten.eq.Scalar', target, -1n), index, classes)
  const listed = c.op('aten.lt.Tensor', index, c.op('aten.amin.default', end, [-1n], true))
  const own = c.op('aten.gather.default', x, -1n, c.op('aten.where.ScalarOther', listed, target, 0n))
  const labels = c.op('aten.unsqueeze.default', c.op('aten.where.ScalarOther', listed, target, -1n), -1n)
  const isTarget = c.op('aten.any.dim', c.op('aten.eq.Tensor', index, labels), 1n)
  let z = c.op('aten.add.Tensor', c.op('aten.rsub.Scalar', turned(own), 1), x)
  z = c.op('aten.div.Tensor', c.op('aten.clamp_min.default', z, 0n), classes)
  z = c.op('aten.where.ScalarSelf', isTarget, 0n, z)
  z = c.op('aten.where.ScalarOther', turned(listed), z, 0n)
  const reduction = c.int('reduction')
  const out = reduction === 2 ? c.op('aten.sum.default', z) : c.op('aten.sum.dim_IntList', z, [0n, -1n])
  return {
    kind: 'tuple',
    items: [reduction === 1 ? c.op('aten.mean.default', out) : out, isTarget],
  }
}

export const rules = (): Rules => ({
  'aten.cosine_embedding_loss': { implicit: cosineEmbedding },
  'aten.hinge_embedding_loss': { implicit: hingeEmbedding },
  'aten.multi_margin_loss': { decomp: multiMargin },
  'aten.multilabel_margin_loss_forward': { decomp: multilabelMargin },
  'aten.multilabel_margin_loss': {
    implicit: (c) =>
      itemsOf(
        c.call('aten.multilabel_margin_loss_forward.default', [
          c.tensor('self'),
          c.tensor('target'),
          c.get('reduction'),
        ]),
      )![0],
  },
})
