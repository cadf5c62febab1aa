/** Losses and distances of two tensors, and losses with a margin. */
import { dtype as dtypeArg } from '../../../fx'
import { dimArgs, type FakeTensor } from '../../fake'
import { cpp, formula, python, type Helpers } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { computationDtype, cppName, elementwiseDtype, isFloatDtype } from '../../promote'
import { broadcastShapes } from '../../strides'
import { sameDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { fullLike } from '../factories/like'
import { cast, pointwise } from './elementwise_rule'
import { upTo } from '../factories/ranges'

const HELPERS: Helpers = {
  /** `number - x` as C++ evaluates it: a copy of the number in the shape of x, then sub_. */
  from_number: (c, value, x) => {
    const like = c.op('aten.empty_like.default', x!)
    return c.op('aten.sub_.Tensor', c.op('aten.fill_.Scalar', like, value!), x!)
  },
  /** A logarithm that is at least -100. */
  floored: (c, log) => {
    const x = log as FakeTensor
    return c.op('aten.maximum.default', x, fullLike(c, x, -100n, x.meta.dtype, []))
  },
  /** The numbers of classes, on the device of a tensor. */
  up_to: (c, classes, x) => upTo(c, Number(classes), 'int64', (x as FakeTensor).meta.device!),
}

const cosineEmbedding = cpp(
  `product = sum.dim_IntList(input1 * input2, [rank(target)])
   first = sum.dim_IntList(input1 * input1, [rank(target)]) + ${Math.fround(1e-12)}
   second = sum.dim_IntList(input2 * input2, [rank(target)]) + ${Math.fround(1e-12)}
   cos = product / sqrt_(first * second)
   zeros = zeros_like(cos)
   positive = from_number(1, cos)
   negative = clamp_min_(cos - margin, 0)
   near = where(target == 1, positive, zeros)
   reduced(near + where(target == -1, negative, zeros))`,
  HELPERS,
)

const hingeEmbedding = cpp(
  `zeros = zeros_like(self)
   apart = clamp_min_(from_number(margin, self), 0)
   far = where(target != 1, apart, zeros)
   near = where(target != -1, self, zeros)
   reduced(far + near)`,
  HELPERS,
)

const multiMargin = python(
  `x = atleast_2d(self)
   y = unsqueeze(atleast_1d(target), 1)
   z = clamp_min(margin - gather(x, 1, y) + x, 0)
   z = z if float(p) == 1 else z * z
   z = z if weight is None else z * index.Tensor(weight, [y])
   z = where(up_to(x.shape[1], x) != y, z, 0)
   mean(z) if reduction == 1 else sum(z) / x.shape[1] if reduction == 2 else mean.dim(z, [1])`,
  HELPERS,
)

const multilabelMargin = python(
  `x = atleast_2d(self)
   y = atleast_2d(target)
   index = up_to(x.shape[1], y)
   end = where(y == -1, index, x.shape[1])
   listed = index < amin(end, [-1], True)
   own = gather(x, -1, where(listed, y, 0))
   labels = unsqueeze(where(listed, y, -1), -1)
   is_target = any.dim(index == labels, 1)
   z = 1.0 - unsqueeze(permute(own, [1, 0]), -1) + x
   z = where(is_target, 0, clamp_min(z, 0) / x.shape[1])
   z = where(unsqueeze(permute(listed, [1, 0]), -1), z, 0)
   out = sum(z) if reduction == 2 else sum.dim_IntList(z, [0, -1])
   mean(out) if reduction == 1 else out, is_target`,
  HELPERS,
)

/** Stirling's approximation for targets over 1. */
const stirling = formula(
  `approximation = target * log(target) - target + log(target * (2 * M_PI)) * 0.5
   masked_fill.Scalar(approximation, target <= 1, 0)`,
  { cpp: true },
)

function cosineSimilarity(c: OpCall): FakeTensor {
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
  const [na, nb] = norms.map((n) => c.withoutGrad(() => c.op(`aten.clamp_min_.${bound}`, n, least)))
  const right = c.op('aten.div.Tensor', b, nb!)
  const product = c.op('aten.mul.Tensor', c.op('aten.div.Tensor', a, na!), right)
  return c.op('aten.sum.dim_IntList', product, [c.get('dim')])
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.smooth_l1_loss': pointwise(
    'self target',
    `loss = abs(self - target)
     reduced(where(loss < float(beta), 0.5 * loss ** 2 / float(beta), loss - 0.5 * beta))`,
  ),
  'aten.huber_loss': pointwise(
    'self target',
    `z = abs(self - target)
     reduced(where(z < float(delta), z * 0.5 * z, (z - 0.5 * delta) * float(delta)))`,
  ),
  'aten.binary_cross_entropy': pointwise(
    'self target',
    `miss = (target - 1) * floored(log1p(-self))
     loss = miss - target * floored(log(self))
     reduced(loss if weight is None else loss * weight)`,
    'default',
    HELPERS,
  ),
  'aten.binary_cross_entropy_with_logits': {
    implicit: python(`
      factor = None if pos_weight is None else (pos_weight - 1) * target + 1
      left = (1 - target) * self
      log = log_sigmoid(self)
      loss = left - (log if factor is None else factor * log)
      reduced(loss if weight is None else loss * weight)`),
  },
  'aten.poisson_nll_loss': {
    implicit: cpp(
      `rate = input if log_input else log(input + eps)
       hit = target * rate
       loss = (exp(input) if log_input else input) - hit
       reduced(add_.Tensor(loss, stirling()) if full else loss)`,
      { stirling: (c) => stirling(c) },
    ),
  },
  'aten.cosine_similarity': { implicit: cosineSimilarity },
  'aten.pairwise_distance': {
    implicit: cpp(`
      apart = x1 - x2 + eps
      linalg_vector_norm(apart, p, [rank(apart) - 1], keepdim)`),
  },
  'aten.l1_loss': { implicit: cpp('reduced(abs(self - target))') },
  'aten.mse_loss': pointwise('self target', 'reduced((self - target) ** 2)'),
  'aten.kl_div': {
    implicit: cpp(
      'reduced(exp(target) * (target - self) if log_target else xlogy.Tensor(target, target) - target * self)',
    ),
  },
  'aten.soft_margin_loss': pointwise('self target', 'reduced(log1p(exp(-self * target)))'),
  'aten.margin_ranking_loss': {
    implicit: cpp('reduced(clamp_min_(-target * (input1 - input2) + margin, 0))'),
  },
  'aten.triplet_margin_loss': {
    implicit: cpp(`
      near = pairwise_distance(anchor, positive, p, eps)
      far = pairwise_distance(anchor, negative, p, eps)
      least = minimum(far, pairwise_distance(positive, negative, p, eps)) if swap else far
      reduced(clamp_min(near + margin - least, 0))`),
  },
  'aten.cosine_embedding_loss': {
    implicit: (c) => {
      if (c.tensor('target').meta.shape.length > 1)
        throw runtimeError('0D or 1D target tensor expected, multi-target not supported')
      return cosineEmbedding(c, c.tensor('input1'))
    },
  },
  'aten.hinge_embedding_loss': { implicit: hingeEmbedding },
  'aten.multi_margin_loss': { decomp: multiMargin },
  'aten.multilabel_margin_loss_forward': { decomp: multilabelMargin },
  'aten.multilabel_margin_loss': { implicit: cpp('multilabel_margin_loss_forward(self, target, reduction)[0]') },
})
