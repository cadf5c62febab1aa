/** Views with explicit strides, and diagonals. */
import type { Dim } from '../../../fx'
import { type FakeTensor, rankOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, Rules } from '../../operator'
import { stridesOf, tensorStrides } from '../../strides'
import { addDims, floorDiv, sameDim, subDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { upTo } from '../factories/ranges'
import { movedimOf } from './permute'
import { reshape } from './reshape'

const contiguous = (c: OpCall, x: FakeTensor): FakeTensor =>
  c.call('aten.clone.default', [x], {
    memory_format: { kind: 'memory_format', name: 'contiguous_format' },
  }) as FakeTensor

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.as_strided': {
    meta: (c) =>
      c.view(c.tensor('self'), {
        shape: c.dims('size')!,
        stride: c.dims('stride')!,
        ...(c.has('storage_offset') ? { storageOffset: c.dim('storage_offset') } : {}),
      }),
  },
  'aten.diagonal': {
    meta: (c, x) => {
      const [a, b] = [wrapDim(c.int('dim1'), rankOf(x)), wrapDim(c.int('dim2'), rankOf(x))]
      if (a === b) throw runtimeError(`diagonal dimensions cannot be identical ${c.int('dim1')}, ${c.int('dim2')}`)
      const by = c.int('offset')
      const rows = by >= 0 ? x.meta.shape[a]! : addDims(x.meta.shape[a]!, by)
      const columns = by >= 0 ? addDims(x.meta.shape[b]!, -by) : x.meta.shape[b]!
      const size: Dim =
        typeof rows === 'number' && typeof columns === 'number'
          ? Math.max(Math.min(rows, columns), 0)
          : sameDim(rows, columns)
            ? rows
            : `Min(${typeof rows === 'number' ? `${rows}, ${columns}` : `${columns}, ${rows}`})`
      const rest = x.meta.shape.map((_, i) => i).filter((i) => i !== a && i !== b)
      return c.view(x, {
        shape: [...rest.map((i) => x.meta.shape[i]!), size],
        stride: [...rest.map((i) => tensorStrides(x)[i]!), addDims(tensorStrides(x)[a]!, tensorStrides(x)[b]!)],
      })
    },
  },
  'aten.diag_embed': {
    decomp: (c, x0) => {
      const rank = rankOf(x0) + 1
      const [a, b] = [wrapDim(c.int('dim1'), rank), wrapDim(c.int('dim2'), rank)]
      if (a === b) throw runtimeError(`diagonal dimensions cannot be identical ${c.int('dim1')}, ${c.int('dim2')}`)
      const by = c.int('offset')
      if (by !== 0) return undefined
      const size = x0.meta.shape.at(-1)!
      const wide = c.op('aten.unsqueeze.default', x0, BigInt(Math.min(a, b)))
      const moved = movedimOf(c, wide, [rank - 1], [Math.max(a, b)])
      const rows = upTo(c, size, 'int64', x0.meta.device!)
      const columns = upTo(c, size, 'int64', x0.meta.device!)
      const apart = c.op('aten.unsqueeze.default', columns, -1n)
      const square = c.op('aten.eq.Tensor', rows, apart)
      const own = moved.meta.shape.map((_, i): Dim => (i === a || i === b ? size : 1))
      const hit = reshape(c, square, own)
      if (x0.meta.dtype === 'bool') return c.op('aten.logical_and.default', hit, moved)
      return c.op('aten.where.ScalarOther', hit, moved, 0n)
    },
  },
  'aten.unfold': {
    meta: (c, x) => {
      const dim = wrapDim(c.int('dimension'), x.meta.shape.length)
      const [size, step] = [c.dim('size'), c.dim('step')]
      // PyTorch: a scalar has one dimension of size 1 and stride 1 here.
      const whole = x.meta.shape[dim] ?? 1
      if (typeof size === 'number' && size < 0) throw runtimeError('numel: integer multiplication overflow')
      if (typeof size === 'number' && typeof whole === 'number' && size > whole)
        throw runtimeError(`Maximum size for tensor at dimension ${dim} is ${whole} but size is ${size}`)
      if (typeof step === 'number' && step <= 0) throw runtimeError(`Step is ${step} but must be > 0`)
      if (x.meta.shape.length === 0) return c.view(x, { shape: [size], stride: [1] })
      const count = addDims(floorDiv(subDims(whole, size), step), 1)
      const strides = stridesOf(x.meta)
      return c.view(x, {
        shape: [...x.meta.shape.map((d, i): Dim => (i === dim ? count : d)), size],
        stride: [...strides.map((d, i): Dim => (i === dim ? Number(d) * Number(step) : d)), strides[dim]!],
      })
    },
  },
  'aten.diag': {
    implicit: (c, x) =>
      rankOf(x) === 1
        ? c.op('aten.diag_embed.default', x, c.get('diagonal'))
        : contiguous(c, c.op('aten.diagonal.default', x, c.get('diagonal'))),
  },
  'aten.trace': {
    decomp: (c) => {
      const rank = rankOf(c.tensor('self'))
      if (rank !== 2) throw runtimeError(`expected a matrix, but got tensor with dim ${rank}`)
      return c.op('aten.sum.default', contiguous(c, c.op('aten.diagonal.default', c.tensor('self'))))
    },
  },
  'aten.diagflat': {
    implicit: (c) => {
      const flat = c.op('aten.view.default', c.op('aten.contiguous.default', c.tensor('self')), [-1n])
      return c.op('aten.diag_embed.default', flat, c.get('offset'))
    },
  },
})

export const TRAITS: Traits = {
  view: 'as_strided diagonal unfold',
  passes: 'as_strided',
}
