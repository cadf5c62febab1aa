/** Padding operators. */
import type { Dim } from '../../../fx'
import { all, load, where } from '../../expr/expr'
import { dimArg, type DispatchArg, type FakeTensor, rankOf } from '../../fake'
import { type Kernel, type KernelCall, type Param, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import { contiguousIn, freshLike, suggestedFormat } from '../../memory_format'
import type { OpCall } from '../../op_call'
import type { Traits, Kernels, OpDef, Rules } from '../../operator'
import { addDims, subDims } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { pointwise } from '../elementwise/elementwise_rule'
import { upTo } from '../factories/ranges'

/** Reflect, replicate and similar padding of the last one to three dimensions. */
function padBy(c: OpCall): DispatchArg {
  const pad = c.dims('pad')!
  const mode = c.string('mode') ?? ''
  const kind = { reflect: 'reflection', replicate: 'replication', circular: 'circular' }[mode]
  if (kind === undefined) throw new TorchError('NotImplementedError', `Unrecognised padding mode ${mode}`)
  const [rank, sides] = [rankOf(c.tensor('self')), pad.length / 2]
  if (sides < 1 || sides > 3 || rank < sides + 1 || rank > sides + 2)
    throw new TorchError(
      'NotImplementedError',
      `Padding size ${pad.length} is not supported for ${rank}D input tensor.`,
    )
  return kind === 'circular'
    ? circular(c)
    : c.call(`aten.${kind}_pad${sides}d.default`, [c.tensor('self'), c.get('pad')])
}

/** _pad_circular: a new tensor, the input in its middle, then each side copied from the other end. */
function circular(c: OpCall): FakeTensor {
  const x = c.tensor('self')
  const padding = c.dims('pad')!.map(Number)
  const shape = x.meta.shape.map(Number)
  const rank = padding.length / 2
  const sizes = [...shape]
  for (let i = 0; i < rank; i++) sizes[shape.length - 1 - i]! += padding[2 * i]! + padding[2 * i + 1]!
  const slice = (t: FakeTensor, dim: number, from: number, to: number): FakeTensor =>
    c.op('aten.slice.Tensor', t, BigInt(dim), BigInt(from), BigInt(to))
  const out = c.op('aten.new_empty.default', x, sizes.map(BigInt))
  let [middle, source] = [out, x]
  const sides = Array.from({ length: rank }, (_, i) => {
    const dim = shape.length - 1 - i
    return { dim, left: padding[2 * i]!, right: padding[2 * i + 1]!, size: sizes[dim]! }
  })
  for (const { dim, left, right, size } of sides) {
    middle = slice(middle, dim, Math.max(left, 0), size - Math.max(right, 0))
    source = slice(source, dim, Math.max(-left, 0), shape[dim]! - Math.max(-right, 0))
  }
  c.op('aten.copy_.default', middle, source)
  for (const { dim, left, right, size } of sides) {
    const end = size - Math.max(right, 0)
    if (left > 0) c.op('aten.copy_.default', slice(out, dim, 0, left), slice(out, dim, end - left, end))
    const start = Math.max(left, 0)
    if (right > 0)
      c.op('aten.copy_.default', slice(out, dim, size - right, size), slice(out, dim, start, start + right))
  }
  return out
}

/** Padding by reflection or repetition also picks indices; the last dimension comes first in `padding`. */
const picked = (pick: (c: OpCall, index: FakeTensor, size: Dim) => FakeTensor): OpDef =>
  pointwise('self', (c, x) => contiguousIn(c, pickedOf(c, x!, pick), suggestedFormat(x!.meta)))

function pickedOf(c: OpCall, x: FakeTensor, pick: (c: OpCall, index: FakeTensor, size: Dim) => FakeTensor): FakeTensor {
  const padding = c.dims('padding')!
  const rank = padding.length / 2
  const lead = x.meta.shape.length - rank
  const all = new Array<DispatchArg>(lead + rank).fill(null)
  let out = x
  for (let i = 0; i < rank; i++) {
    const size = x.meta.shape[lead + i]!
    const [left, right] = [padding[2 * (rank - 1 - i)]!, padding[2 * (rank - 1 - i) + 1]!]
    const end = c.call('operator.add', [dimArg(size), dimArg(right)])
    const index = pick(c, upTo(c, end, 'int64', x.meta.device!, BigInt(subDims(0, left))), size)
    out = c.op('aten._unsafe_index.Tensor', out, all.with(lead + i, index))
  }
  return out
}

export const RESULT: Param = { name: 'result', kind: 'out' }

export const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['input'] }

