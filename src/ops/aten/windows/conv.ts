/** Convolutions. */
import type { Dim } from '../../../fx'
import { type DispatchArg, itemsOf, type FakeTensor } from '../../fake'
import { all, fold, load, number, where, whole } from '../../expr/expr'
import { type Kernel, type KernelCall, KernelRefusal, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import { stridesIn, suggestedFormat } from '../../memory_format'
import type { Traits, Kernels, OpDef, Rules } from '../../operator'
import { addDims, floorDiv, mulDims, subDims } from '../../sym'
import { TorchError, runtimeError } from '../../torch_error'
import { attr, reached, sizes, tap, type Windows } from './window'
import type { OpCall } from '../../op_call'
import { cppType } from '../../promote'
import { listText } from '../../strides'

const conv = (rank: number): OpDef => ({
  implicit: (c, x) => {
    if (c.dims('padding')) checkBias(c)
    // A single image without a batch dimension is a batch of one.
    if (x.meta.shape.length === rank + 1) {
      const args = ['weight', 'bias', 'stride', 'padding', 'dilation', 'groups'].map((n) => c.get(n))
      const out = c.call(c.schema.name, [c.op('aten.unsqueeze.default', x, 0n), ...args])
      return c.op('aten.squeeze.dim', out, 0n)
    }
    const list = (name: string): DispatchArg => {
      const dims = c.dims(name)
      if (!dims) throw new TorchError('NotImplementedError', `Fusescope cannot trace ${name} with string padding yet`)
      return (dims.length === 1 ? new Array<Dim>(rank).fill(dims[0]!) : dims).map((d) => BigInt(d))
    }
    const zeros = new Array<DispatchArg>(rank).fill(0n)
    return c.call('aten.convolution.default', [
      c.tensor('input'),
      c.tensor('weight'),
      c.get('bias'),
      list('stride'),
      list('padding'),
      list('dilation'),
      false,
      zeros,
      c.get('groups'),
    ])
  },
})

/** The format of a convolution's result, from the input or the weight: channels last takes precedence over contiguous. */
const convFormat = (x: FakeTensor, w: FakeTensor): string =>
  x.meta.dtype === 'float64' || suggestedFormat(x.meta) !== 'contiguous_format'
    ? suggestedFormat(x.meta)
    : suggestedFormat(w.meta)

function convolutionOf(call: KernelCall): Windows & { groups: number; rank: number } {
  const x = tensorArg(call, 'input')
  const weight = tensorArg(call, 'weight')
  const rank = weight.shape.length - 2
  if (call.attrs['transposed'] === true) throw new KernelRefusal('a transposed convolution is not handled')
  if ((rank !== 1 && rank !== 2) || x.shape.length !== rank + 2)
    throw new KernelRefusal(
      `only one and two dimensions with a batch are handled, found an input of [${x.shape.join(', ')}]`,
    )
  const groups = Number(call.attrs['groups'] ?? 1)
  if (x.shape[1] !== weight.shape[1]! * groups)
    throw new KernelRefusal(
      `an input of ${x.shape[1]} channels does not fit a weight of [${weight.shape.join(', ')}] in ${groups} groups`,
    )
  const ones = new Array<number>(rank).fill(1)
  return {
    rank,
    groups,
    kernel: weight.shape.slice(2),
    stride: sizes(call.attrs['stride'], rank, ones),
    padding: sizes(call.attrs['padding'], rank, [0, 0]),
    dilation: sizes(call.attrs['dilation'], rank, ones),
  }
}

/** out[b, o, …] = bias[o] + sum over channels and taps of input * weight: torch.nn.functional.conv1d and conv2d. */
const convolution: Kernel = eachKernel({
  name: 'convolution',
  params: [
    { name: 'input', kind: 'in' },
    { name: 'weight', kind: 'in' },
    { name: 'bias', kind: 'in', optional: true },
    attr('stride'),
    attr('padding'),
    attr('dilation'),
    attr('transposed', false),
    attr('output_padding'),
    attr('groups', 1),
    { name: 'result', kind: 'out' },
  ],
  outputs(call) {
    const c = convolutionOf(call)
    const { shape, dtype } = tensorArg(call, 'input')
    const out = tensorArg(call, 'weight').shape[0]!
    return { result: { shape: [shape[0]!, out, ...reached(shape.slice(2), c, false)], dtype } }
  },
  values(call, [b, o, ...place]) {
    const c = convolutionOf(call)
    const { shape } = tensorArg(call, 'input')
    const [outs, channels] = tensorArg(call, 'weight').shape as [number, number]
    const first = o!.over(outs / c.groups).times(channels)
    const wide = c.rank === 2 ? c.kernel[1]! : 1
    return fold(
      c.kernel.reduce((a, n) => a * n, 1),
      [call.tensors['bias'] ? load('bias', o!) : number(0)],
      (t, [total]) => {
        const k = c.rank === 2 ? [t.over(wide), t.mod(wide)] : [t]
        const at = place.map((i, d) => tap(c, d, i, k[d]!))
        const inside = all(at.map((p, d) => p.ge(0).and(p.lt(shape[2 + d]!))))
        const depth = where(inside, whole(channels), whole(0))
        return fold(depth, [total!], (ch, [s]) => [
          s!.plus(load('input', b!, first.plus(ch), ...at).times(load('weight', o!, ch, ...k))),
        ])
      },
    )
  },
})

export const rules = (): Rules => ({
  'aten.conv1d.default': conv(1),
  'aten.conv2d.default': conv(2),
  'aten.conv3d.default': conv(3),
  'aten.conv_tbc': {
    meta: (c) => {
      const [x, w] = [c.tensor('self'), c.tensor('weight')]
      const [time, batch] = x.meta.shape as [Dim, Dim]
      const out = addDims(subDims(addDims(time, mulDims(2, c.dim('pad'))), w.meta.shape[0]!), 1)
      return c.fresh(x.meta.dtype, [out, batch, w.meta.shape[2]!], x.meta.device)
    },
  },
  'aten.convolution_backward': {
    meta: (c) => {
      const [grad, x, w] = [c.tensor('grad_output'), c.tensor('input'), c.tensor('weight')]
      const mask = itemsOf(c.get('output_mask'))!
      const made = [
        () => c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, stridesIn(convFormat(x, w), x.meta.shape)),
        () => c.fresh(w.meta.dtype, w.meta.shape, w.meta.device, stridesIn(convFormat(x, w), w.meta.shape)),
        () => c.fresh(grad.meta.dtype, c.dims('bias_sizes')!, grad.meta.device),
      ]
      return { kind: 'tuple', items: made.map((one, i) => (mask[i] === true ? one() : null)) }
    },
  },
  'aten.convolution': {
    meta: (c) => {
      const [x, w] = [c.tensor('input'), c.tensor('weight')]
      const rank = w.meta.shape.length - 2
      // A single number in a list applies to all dimensions.
      const wide = (name: string): Dim[] => {
        const dims = c.dims(name)!
        return dims.length === 1 ? new Array<Dim>(rank).fill(dims[0]!) : dims
      }
      const [stride, padding, dilation, extra] = ['stride', 'padding', 'dilation', 'output_padding'].map(wide)
      checkConvolution(c, { padding: padding!, dilation: dilation! })
      const size = (i: number): Dim => {
        const kernel = addDims(mulDims(dilation![i]!, subDims(w.meta.shape[i + 2]!, 1)), 1)
        const input = x.meta.shape[i + 2]!
        if (c.bool('transposed'))
          return addDims(
            subDims(mulDims(subDims(input, 1), stride![i]!), mulDims(2, padding![i]!)),
            addDims(kernel, extra![i] ?? 0),
          )
        return addDims(floorDiv(subDims(addDims(input, mulDims(2, padding![i]!)), kernel), stride![i]!), 1)
      }
      const channels = c.bool('transposed') ? mulDims(w.meta.shape[1]!, c.int('groups')) : w.meta.shape[0]!
      const shape = [x.meta.shape[0]!, channels, ...x.meta.shape.slice(2).map((_, i) => size(i))]
      return c.fresh(x.meta.dtype, shape, x.meta.device, stridesIn(convFormat(x, w), shape))
    },
  },
})

