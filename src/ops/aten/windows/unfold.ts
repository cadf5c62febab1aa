/** im2col and col2im: torch.nn.functional.unfold and fold (torch/_decomp/decompositions.py). */
import type { Dim } from '../../../fx'
import { dtype as dtypeArg } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { listText } from '../../strides'
import { addDims, floorDiv, isZero, modDims, mulDims, productOf, subDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { list } from './window'

interface Blocks {
  readonly kernel: Dim[]
  readonly dilation: Dim[]
  readonly padding: Dim[]
  readonly stride: Dim[]
}

/** @param sizes of the image, padding not included */
function countsOf({ kernel, dilation, padding, stride }: Blocks, sizes: readonly Dim[]): Dim[] {
  return sizes.map((d, i) => {
    const reach = mulDims(dilation[i]!, subDims(kernel[i]!, 1))
    return addDims(floorDiv(subDims(subDims(addDims(d, mulDims(2, padding[i]!)), reach), 1), stride[i]!), 1)
  })
}

const blocksText = ({ kernel, dilation, padding, stride }: Blocks): string =>
  `kernel_size=${listText(kernel)}, dilation=${listText(dilation)}, padding=${listText(padding)}, stride=${listText(stride)}`

/** @throws TorchError RuntimeError with the text of the first of PyTorch's checks that fails */
function blocksOf(c: OpCall, title: string): Blocks {
  for (const name of ['kernel_size', 'dilation', 'padding', 'stride'])
    if (list(c, name, 2).length !== 2)
      throw runtimeError(`${title}only 2D ${name === 'kernel_size' ? 'kernel' : name} supported`)
  return {
    kernel: list(c, 'kernel_size', 2),
    dilation: list(c, 'dilation', 2),
    padding: list(c, 'padding', 2),
    stride: list(c, 'stride', 2),
  }
}

function checkPositive(name: string, dims: readonly Dim[], least: number): void {
  if (dims.some((d) => typeof d === 'number' && d < least))
    throw runtimeError(`${name} should be greater than zero, but got ${listText(dims)}`)
}

function checkInput(x: FakeTensor, ranks: readonly [number, number]): void {
  const { shape } = x.meta
  if (ranks.includes(shape.length) && !shape.slice(-ranks[0]).some(isZero)) return
  throw runtimeError(
    `Expected ${ranks[0]}D or ${ranks[1]}D (batch mode) tensor for input with possible 0 batch size and non-zero ` +
      `dimensions, but got: (${shape.join(', ')}${shape.length === 1 ? ',' : ''})`,
  )
}

/** Rows, or columns, that each kernel position reads in each block: [kernel, blocks]. */
function indicesAlong(c: OpCall, b: Blocks, d: number, size: Dim, like: FakeTensor): FakeTensor {
  const options = { dtype: dtypeArg('int64'), device: like.meta.device! }
  const arange = (end: Dim, step: Dim): FakeTensor =>
    c.call('aten.arange.start_step', [0n, dimArg(end), dimArg(step)], options) as FakeTensor
  const reach = mulDims(b.dilation[d]!, subDims(b.kernel[d]!, 1))
  const end = subDims(addDims(size, mulDims(b.padding[d]!, 2)), reach)
  const starts = c.op('aten.unsqueeze.default', arange(end, b.stride[d]!), 0n)
  const grid = arange(mulDims(b.kernel[d]!, b.dilation[d]!), b.dilation[d]!)
  return c.op('aten.add.Tensor', starts, c.op('aten.unsqueeze.default', grid, -1n))
}

const toFour = (c: OpCall, x: FakeTensor): FakeTensor =>
  c.op('aten.unsqueeze.default', c.op('aten.unsqueeze.default', x, -1n), -1n)

function im2col(c: OpCall): FakeTensor {
  const given = c.tensor('self')
  const b = blocksOf(c, 'im2col(): ')
  checkPositive('kernel_size', b.kernel, 1)
  checkPositive('dilation', b.dilation, 1)
  checkPositive('stride', b.stride, 1)
  checkInput(given, [3, 4])
  const spatial = given.meta.shape.slice(-2)
  const counts = countsOf(b, spatial)
  if (counts.some((n) => typeof n === 'number' && n <= 0))
    throw runtimeError(
      `Given an input with spatial size (${spatial.join(', ')}), ${blocksText(b)}, the calculated shape of the array of ` +
        `sliding blocks is (${counts.join(', ')}), but its components must be at least one.`,
    )
  const batched = given.meta.shape.length === 4
  const x = batched ? given : c.op('aten.unsqueeze.default', given, 0n)
  const [n, channels, rows, columns] = x.meta.shape as [Dim, Dim, Dim, Dim]
  const row = indicesAlong(c, b, 0, rows, x)
  const column = indicesAlong(c, b, 1, columns, x)
  const [top, left] = dimArgs(b.padding)
  const padded = c.op('aten.constant_pad_nd.default', x, [left!, left!, top!, top!], 0)
  const wideRow = toFour(c, row)
  const blocks = c.op('aten.index.Tensor', padded, [null, null, wideRow, column])
  const turned = c.op('aten.permute.default', blocks, [0n, 1n, 2n, 4n, 3n, 5n])
  const shape = [n, productOf([channels, ...b.kernel]), mulDims(row.meta.shape[1]!, column.meta.shape[1]!)]
  const out = c.op('aten.reshape.default', turned, dimArgs(shape))
  return batched ? out : c.op('aten.squeeze.dim', out, 0n)
}

function col2im(c: OpCall): FakeTensor {
  const given = c.tensor('self')
  const size = list(c, 'output_size', 2)
  if (size.length !== 2) throw runtimeError('only 2D output_size supported')
  const b = blocksOf(c, '')
  checkPositive('kernel_size', b.kernel, 1)
  checkPositive('dilation', b.dilation, 1)
  checkPositive('padding', b.padding, 0)
  checkPositive('stride', b.stride, 1)
  checkPositive('output_size', size, 1)
  checkInput(given, [2, 3])
  const [rows, columns] = given.meta.shape.slice(-2) as [Dim, Dim]
  const area = productOf(b.kernel)
  const rest = modDims(rows, area)
  if (typeof rest === 'number' && rest !== 0)
    throw runtimeError(
      "Expected size of input's first non-batch dimension to be divisible by the product of kernel_size, but got " +
        `input.shape[-2] = ${rows} and kernel_size=${listText(b.kernel)}`,
    )
  const counts = countsOf(b, size)
  const places = productOf(counts)
  if (typeof places === 'number' && typeof columns === 'number' && (places !== columns || places <= 0))
    throw runtimeError(
      `Given output_size=${listText(size)}, ${blocksText(b)}, expected input.size(-1) to be ${places} but got ${columns}.`,
    )
  const batched = given.meta.shape.length === 3
  const x = batched ? given : c.op('aten.unsqueeze.default', given, 0n)
  const channels = floorDiv(x.meta.shape[1]!, area)
  const lead = [x.meta.shape[0]!, channels]
  const blocks = c.op('aten.reshape.default', x, dimArgs([...lead, ...b.kernel, ...counts]))
  const turned = c.op('aten.permute.default', blocks, [0n, 1n, 2n, 4n, 3n, 5n])
  const row = toFour(c, indicesAlong(c, b, 0, size[0]!, x))
  const column = indicesAlong(c, b, 1, size[1]!, x)
  const padded = size.map((d, i) => addDims(d, mulDims(2, b.padding[i]!)))
  const zeros = c.op('aten.new_zeros.default', turned, dimArgs([...lead, ...padded]))
  const index: DispatchArg[] = [null, null, row, column]
  const summed = c.op('aten.index_put.default', zeros, index, turned, true)
  const [top, left] = b.padding.map((p) => dimArg(subDims(0, p)))
  const out = c.op('aten.constant_pad_nd.default', summed, [left!, left!, top!, top!], 0)
  return batched ? out : c.op('aten.squeeze.dim', out, 0n)
}

export const rules = (): Rules => ({
  'aten.im2col': { decomp: im2col },
  'aten.col2im': { decomp: col2im },
})