export const listOf = (call: KernelCall, name: string): number[] => {
  const v = call.attrs[name]
  return Array.isArray(v) ? v.map(Number) : []
}

/**
 * The tensor surrounded by `value`; `pad` begins with the last dimension, and negative values crop:
 * torch.nn.functional.pad.
 */
const constantPad: Kernel = eachKernel({
  name: 'constant_pad_nd',
  params: [SELF, { name: 'pad', kind: 'attr' }, { name: 'value', kind: 'attr', default: 0 }, RESULT],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'self')
    return { result: { shape: shape.map((n, d) => n + before(call, d) + after(call, d)), dtype } }
  },
  values(call, index) {
    const { shape } = tensorArg(call, 'self')
    const from = index.map((i, d) => i.minus(before(call, d)))
    const inside = all(from.map((i, d) => i.ge(0).and(i.lt(shape[d]!))))
    return [where(inside, load('self', ...from), Number(call.attrs['value']))]
  },
})

/** The pair in `pad` for dimension d: pairs start with the last dimension. */
const padOf = (call: KernelCall, d: number, side: 0 | 1): number =>
  listOf(call, 'pad')[2 * (tensorArg(call, 'self').shape.length - 1 - d) + side] ?? 0

const before = (call: KernelCall, d: number): number => padOf(call, d, 0)

const after = (call: KernelCall, d: number): number => padOf(call, d, 1)

/** @throws TorchError RuntimeError */
function checkPadding(pad: readonly Dim[], rank: number): void {
  if (pad.length % 2 !== 0) throw runtimeError('Padding length must be divisible by 2')
  if (pad.length > 2 * rank)
    throw runtimeError(
      `Padding length should be less than or equal to two times the input dimension but got padding length ${pad.length} and input of dimension ${rank}`,
    )
}

export const rules = (): Rules => ({
  'aten.constant_pad_nd': {
    noop: ([x, pad]) => (Array.isArray(pad) && pad.every((n) => n === 0n) ? x : undefined),
    meta: (c, x) => {
      const pad = c.dims('pad')!
      checkPadding(pad, x.meta.shape.length)
      const shape = x.meta.shape.map((d, i): Dim => {
        const k = 2 * (x.meta.shape.length - 1 - i)
        const cut = [pad[k], pad[k + 1]].reduce<number>((sum, p) => sum + Math.min(Number(p ?? 0) || 0, 0), 0)
        if (typeof d === 'number' && d + cut < 0) throw runtimeError('narrow(): length must be non-negative.')
        return k + 1 < pad.length ? addDims(d, addDims(pad[k]!, pad[k + 1]!)) : d
      })
      return freshLike(c, x.meta.dtype, shape, x)
    },
  },
  'aten.pad': {
    implicit: (c) =>
      c.string('mode') === 'constant'
        ? c.call('aten.constant_pad_nd.default', [c.tensor('self'), c.get('pad'), c.has('value') ? c.get('value') : 0])
        : padBy(c),
  },
  'aten.reflection_pad1d aten.reflection_pad2d aten.reflection_pad3d': picked((c, index, size) => {
    const last = BigInt(subDims(size, 1))
    const near = c.op('aten.sub.Tensor', last, c.op('aten.abs.default', index))
    return c.op('aten.sub.Tensor', last, c.op('aten.abs.default', near))
  }),
  'aten.replication_pad1d aten.replication_pad2d aten.replication_pad3d': picked((c, index, size) =>
    c.op('aten.clamp.default', index, 0n, BigInt(subDims(size, 1))),
  ),
})

export const KERNELS: Kernels = { 'aten.constant_pad_nd': constantPad }

export const TRAITS: Traits = {
  view: 'constant_pad_nd',
}