export const KERNELS: Kernels = { 'aten.convolution': convolution }

export const TRAITS: Traits = {
  matmul: 'convolution _convolution conv1d conv2d conv3d',
}

/** The positions that a convolution reads: one entry per spatial dimension. */
interface Taps {
  padding: readonly Dim[]
  dilation: readonly Dim[]
}

const differ = (a: Dim, b: Dim): boolean => typeof a === 'number' && typeof b === 'number' && a !== b

/**
 * check_shape_forward of Convolution.cpp, and the checks of its fake kernel.
 * @throws TorchError RuntimeError if `aten.convolution` refuses these inputs
 */
function checkConvolution(c: OpCall, taps: Taps): void {
  const [x, w] = [c.tensor('input'), c.tensor('weight')]
  const [size, weight] = [x.meta.shape, w.meta.shape]
  const [given, wanted] = [size.length, weight.length]
  if (x.meta.dtype !== w.meta.dtype)
    throw runtimeError(`Input type (torch.${x.meta.dtype}) and weight type (torch.${w.meta.dtype}) should be the same`)
  checkNumbers(c)
  // An input without a batch dimension skips the checks of C++.
  if (given === wanted - 1) {
    if (!c.bool('transposed') && differ(size[1]!, mulDims(weight[1]!, c.int('groups'))))
      throw runtimeError('Invalid channel dimensions')
    return
  }
  if (given !== wanted)
    throw runtimeError(
      `Expected ${wanted}-dimensional input for ${wanted}-dimensional weight ${listText(weight)}, but got ${given}-dimensional input of size ${listText(size)} instead`,
    )
  checkGroups(c, weight)
  checkChannels(c, x, weight)
  if (!c.bool('transposed')) checkKernel(size, weight, taps)
}

