/** Forward derivatives (`result:` in derivatives.yaml of PyTorch 2.14.1; FunctionsManual.cpp). */
import { dimArg, itemsOf, shapeOf, type FakeTensor } from '../../fake'
import type { ForwardCall, ForwardFormula, Forwards } from '../../forward/forward_call'
import { wrapDim } from '../../op_call'
import { productOf } from '../../sym'
import { TorchError } from '../../torch_error'
import { geluDoubleBackward } from './double_backward'

const ELEMENTWISE =
  'aten.acos aten.asinh aten.asin aten.atan aten.ceil aten.clamp.default aten.clamp_min.default aten.clamp_max.default aten.cos ' +
  'aten.cosh aten.erf aten.erfc aten.exp aten.exp2 aten.expm1 aten.floor aten.hardsigmoid aten.hardswish aten.log aten.log10 ' +
  'aten.log1p aten.log2 aten.neg aten.pow.Tensor_Scalar aten.pow.Scalar aten.reciprocal aten.round aten.rsqrt aten.sigmoid ' +
  'aten.sign aten.sin aten.sinh aten.sqrt aten.sub.Scalar aten.rsub.Scalar aten.tan aten.tanh aten.trunc aten.relu aten.silu ' +
  'aten.mish aten.elu aten.celu aten.gelu aten.hardtanh aten.leaky_relu aten.softplus aten.threshold aten.remainder.Scalar ' +
  'aten.fmod.Scalar aten.frac aten.abs'

const LINEAR =
  'aten.clone aten.alias aten.cumsum aten.expand aten.gather aten.index.Tensor aten.index_select aten.mean.default aten.mean.dim ' +
  'aten.sum.default aten.sum.dim_IntList aten.permute aten.repeat aten.slice.Tensor aten.select.int aten.split.Tensor ' +
  'aten.split_with_sizes aten.unbind.int aten.squeeze.default aten.squeeze.dim aten.squeeze.dims aten.t aten.flip aten.roll ' +
  'aten.rot90 aten.transpose.int aten.tril aten.triu aten.view.default aten._unsafe_view aten.unsqueeze aten.embedding ' +
  'aten.pixel_shuffle aten.pixel_unshuffle aten.cat aten.stack aten._to_copy prims.convert_element_type aten.where.self ' +
  'aten.lerp.Scalar aten.scatter.src aten.scatter_add aten.mul.Scalar aten.div.Scalar aten.avg_pool2d aten.select_backward ' +
  'aten.slice_backward'

/** The derivative of a product by its operands. */
const product = (name: string, a: string, b: string): string => `${name}(${a}_t, ${b}) + ${name}(${a}, ${b}_t)`

/** β · self + α · (a · b) */
const addedProduct = (name: string, a: string, b: string): string =>
  `scaled(self_t, beta) + scaled(${name}(${a}_t, ${b}), alpha) + scaled(${name}(${a}, ${b}_t), alpha)`

/** logsumexp_jvp, as \`slope\` */
const logsumexp = (dims: string, keepdim: string): string => `
  e = exp(self - amax(self, ${dims}, True))
  total = sum.dim_IntList(e, ${dims}, ${keepdim})
  slope = div_.Tensor(sum.dim_IntList(e * self_t, ${dims}, ${keepdim}), total)`

/** amaxamin_jvp: the mean of the tangents at the extremum. */
const extremum: ForwardFormula = (f) => {
  const dims = f.c.dims('dim')!.map((d) => wrapDim(Number(d), f.rank))
  const reduced = dims.length > 0 ? dims : shapeOf(f.p()).map((_, i) => i)
  const shape = shapeOf(f.p()).map((d, i) => (reduced.includes(i) ? 1n : dimArg(d)))
  const kept = f.c.bool('keepdim') ? f.result : f.op('view.default', f.result, shape)
  const mask = f.op('eq.Tensor', f.p(), kept)
  const count = f.op('sum.dim_IntList', mask, f.c.get('dim'), f.c.get('keepdim'))
  const chosen = f.op('where.ScalarOther', mask, f.t(), 0)
  return f.op('div.Tensor', f.op('sum.dim_IntList', chosen, f.c.get('dim'), f.c.get('keepdim')), count)
}

