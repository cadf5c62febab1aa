/** Parts of a tensor: select, slice, narrow, split, chunk, unbind. All are views. */
import type { Dim } from '../../fx'
import { dimArg, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { register } from '../registry'
import { listText, stridesOf } from '../strides'
import { addDims, floorDiv, modDims, mulDims, sameDim, subDims } from '../sym'
import { runtimeError, TorchError } from '../torch_error'

const rankOf = (t: FakeTensor): number => t.meta.shape.length
const strides = (t: FakeTensor): readonly Dim[] => stridesOf(t.meta)

register('aten.select.int', {
  meta: (c) => {
    const x = c.tensor('self')
    if (rankOf(x) === 0) throw new TorchError('IndexError', 'select() cannot be applied to a 0-dim tensor.')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const size = x.meta.shape[dim]!
    const index = c.dim('index')
    if (typeof size === 'number' && typeof index === 'number' && (index >= size || index < -size))
      throw new TorchError(
        'IndexError',
        `select(): index ${index} out of range for tensor of size ${listText(x.meta.shape)} at dimension ${dim}`,
      )
    return c.view(x, {
      shape: x.meta.shape.filter((_, i) => i !== dim),
      stride: strides(x).filter((_, i) => i !== dim),
      storageOffset: offset(x, dim, typeof index === 'number' && index < 0 ? addDims(size, index) : index),
    })
  },
})
const offset = (x: FakeTensor, dim: number, by: Dim): Dim =>
  addDims(x.meta.storageOffset ?? 0, mulDims(strides(x)[dim]!, by))

/** `x[start:end:step]` along one dimension, clamped as Python does. */
function sliced(c: OpCall, x: FakeTensor, dim: number, start: Dim | null, end: Dim | null, step: Dim): FakeTensor {
  const size = x.meta.shape[dim]!
  const clamp = (v: Dim): Dim => {
    if (typeof v === 'number' && typeof size === 'number') return Math.min(Math.max(v < 0 ? v + size : v, 0), size)
    if (typeof v === 'number' && v < 0) return addDims(size, v)
    // A number past a symbolic size can only be "to the end".
    return typeof v === 'number' && v > 2 ** 53 ? size : v
  }
  const from = clamp(start ?? 0)
  let to = clamp(end ?? size)
  if (typeof from === 'number' && typeof to === 'number' && to < from) to = from
  const count = subDims(to, from)
  const shape = x.meta.shape.map((d, i) =>
    i === dim ? (step === 1 ? count : floorDiv(addDims(count, subDims(step, 1)), step)) : d,
  )
  const stride = strides(x).map((d, i) => (i === dim ? mulDims(d, step) : d))
  return c.view(x, { shape, stride, storageOffset: offset(x, dim, from) })
}
register('aten.slice.Tensor', {
  meta: (c) => {
    const x = c.tensor('self')
    if (rankOf(x) === 0) throw runtimeError('slice() cannot be applied to a 0-dim tensor.')
    const step = c.dim('step')
    if (typeof step === 'number' && step <= 0) throw runtimeError('slice step must be positive')
    const edge = (name: string): Dim | null => (c.has(name) ? c.dim(name) : null)
    return sliced(c, x, wrapDim(c.int('dim'), rankOf(x)), edge('start'), edge('end'), step)
  },
})
register('aten.narrow', {
  implicit: (c) => {
    const x = c.tensor('self')
    if (rankOf(x) === 0) throw runtimeError('narrow() cannot be applied to a 0-dim tensor.')
    const [start, length] = [c.dim('start'), c.dim('length')]
    if (typeof length === 'number' && length < 0) throw runtimeError('narrow(): length must be non-negative.')
    const size = x.meta.shape[wrapDim(c.int('dim'), rankOf(x))]!
    const from = typeof start === 'number' && start < 0 ? addDims(start, size) : start
    if (typeof from === 'number' && typeof length === 'number' && typeof size === 'number' && from + length > size)
      throw runtimeError(`start (${from}) + length (${length}) exceeds dimension size (${size}).`)
    return c.op('aten.slice.Tensor', x, c.get('dim'), dimArg(from), dimArg(addDims(from, length)))
  },
})

function pieces(c: OpCall, x: FakeTensor, dim: number, sizes: readonly Dim[]): DispatchArg {
  let at: Dim = 0
  return sizes.map((size) => {
    const from = at
    at = addDims(at, size)
    const shape = x.meta.shape.map((d, i) => (i === dim ? size : d))
    return c.view(x, { shape, stride: strides(x), storageOffset: offset(x, dim, from) })
  })
}
register('aten.split.Tensor', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const size = x.meta.shape[dim]!
    const each = c.dim('split_size')
    const count = typeof size === 'string' ? evenPieces(size, each) : null
    if (count !== null)
      return pieces(c, x, dim, [...new Array<Dim>(count - 1).fill(each), subDims(size, mulDims(each, count - 1))])
    const whole = floorDiv(size, each)
    if (typeof whole !== 'number')
      throw new TorchError(
        'NotImplementedError',
        `Fusescope cannot split a symbolic size ${size} into pieces of ${each}`,
      )
    const sizes: Dim[] = new Array<Dim>(whole).fill(each)
    const rest = subDims(size, mulDims(each, whole))
    if (rest !== 0 || sizes.length === 0) sizes.push(rest)
    return pieces(c, x, dim, sizes)
  },
})
/** How many pieces of `(size + n - 1) // n` there are: n, as a chunk asks for. */
function evenPieces(size: Dim, each: Dim): number | null {
  for (let n = 1; n <= 16; n++) if (sameDim(each, floorDiv(addDims(size, n - 1), n))) return n
  return null
}
register('aten.unsafe_split.Tensor', {
  decomp: (c) => c.call('aten.split.Tensor', [c.tensor('self'), c.get('split_size'), c.get('dim')]),
})