/** @throws TorchError RuntimeError if conv1d, conv2d or conv3d with numbers as padding refuse the dtype of the bias */
function checkBias(c: OpCall): void {
  const [x, bias] = [c.tensor('input'), c.maybeTensor('bias')]
  if (bias && bias.meta.dtype !== x.meta.dtype)
    throw runtimeError(
      `Input type (${cppType(x.meta.dtype)}) and bias type (${cppType(bias.meta.dtype)}) should be the same`,
    )
}

function checkNumbers(c: OpCall): void {
  const below = (name: string, least: number): boolean =>
    (c.dims(name) ?? []).some((d) => typeof d === 'number' && d < least)
  if (below('padding', 0)) throw runtimeError('negative padding is not supported')
  if (below('stride', 1)) throw runtimeError('non-positive stride is not supported')
  if (below('dilation', 0)) throw runtimeError('dilation should be greater than zero')
  if (c.int('groups') <= 0)
    throw runtimeError(`expected groups to be greater than 0, but got groups=${c.int('groups')}`)
}

function checkGroups(c: OpCall, weight: readonly Dim[]): void {
  const [groups, out] = [c.int('groups'), weight[0]!]
  if (typeof out !== 'number') return
  if (out < groups)
    throw runtimeError(
      `Given groups=${groups}, expected weight to be at least ${groups} at dimension 0, but got weight of size ${listText(weight)} instead`,
    )
  if (out % groups !== 0)
    throw runtimeError(
      `Given groups=${groups}, expected weight to be divisible by ${groups} at dimension 0, but got weight of size [${listText(weight)}] instead`,
    )
}

function checkChannels(c: OpCall, x: FakeTensor, weight: readonly Dim[]): void {
  const [groups, transposed, size] = [c.int('groups'), c.bool('transposed'), x.meta.shape]
  const title = transposed ? 'transposed=1' : `groups=${groups}`
  const channels = transposed ? weight[0]! : mulDims(weight[1]!, groups)
  if (differ(size[1]!, channels))
    throw runtimeError(
      `Given ${title}, weight of size ${listText(weight)}, expected input${listText(size)} to have ${channels} channels, but got ${size[1]} channels instead`,
    )
  const bias = c.maybeTensor('bias')?.meta.shape
  const made = transposed ? mulDims(weight[1]!, groups) : weight[0]!
  if (bias && (bias.length !== 1 || differ(bias[0]!, made)))
    throw runtimeError(
      `Given ${transposed ? `${title}, ` : ''}weight of size ${listText(weight)}, expected bias to be 1-dimensional with ${made} elements, but got bias of size ${listText(bias)} instead`,
    )
}

function checkKernel(size: readonly Dim[], weight: readonly Dim[], { padding, dilation }: Taps): void {
  const padded = size.slice(2).map((d, i) => addDims(d, mulDims(2, padding[i]!)))
  const kernel = weight.slice(2).map((d, i) => addDims(mulDims(dilation[i]!, subDims(d, 1)), 1))
  if (padded.some((d, i) => typeof d === 'number' && typeof kernel[i] === 'number' && d < kernel[i]))
    throw runtimeError(
      `Calculated padded input size per channel: (${padded.join(' x ')}). Kernel size: (${kernel.join(' x ')}). Kernel size can't be greater than actual input size`,
    )
}