/** gather_with_keepdimed_indices, for the first result. */
const atIndices: ForwardFormula = (f) => {
  const dim = f.c.get('dim') ?? -1n
  if (f.c.schema.args.every((a) => a.name !== 'keepdim') || f.c.bool('keepdim'))
    return [f.op('gather.default', f.t(), dim, f.results[1]!)]
  const indices = f.op('unsqueeze.default', f.results[1]!, dim)
  return [f.op('squeeze.dim', f.op('gather.default', f.t(), dim, indices), dim)]
}

function variance(f: ForwardCall): FakeTensor {
  const [dims, shape] = [f.c.dims('dim'), shapeOf(f.p())]
  const count = productOf(dims ? dims.map((d) => shape[wrapDim(Number(d), f.rank)]!) : shape)
  const factor = 2 / (Number(count) - Number((f.c.get('correction') as bigint | null) ?? 1n))
  const scaled = f.mul(f.t(), factor)
  const mean = dims ? f.op('mean.dim', f.p(), f.c.get('dim'), true) : f.op('mean.default', f.p())
  const slope = f.mul(scaled, f.op('sub.Tensor', f.p(), mean))
  return f.op('sum.dim_IntList', slope, f.c.get('dim') ?? [], f.c.get('keepdim'))
}

/** `x` with 0 where the result is 0, in place. */
const unlessZero = (f: ForwardCall, x: FakeTensor): FakeTensor =>
  f.op('masked_fill_.Scalar', x, f.op('eq.Scalar', f.result, 0n), 0)

const selected = (wins: '<' | '>'): string => `
  winner = where(self ${wins} other, self_t, other_t)
  half = (self_t + other_t) / 2
  where(self == other, half, winner)`

/** layer_norm_jvp without weight and bias. */
const layerNorm: ForwardFormula = (f) => {
  if (f.c.has('weight') || f.c.has('bias'))
    throw new TorchError('NotImplementedError', 'Fusescope has no forward derivative of layer_norm with weights yet')
  const [x, dx] = [f.p('input'), f.t('input')]
  const [mean, invstd] = [f.results[1]!, f.results[2]!]
  const rank = shapeOf(x).length
  const normalized = itemsOf(f.c.get('normalized_shape'))!.length
  const dims = Array.from({ length: normalized }, (_, i) => BigInt(rank - normalized + i))
  const count = dimArg(productOf(shapeOf(x).slice(rank - normalized)))
  const centered = (): FakeTensor => f.op('sub.Tensor', dx, f.op('mean.dim', dx, dims, true))
  const offset = f.op('sub.Tensor', x, mean)
  const moved = centered()
  const cube = f.op('neg.default', f.op('pow.Tensor_Scalar', invstd, 3n))
  const slope = f.op('sum.dim_IntList', f.mul(f.mul(cube, moved), offset), dims, true)
  const change = f.op('div_.Scalar', slope, count)
  const right = f.mul(f.op('sub.Tensor', x, mean), change)
  return [f.op('add.Tensor', f.mul(centered(), invstd), right), null, null]
}

/** A loss by element, from either operand, then its reduction. */
const loss = (backward: string, rest: string): string =>
  `reduced(${backward}(self_t, self, target, ${rest}) + ${backward}(target_t, target, self, ${rest}))`

const INDEPENDENT =
  'aten.zeros_like aten.ones_like aten.full_like aten.empty_like aten.rand_like aten.randn_like aten.new_zeros aten.new_ones ' +
  'aten.new_empty aten.new_full aten.detach'

