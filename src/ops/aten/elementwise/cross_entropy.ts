/** Losses over classes: nll_loss and cross_entropy_loss. */
import type { Dim } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import { formula, type Helpers } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { floorDiv, productOf, sameDims } from '../../sym'
import { TorchError } from '../../torch_error'
import { cast } from './elementwise_rule'

/** nll_loss for class indices. */
const nll = (c: OpCall, x: FakeTensor, target: FakeTensor): FakeTensor => {
  const rest = ['weight', 'reduction', 'ignore_index'].map((name) => c.get(name))
  return itemsOf(c.call('aten.nll_loss_forward.default', [x, target, ...rest]))![0] as FakeTensor
}

/** The loss, and the sum of the weights of its targets. */
function nllForward(c: OpCall): [FakeTensor, FakeTensor] {
  const [x0, target] = [c.tensor('self'), c.tensor('target')]
  const dim = x0.meta.shape.length < 2 ? 0 : 1
  const counted = (): FakeTensor => c.op('aten.ne.Scalar', target, c.get('ignore_index'))
  let x = x0
  let w = c.maybeTensor('weight')
  if (w) {
    if (dim === 1) {
      const shape = x0.meta.shape.map((_, i): DispatchArg => (i === 1 ? BigInt(w!.meta.shape[0]!) : 1n))
      w = c.op('aten.view.default', w, shape)
    }
    x = c.op('aten.mul.Tensor', x, w)
  }
  const safe = c.op('aten.where.ScalarOther', counted(), target, 0n)
  const index = c.op('aten.unsqueeze.default', safe, BigInt(dim))
  const taken = (from: FakeTensor): FakeTensor =>
    c.op('aten.squeeze.dim', c.op('aten.gather.default', from, BigInt(dim), index), BigInt(dim))
  const lost = c.op('aten.neg.default', taken(x))
  const loss = c.op('aten.where.ScalarOther', counted(), lost, 0n)
  const reduction = c.int('reduction')
  if (reduction === 0 && x.meta.shape.length > 1) return [loss, c.op('aten.new_full.default', x, [], 0)]
  let total: FakeTensor
  if (w) {
    const wide = c.op(
      'aten.expand.default',
      w,
      x.meta.shape.map((d) => BigInt(d)),
    )
    const weights = taken(wide)
    total = c.op('aten.sum.default', c.op('aten.where.ScalarOther', counted(), weights, 0n))
  } else total = cast(c, c.op('aten.sum.default', counted()), x.meta.dtype)
  if (reduction === 0) return [loss, total]
  const sum = c.op('aten.sum.default', loss)
  return [reduction === 2 ? sum : c.op('aten.div.Tensor', sum, total), total]
}

/** nll_loss_nd: for three dimensions, or more than four, the last ones are merged into one. */
function nllOfAnyRank(c: OpCall, x: FakeTensor): FakeTensor {
  const rank = x.meta.shape.length
  if (rank !== 3 && rank <= 4) return nll(c, x, c.tensor('target'))
  const [n, classes, ...rest] = x.meta.shape as [Dim, Dim, ...Dim[]]
  const input = c.op('aten.contiguous.default', x)
  const target = c.op('aten.contiguous.default', c.tensor('target'))
  const flat = c.op('aten.view.default', input, [dimArg(n), dimArg(classes), 1n, -1n])
  const out = nll(c, flat, c.op('aten.view.default', target, [dimArg(n), 1n, -1n]))
  return c.int('reduction') === 0 ? c.op('aten.view.default', out, dimArgs([n, ...rest])) : out
}

const logSoftmax = (c: OpCall): FakeTensor => {
  const x = c.tensor('self')
  return c.op('aten.log_softmax.int', x, x.meta.shape.length === 1 ? 0n : 1n)
}

