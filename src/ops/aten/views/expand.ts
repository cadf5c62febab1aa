/** Adds, removes and repeats dimensions of size one. */
import type { Dim } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, itemsOf, rankOf, shapeOf } from '../../fake'
import { load } from '../../expr/expr'
import { type Kernel, KernelRefusal, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import { wrapDim } from '../../op_call'
import type { Traits, Kernels, Rules } from '../../operator'
import { broadcastShapes, tensorStrides } from '../../strides'
import { isOne, mulDims, sameDim, sameDims, subDims } from '../../sym'
import { runtimeError, TorchError, UNNAMED_CHECK } from '../../torch_error'
import { listOf, RESULT, SELF } from '../indexing/pad'
import * as guess from '../../guess/relations'

/** `repeats` copies of the tensor along each dimension: torch.Tensor.repeat. */
const repeat: Kernel = eachKernel({
  name: 'repeat',
  params: [SELF, { name: 'repeats', kind: 'attr' }, RESULT],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'self')
    const times = listOf(call, 'repeats')
    const lead = times.length - shape.length
    if (lead < 0) throw new KernelRefusal(`${times.length} repeats are fewer than the ${shape.length} dimensions`)
    return { result: { shape: times.map((n, d) => n * (d < lead ? 1 : shape[d - lead]!)), dtype } }
  },
  values(call, index) {
    const { shape } = tensorArg(call, 'self')
    return [load('self', ...shape.map((n, d) => index[index.length - shape.length + d]!.mod(n)))]
  },
})

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.unsqueeze': {
    shape: 'A dimension of size 1 is inserted at dim.',
    guess: guess.dtypeOfFirst,
    meta: (c, x) => {
      const dim = wrapDim(c.int('dim'), rankOf(x) + 1)
      const step = dim < rankOf(x) ? mulDims(x.meta.shape[dim]!, tensorStrides(x)[dim]!) : 1
      return c.view(x, {
        shape: [...x.meta.shape.slice(0, dim), 1, ...x.meta.shape.slice(dim)],
        stride: [...tensorStrides(x).slice(0, dim), step, ...tensorStrides(x).slice(dim)],
      })
    },
  },
  'aten.squeeze': {
    shape: 'Dimensions of size 1 are removed: those in dim, or all.',
    meta: (c, x) => {
      const given = c.schema.name.endsWith('.dims') ? c.dims('dim')! : c.has('dim') ? [c.dim('dim')] : null
      const dims = given?.map((d) => wrapDim(Number(d), rankOf(x)))
      const keep = x.meta.shape.map((d, i) => !(isOne(d) && (!dims || dims.includes(i))))
      return c.view(x, {
        shape: x.meta.shape.filter((_, i) => keep[i]),
        stride: tensorStrides(x).filter((_, i) => keep[i]),
      })
    },
  },
  'aten.expand': {
    shape: 'Dimensions of size 1 get the given size without a copy; -1 keeps a size.',
    guess: guess.dtypeOfFirst,
    meta: (c, x) => {
      const size = c.dims('size')!
      const lead = size.length - rankOf(x)
      if (lead < 0)
        throw runtimeError(
          `expand: the requested shape has too few dimensions! (${size.length} for a tensor of ${rankOf(x)} dimensions)`,
        )
      const stride: Dim[] = []
      const shape = size.map((d, i): Dim => {
        if (i < lead) {
          if (d === -1) throw runtimeError(UNNAMED_CHECK)
          stride.push(0)
          return d
        }
        const have = x.meta.shape[i - lead]!
        if (d === -1 || sameDim(d, have)) {
          stride.push(tensorStrides(x)[i - lead]!)
          return have
        }
        if (!isOne(have) && typeof have === 'number')
          throw runtimeError(`expand: attempting to expand a dimension of length ${have} -> ${d}!`)
        stride.push(0)
        return d
      })
      // A new dimension of size 1 has the stride that spans all following dimensions (prims.broadcast_in_dim).
      const step = rankOf(x) === 0 ? 1 : mulDims(x.meta.shape[0]!, tensorStrides(x)[0]!)
      return c.view(x, { shape, stride: stride.map((s, i) => (i < lead && isOne(shape[i]!) ? step : s)) })
    },
  },
  'aten.expand_as': {
    decomp: (c) => c.op('aten.expand.default', c.tensor('self'), dimArgs(c.tensor('other').meta.shape)),
  },
  'aten.broadcast_to': { implicit: (c) => c.op('aten.expand.default', c.tensor('self'), c.get('size')) },
  'aten.repeat': {
    noop: ([x, repeats]) => (Array.isArray(repeats) && repeats.every((n) => n === 1n) ? x : undefined),
    meta: (c, x) => {
      const repeats = c.dims('repeats')!
      const lead = repeats.length - rankOf(x)
      const negative = repeats.findIndex((n) => typeof n === 'number' && n < 0)
      if (negative >= 0)
        throw runtimeError(`Repeats cannot be negative, found ${repeats[negative]} at index ${negative}`)
      if (lead < 0)
        throw runtimeError('Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor')
      return c.fresh(
        x.meta.dtype,
        repeats.map((n, i) => mulDims(n, i < lead ? 1 : x.meta.shape[i - lead]!)),
        x.meta.device,
      )
    },
  },
  'aten.tile': {
    implicit: (c, x) => {
      const dims = itemsOf(c.get('dims')) ?? []
      const pad = new Array<DispatchArg>(Math.max(0, rankOf(x) - dims.length)).fill(1n)
      return c.op('aten.repeat.default', x, [...pad, ...dims])
    },
  },
  'aten.atleast_1d': {
    implicit: (c) => {
      const x = c.maybeTensor('self')
      return x && (rankOf(x) > 0 ? x : c.op('aten.reshape.default', x, [1n]))
    },
  },
  'aten.atleast_2d': {
    implicit: (c) => {
      const x = c.maybeTensor('self')
      if (!x || rankOf(x) >= 2) return x ?? undefined
      return rankOf(x) === 1 ? c.op('aten.unsqueeze.default', x, 0n) : c.op('aten.reshape.default', x, [1n, 1n])
    },
  },
  'aten.atleast_3d': {
    implicit: (c) => {
      const x = c.maybeTensor('self')
      if (!x) return undefined
      if (rankOf(x) >= 3) return x
      if (rankOf(x) === 2) return c.op('aten.unsqueeze.default', x, -1n)
      if (rankOf(x) === 0) return c.op('aten.reshape.default', x, [1n, 1n, 1n])
      return c.op('aten.unsqueeze.default', c.op('aten.unsqueeze.default', x, 0n), -1n)
    },
  },
  'aten.broadcast_tensors': {
    implicit: (c) => {
      const all = c.tensors('tensors')
      const shape = broadcastShapes(all.map((t) => t.meta.shape))
      return all.map((t) => (sameDims(t.meta.shape, shape) ? t : c.op('aten.expand.default', t, dimArgs(shape))))
    },
  },
  'aten.repeat_interleave.self_int': {
    implicit: (c, x) => {
      if (!c.has('dim')) x = c.op('aten.flatten.using_ints', x)
      const rank = shapeOf(x).length
      const dim = c.has('dim') ? wrapDim(c.int('dim'), rank) : 0
      const times = c.dim('repeats')
      const wide = c.op('aten.unsqueeze.default', x, BigInt(dim + 1))
      const shape = [...shapeOf(x).slice(0, dim + 1), times, ...shapeOf(x).slice(dim + 1)]
      const copies = c.call('aten.clone.default', [c.op('aten.expand.default', wide, dimArgs(shape))], {
        memory_format: { kind: 'memory_format', name: 'contiguous_format' },
      }) as FakeTensor
      const flat = dimArgs(shapeOf(x)).map((d, i) => (i === dim ? c.call('operator.mul', [d, dimArg(times)]) : d))
      return c.op('aten.view.default', copies, flat)
    },
  },
  'aten.repeat_interleave.self_Tensor': {
    implicit: (c) => {
      const x = c.has('dim') ? c.tensor('self') : c.op('aten.flatten.using_ints', c.tensor('self'))
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const given = c.tensor('repeats')
      const one = rankOf(given) === 0 || (rankOf(given) === 1 && isOne(given.meta.shape[0]!))
      const repeats = one
        ? c.op('aten.expand.default', c.op('aten.reshape.default', given, [1n]), dimArgs([x.meta.shape[dim]!]))
        : given
      if (rankOf(repeats) !== 1) throw runtimeError('repeats must be 0-dim or 1-dim tensor')
      if (!sameDim(repeats.meta.shape[0]!, x.meta.shape[dim]!))
        throw runtimeError(
          `repeats must have the same size as input along dim, but got repeats.size(0) = ${repeats.meta.shape[0]} and input.size(${dim}) = ${x.meta.shape[dim]}`,
        )
      const places = c.call('aten.repeat_interleave.Tensor', [repeats], { output_size: c.get('output_size') })
      return c.op('aten.index_select.default', x, BigInt(dim), places)
    },
  },
  'aten.repeat_interleave.Tensor': {
    decomp: (c) => {
      const size = c.get('output_size')
      if (typeof size !== 'bigint') throw new TorchError('DynamicOutputShapeException', c.schema.name)
      const repeats = c.tensor('repeats')
      const ends = c.op('aten.cumsum.default', repeats, 0n)
      const places = c.call('aten.arange.default', [size], { device: repeats.meta.device! })
      const options = { out_int32: repeats.meta.dtype === 'int32', right: true }
      const found = c.call('aten.searchsorted.Tensor', [ends, places], options)
      return c.op('aten.clamp.default', found, null, dimArg(subDims(repeats.meta.shape[0]!, 1)))
    },
  },
})

export const KERNELS: Kernels = { 'aten.repeat': repeat }

export const TRAITS: Traits = {
  view: 'expand squeeze unsqueeze broadcast_in_dim repeat',
  passes: 'squeeze unsqueeze expand',
}
