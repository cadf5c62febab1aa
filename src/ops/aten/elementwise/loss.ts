/** Losses and distances of two tensors, and losses with a margin. */
import { dtype as dtypeArg } from '../../../fx'
import { dimArgs, type FakeTensor, type DispatchArg, itemsOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { computationDtype, cppName, elementwiseDtype, isFloatDtype } from '../../promote'
import { broadcastShapes } from '../../strides'
import { sameDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { fullLike } from '../factories/like'
import { cast, pointwise } from './elementwise_rule'
import { upTo } from '../factories/ranges'

/** apply_loss_reduction: 0 none, 1 mean, 2 sum. */
export const reduced = (c: OpCall, loss: FakeTensor): FakeTensor => {
  const reduction = c.int('reduction')
  return reduction === 0 ? loss : c.op(reduction === 1 ? 'aten.mean.default' : 'aten.sum.default', loss)
}

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

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.smooth_l1_loss': pointwise('self target', (c, x, y) => {
    const beta = c.number('beta')!
    const loss = c.op('aten.abs.default', c.op('aten.sub.Tensor', x!, y!))
    const small = c.op('aten.lt.Scalar', loss, beta)
    const half = c.op('aten.mul.Tensor', c.op('aten.pow.Tensor_Scalar', loss, 2n), 0.5)
    const square = c.op('aten.div.Tensor', half, beta)
    return reduced(c, c.op('aten.where.self', small, square, c.op('aten.sub.Tensor', loss, 0.5 * beta)))
  }),
  'aten.huber_loss': pointwise('self target', (c, x, y) => {
    const delta = c.number('delta')!
    const z = c.op('aten.abs.default', c.op('aten.sub.Tensor', x!, y!))
    const small = c.op('aten.lt.Scalar', z, delta)
    const square = c.op('aten.mul.Tensor', c.op('aten.mul.Tensor', z, 0.5), z)
    const line = c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', z, 0.5 * delta), delta)
    return reduced(c, c.op('aten.where.self', small, square, line))
  }),
  'aten.binary_cross_entropy': pointwise('self target', (c, x, y) => {
    const floored = (log: FakeTensor): FakeTensor =>
      c.op('aten.maximum.default', log, fullLike(c, log, -100n, log.meta.dtype, []))
    const less = c.op('aten.sub.Tensor', y!, 1n)
    const miss = c.op('aten.mul.Tensor', less, floored(c.op('aten.log1p.default', c.op('aten.neg.default', x!))))
    const hit = c.op('aten.mul.Tensor', y!, floored(c.op('aten.log.default', x!)))
    const loss = c.op('aten.sub.Tensor', miss, hit)
    return reduced(c, c.has('weight') ? c.op('aten.mul.Tensor', loss, c.tensor('weight')) : loss)
  }),
  'aten.binary_cross_entropy_with_logits': {
    implicit: (c) => {
      const [x, y] = [c.tensor('self'), c.tensor('target')]
      const rest = (t: FakeTensor): FakeTensor => c.op('aten.rsub.Scalar', t, 1n)
      const logsigmoid = (): FakeTensor => c.op('aten.log_sigmoid.default', x)
      let loss: FakeTensor
      if (c.has('pos_weight')) {
        const more = c.op('aten.sub.Tensor', c.tensor('pos_weight'), 1n)
        const weight = c.op('aten.add.Tensor', c.op('aten.mul.Tensor', more, y), 1n)
        const left = c.op('aten.mul.Tensor', rest(y), x)
        loss = c.op('aten.sub.Tensor', left, c.op('aten.mul.Tensor', weight, logsigmoid()))
      } else loss = c.op('aten.sub.Tensor', c.op('aten.mul.Tensor', rest(y), x), logsigmoid())
      return reduced(c, c.has('weight') ? c.op('aten.mul.Tensor', loss, c.tensor('weight')) : loss)
    },
  },
  'aten.poisson_nll_loss': {
    implicit: (c) => {
      const [x, y] = [c.tensor('input'), c.tensor('target')]
      // C++ evaluates arguments from the right.
      const rate = c.bool('log_input') ? x : c.op('aten.log.default', c.op('aten.add.Scalar', x, c.get('eps')))
      const hit = c.op('aten.mul.Tensor', y, rate)
      let loss = c.op('aten.sub.Tensor', c.bool('log_input') ? c.op('aten.exp.default', x) : x, hit)
      if (c.bool('full')) {
        const last = c.op('aten.mul.Scalar', c.op('aten.log.default', c.op('aten.mul.Scalar', y, 2 * Math.PI)), 0.5)
        const first = c.op('aten.sub.Tensor', c.op('aten.mul.Tensor', y, c.op('aten.log.default', y)), y)
        const stirling = c.op('aten.add.Tensor', first, last)
        const known = c.op('aten.masked_fill.Scalar', stirling, c.op('aten.le.Scalar', y, 1n), 0n)
        loss = c.op('aten.add_.Tensor', loss, known)
      }
      return reduced(c, loss)
    },
  },
  'aten.cosine_similarity': {
    implicit: (c) => {
      let [a, b] = [c.tensor('x1'), c.tensor('x2')]
      const common = elementwiseDtype([a, b])
      if (!isFloatDtype(common))
        throw runtimeError(`expected common dtype to be floating point, yet common dtype is ${cppName(common)}`)
      // vector_norm does not accept integers.
      if (!isFloatDtype(a.meta.dtype)) a = cast(c, a, common)
      if (!isFloatDtype(b.meta.dtype)) b = cast(c, b, common)
      if (!sameDims(a.meta.shape, b.meta.shape)) {
        const size = dimArgs(broadcastShapes([a.meta.shape, b.meta.shape]))
        // C++ evaluates arguments from the right.
        b = c.op('aten.expand.default', b, size)
        a = c.op('aten.expand.default', a, size)
      }
      const norm = (t: FakeTensor): FakeTensor =>
        c.op('aten.clone.default', c.op('aten.linalg_vector_norm.default', t, 2n, [c.get('dim')], true))
      const norms = [norm(a), norm(b)]
      const options = { dtype: dtypeArg(computationDtype(common)), device: a.meta.device! }
      const bound = c.rules.tensorBounds ? 'Tensor' : 'default'
      const least = c.rules.tensorBounds ? c.call('aten.scalar_tensor.default', [c.get('eps')], options) : c.get('eps')
      const [na, nb] = norms.map((n) => c.op(`aten.clamp_min_.${bound}`, n, least))
      const right = c.op('aten.div.Tensor', b, nb!)
      const product = c.op('aten.mul.Tensor', c.op('aten.div.Tensor', a, na!), right)
      return c.op('aten.sum.dim_IntList', product, [c.get('dim')])
    },
  },
  'aten.pairwise_distance': {
    implicit: (c) => {
      const [p, eps, keep] = [c.get('p'), c.get('eps'), c.get('keepdim')]
      const apart = c.op('aten.add.Scalar', c.op('aten.sub.Tensor', c.tensor('x1'), c.tensor('x2')), eps)
      return c.op('aten.linalg_vector_norm.default', apart, p, [BigInt(apart.meta.shape.length - 1)], keep)
    },
  },
  'aten.l1_loss': {
    implicit: (c) =>
      reduced(c, c.op('aten.abs.default', c.op('aten.sub.Tensor', c.tensor('self'), c.tensor('target')))),
  },
  'aten.mse_loss': pointwise('self target', (c, x, y) => {
    const loss = c.op('aten.pow.Tensor_Scalar', c.op('aten.sub.Tensor', x!, y!), 2n)
    const reduction = c.int('reduction')
    return reduction === 0 ? loss : c.op(reduction === 1 ? 'aten.mean.default' : 'aten.sum.default', loss)
  }),
  'aten.kl_div': {
    implicit: (c) => {
      const [x, y] = [c.tensor('self'), c.tensor('target')]
      if (c.bool('log_target')) {
        const apart = c.op('aten.sub.Tensor', y, x)
        return reduced(c, c.op('aten.mul.Tensor', c.op('aten.exp.default', y), apart))
      }
      const product = c.op('aten.mul.Tensor', y, x)
      return reduced(c, c.op('aten.sub.Tensor', c.op('aten.xlogy.Tensor', y, y), product))
    },
  },
  'aten.soft_margin_loss': pointwise('self target', (c, x, target) => {
    const product = c.op('aten.mul.Tensor', c.op('aten.neg.default', x!), target!)
    return reduced(c, c.op('aten.log1p.default', c.op('aten.exp.default', product)))
  }),
  'aten.margin_ranking_loss': {
    implicit: (c) => {
      // C++ evaluates arguments from the right.
      const apart = c.op('aten.sub.Tensor', c.tensor('input1'), c.tensor('input2'))
      const sign = c.op('aten.neg.default', c.tensor('target'))
      const loss = c.op('aten.add.Scalar', c.op('aten.mul.Tensor', sign, apart), c.get('margin'))
      return reduced(c, c.op('aten.clamp_min_.default', loss, 0n))
    },
  },
  'aten.triplet_margin_loss': {
    implicit: (c) => {
      const [anchor, positive, negative] = [c.tensor('anchor'), c.tensor('positive'), c.tensor('negative')]
      const distance = (a: FakeTensor, b: FakeTensor): FakeTensor =>
        c.op('aten.pairwise_distance.default', a, b, c.get('p'), c.get('eps'))
      const near = distance(anchor, positive)
      const far = distance(anchor, negative)
      const least = c.bool('swap') ? c.op('aten.minimum.default', far, distance(positive, negative)) : far
      const above = c.op('aten.sub.Tensor', c.op('aten.add.Scalar', near, c.get('margin')), least)
      return reduced(c, c.op('aten.clamp_min.default', above, 0n))
    },
  },
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