/** at::tensor_split: slices, the first ones longer by one where the count does not divide. */
register('aten.tensor_split.sections', {
  implicit: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const size = x.meta.shape[dim]!
    const count = c.int('sections')
    if (count <= 0) throw runtimeError(`number of sections must be larger than 0, got ${count}`)
    const [each, longer] = [floorDiv(size, count), modDims(size, count)]
    let from: Dim = 0
    return Array.from({ length: count }, (_, i) => {
      const start = from
      from = addDims(from, addDims(each, typeof longer === 'number' && i < longer ? 1 : 0))
      return c.op('aten.slice.Tensor', x, BigInt(dim), dimArg(start), dimArg(from))
    })
  },
})
register('aten.tensor_split.indices', {
  implicit: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const ends = [...c.dims('indices')!, x.meta.shape[dim]!]
    return ends.map((end, i) =>
      c.op('aten.slice.Tensor', x, BigInt(dim), dimArg(i === 0 ? 0 : ends[i - 1]!), dimArg(end)),
    )
  },
})
for (const [name, least, dimOf] of [
  ['hsplit', 1, (rank: number): bigint => (rank === 1 ? 0n : 1n)],
  ['vsplit', 2, (): bigint => 0n],
  ['dsplit', 3, (): bigint => 2n],
] as const)
  for (const [form, arg] of [
    ['int', 'sections'],
    ['array', 'indices'],
  ] as const)
    register(`aten.${name}.${form}`, {
      implicit: (c) => {
        const x = c.tensor('self')
        const rank = rankOf(x)
        if (rank < least)
          throw runtimeError(
            `torch.${name} requires a tensor with at least ${least} dimension${least > 1 ? 's' : ''}, but got a tensor with ${rank} dimensions!`,
          )
        const dim = dimOf(rank)
        const size = x.meta.shape[Number(dim)]!
        if (form === 'int' && typeof size === 'number' && size % c.int(arg) !== 0)
          throw runtimeError(
            `torch.${name} attempted to split along dimension ${dim}, but the size of the dimension ${size} is not divisible by the split_size ${c.int(arg)}!`,
          )
        return c.call(`aten.tensor_split.${arg}`, [x, c.get(arg), dim])
      },
    })
register('aten.split_with_sizes', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const sizes = c.dims('split_sizes')!
    const sum = sizes.reduce(addDims, 0)
    const size = x.meta.shape[dim]!
    if (typeof sum === 'number' && typeof size === 'number' && sum !== size)
      throw new TorchError('ValueError', `Split sizes add up to ${sum} but got the tensor's size of ${size}`)
    return pieces(c, x, dim, sizes)
  },
})
register('aten.split.sizes', {
  implicit: (c) => c.call('aten.split_with_sizes.default', [c.tensor('self'), c.get('split_size'), c.get('dim')]),
})
register('aten.chunk', {
  implicit: (c) => {
    const x = c.tensor('self')
    const size = x.meta.shape[wrapDim(c.int('dim'), rankOf(x))]!
    const chunks = c.int('chunks')
    const each = floorDiv(addDims(size, chunks - 1), chunks)
    return c.call('aten.split.Tensor', [
      x,
      dimArg(typeof size === 'string' ? exactly(size, chunks, each) : each),
      c.get('dim'),
    ])
  },
})
/** A symbolic size that the count divides splits evenly. */
const exactly = (size: Dim, chunks: number, rounded: Dim): Dim => {
  const each = floorDiv(size, chunks)
  return sameDim(mulDims(each, chunks), size) ? each : rounded
}
register('aten.unbind.int', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const size = x.meta.shape[dim]!
    if (typeof size !== 'number') throw runtimeError(`Cannot unbind the symbolic size ${size}`)
    return Array.from({ length: size }, (_, i) =>
      c.view(x, {
        shape: x.meta.shape.filter((_d, j) => j !== dim),
        stride: strides(x).filter((_d, j) => j !== dim),
        storageOffset: offset(x, dim, i),
      }),
    )
  },
})
