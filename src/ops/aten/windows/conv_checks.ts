/** The checks of a convolution's inputs: check_shape_forward of Convolution.cpp and those of its fake kernel. */
import type { Dim } from '../../../fx'
import type { FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import { cppType } from '../../promote'
import { listText } from '../../strides'
import { addDims, mulDims, subDims } from '../../sym'
import { runtimeError } from '../../torch_error'

/** Where a convolution reads: one entry per spatial dimension. */
export interface Taps {
  padding: readonly Dim[]
  dilation: readonly Dim[]
}

const differ = (a: Dim, b: Dim): boolean => typeof a === 'number' && typeof b === 'number' && a !== b

/** @throws TorchError RuntimeError if `aten.convolution` refuses these inputs */
export function checkConvolution(c: OpCall, taps: Taps): void {
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
export function checkBias(c: OpCall): void {
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