/** A weight for each class in the shape of the input: [1, classes, 1, …]. */
function classWeight(c: OpCall, x: FakeTensor): FakeTensor {
  const weight = c.tensor('weight')
  if (x.meta.shape.length <= 1) return weight
  return c.op(
    'aten.view.default',
    weight,
    x.meta.shape.map((_, i) => (i === 1 ? dimArg(weight.meta.shape[0]!) : 1n)),
  )
}

const HELPERS: Helpers = {
  by_class: (c, x) => classWeight(c, x as FakeTensor),
  /** The loss of class indices. */
  nll: (c, x) => nllOfAnyRank(c, x as FakeTensor),
  /** The elements of one class. */
  per_class: (_c, x, dim) => {
    const { shape } = (x as FakeTensor).meta
    return dimArg(floorDiv(productOf(shape), shape[Number(dim)]!))
  },
}

/** Targets are probabilities of classes. */
const ofProbabilities = formula(
  `x = log_softmax.int(self, class_dim)
   smooth = float(label_smoothing)
   y = target * (1 - smooth) + smooth / x.shape[class_dim] if smooth > 0 else target
   w = None if weight is None else by_class(x)
   product = x * y
   product = product if w is None else product * w
   total = sum.dim_IntList(product, [class_dim]) if reduction == 0 else sum(product)
   -total / per_class(x, class_dim) if reduction == 1 else -total`,
  { cpp: true, helpers: HELPERS },
)

/** The weight of each target's class, 0 where it is ignored: of a fake tensor, C++ selects none. */
const keptWeights = formula(
  `kept = flatten.using_ints(masked_fill.Scalar(target, ignored, 0.0))
   masked_fill_.Scalar(gather(weight, 0, kept), flatten.using_ints(ignored), 0.0)`,
  { cpp: false },
)

const smoothed = formula(
  `x = log_softmax.int(self, class_dim)
   loss = nll(x)
   weighted = x if weight is None else x * by_class(x)
   negative = -sum.dim_IntList(weighted, [class_dim])
   ignored = target == ignore_index
   smooth = masked_fill_.Scalar(negative, ignored, 0.0)
   count = None if reduction != 1 else sum(~ignored if weight is None else kept_weights(ignored))
   out = smooth if reduction == 0 else sum(smooth)
   out = out / count if reduction == 1 else out
   part = out * (float(label_smoothing) / x.shape[class_dim])
   loss * (1 - float(label_smoothing)) + part`,
  {
    cpp: true,
    helpers: {
      ...HELPERS,
      kept_weights: (c, ignored) => keptWeights(c, (n) => (n === 'ignored' ? ignored : undefined)),
    },
  },
)

export const rules = (): Rules => ({
  'aten.nll_loss_nd aten.nll_loss aten.nll_loss2d': { implicit: (c) => nllOfAnyRank(c, c.tensor('self')) },
  'aten.nll_loss_forward aten.nll_loss2d_forward': {
    decomp: (c) => ({ kind: 'tuple', items: nllForward(c) }),
  },
  'aten.cross_entropy_loss': {
    implicit: (c, x) => {
      const classDim = x.meta.shape.length === 1 ? 0n : 1n
      const names = (name: string): DispatchArg | undefined => (name === 'class_dim' ? classDim : undefined)
      const target = c.tensor('target').meta.shape
      if (sameDims(x.meta.shape, target)) return ofProbabilities(c, names)
      const [own, other] = [x.meta.shape[0]!, target[0]!]
      if (x.meta.shape.length === 2 && target.length > 1)
        throw new TorchError(
          'AssertionError',
          `0D or 1D target tensor expected, multi-target not supported, got ${target.length}D`,
        )
      if (x.meta.shape.length > 1 && typeof own === 'number' && typeof other === 'number' && own !== other)
        throw new TorchError('ValueError', `Expected input batch_size (${own}) to match target batch_size (${other}).`)
      return c.number('label_smoothing')! > 0 ? smoothed(c, names) : nllOfAnyRank(c, logSoftmax(c))
    },
  },
})