export const FORWARD: Forwards = {
  [ELEMENTWISE]: 'elementwise',
  [LINEAR]: 'linear',
  [INDEPENDENT]: null,
  'aten.add.Tensor': 'self_t + scaled(other_t, alpha)',
  'aten.sub.Tensor': 'self_t - scaled(other_t, alpha)',
  'aten.rsub.Tensor': '-scaled(self_t, alpha) + other_t',
  'aten.add.Scalar': 'clone(self_t)',
  'aten.mul.Tensor': 'other_t * self + mul.Tensor(self_t, other)',
  'aten.div.Tensor': 'div.Tensor(self_t - other_t * result, other)',
  'aten.mm': product('mm', 'self', 'mat2'),
  'aten.bmm': product('bmm', 'self', 'mat2'),
  'aten.mv': product('mv', 'self', 'vec'),
  'aten.dot': product('dot', 'self', 'tensor'),
  'aten.addmm': addedProduct('mm', 'mat1', 'mat2'),
  'aten.addmv': addedProduct('mv', 'mat', 'vec'),
  'aten.baddbmm': addedProduct('bmm', 'batch1', 'batch2'),
  'aten.addcmul': 'self_t + scaled(tensor1_t * tensor2, value) + scaled(tensor2_t * tensor1, value)',
  'aten._softmax': `${logsumexp('[dim]', 'True')}
    result * (self_t - slope)`,
  'aten._log_softmax': `${logsumexp('[dim]', 'True')}
    self_t - slope`,
  'aten.logsumexp': logsumexp('dim', 'keepdim'),
  'aten.amax aten.amin': extremum,
  'aten.max.dim aten.min.dim aten.sort aten.topk': atIndices,
  'aten.maximum': selected('>'),
  'aten.minimum': selected('<'),
  'aten.var.correction': variance,
  'aten.std.correction': (f) => {
    const twice = f.mul(f.result, 2)
    return unlessZero(f, f.op('div.Tensor', variance(f), twice))
  },
  'aten.linalg_vector_norm': (f) => {
    if ((f.c.number('ord') ?? 2) !== 2)
      throw new TorchError(
        'NotImplementedError',
        'Fusescope has no forward derivative of a norm of another order than 2',
      )
    const sum = f.op('sum.dim_IntList', f.mul(f.p(), f.t()), f.c.get('dim') ?? [], f.c.get('keepdim'))
    return unlessZero(f, f.op('div_.Tensor', sum, f.result))
  },
  'aten.masked_fill.Scalar': 'masked_fill.Scalar(self_t, mask, 0.0)',
  'aten.constant_pad_nd': 'constant_pad_nd(self_t, pad, 0)',
  'aten.scatter.value': 'scatter.value(self_t, dim, index, 0)',
  'aten.native_layer_norm': layerNorm,
  'aten.mse_loss': loss('mse_loss_backward', '0'),
  'aten.smooth_l1_loss': loss('smooth_l1_loss_backward', '0, beta'),
  'aten.huber_loss': loss('huber_loss_backward', '0, delta'),
  'aten.nll_loss_forward': (f) => [itemsOf(f.again())![0] as FakeTensor, null],
  'aten.tanh_backward': 'tanh_backward(grad_output_t, output) + output_t * (-2 * output * grad_output)',
  'aten.sigmoid_backward': `sigmoid_backward(grad_output_t, output) + output_t * grad_output * (-2 * output + 1)`,
  'aten.gelu_backward': (f) => {
    const slope = geluDoubleBackward(f.c, f.t())
    const options = { approximate: f.c.get('approximate') }
    const first = f.c.call('aten.gelu_backward.default', [f.t('grad_output'), f.p()], options)
    return f.op('add.Tensor', first, slope)
  },
  'aten.log_sigmoid_forward': (f) => [f.op('log_sigmoid_backward.default', f.t(), f.p(), f.results[1]!), null],
  'aten.threshold_backward': 'zeros_like(self_t) + threshold_backward(grad_output_t, self, threshold)',
  'aten.binary_cross_entropy_with_logits': (f) => {
    throw new TorchError('NotImplementedError', `Fusescope has no forward derivative of ${f.c.schema.name} yet`)
  },
  'aten.atan2': '(-self * other_t + other * self_t) / (self ** 2 + other ** 2)',
}
