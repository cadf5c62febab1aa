/** Operators that make tensors: Inductor turns most into `empty`, `full` and `prims.iota`. */
import { dtype as dtypeArg, layout, memoryFormat, type Device, type Dim } from '../../fx'
import { dimArg, dimArgs, toDim, type DispatchArg, type FakeTensor } from '../fake'
import { parseDevice, type OpCall } from '../op_call'
import { dtypeOfNumber, isFloatDtype, isIntDtype } from '../promote'
import { register, type OpDef } from '../registry'
import { physicalOrder } from '../strides'
import { addDims, floorDiv, subDims } from '../sym'
import { TorchError } from '../torch_error'
import { cast } from './elementwise'

type Options = Record<string, DispatchArg>

/** dtype, layout, device and pin_memory as decompositions pass them on: all four. */
const allOptions = (c: OpCall, dtype: string, device: Device): Options => ({
  dtype: dtypeArg(dtype),
  layout: layout('strided'),
  device,
  pin_memory: c.bool('pin_memory'),
})
const CPU: Device = { kind: 'device', type: 'cpu', index: null }

const sized: OpDef = { meta: (c) => c.fresh(c.dtype() ?? 'float32', c.dims('size')!, c.device()) }
register('aten.empty aten.rand aten.randn', sized)
register('aten.empty_strided', {
  meta: (c) => c.fresh(c.dtype() ?? 'float32', c.dims('size')!, c.device(), c.dims('stride')!),
})
register('aten.full', {
  decomp: (c) => {
    if (c.has('dtype')) return undefined
    // By way of torch.full, which names the device and says that memory is not pinned.
    const given: Options = { dtype: dtypeArg(dtypeOfNumber(c.get('fill_value'))) }
    if (c.has('layout')) given['layout'] = c.get('layout')
    given['device'] = c.has('device') ? c.get('device') : (c.device() ?? parseDevice('cpu'))
    given['pin_memory'] = c.has('pin_memory') ? c.get('pin_memory') : false
    return c.call('aten.full.default', [c.get('size'), c.get('fill_value')], given)
  },
  meta: (c) => c.fresh(c.dtype() ?? dtypeOfNumber(c.get('fill_value')), c.dims('size')!, c.device()),
})

/** 0 and 1 as the dtype has them. */
const valueIn = (dtype: string, value: bigint): DispatchArg => (dtype === 'bool' ? value === 1n : value)

const likeDtype = (c: OpCall): string => c.dtype() ?? c.tensor('self').meta.dtype

const filled = (value: bigint): OpDef => ({
  decomp: (c) =>
    c.call(
      'aten.full.default',
      [c.get('size'), valueIn(c.dtype() ?? 'float32', value)],
      allOptions(c, c.dtype() ?? 'float32', c.device() ?? CPU),
    ),
})
register('aten.zeros', filled(0n))
register('aten.ones', filled(1n))

/** A factory's result laid out in memory as `like` is: made in its physical order, then permuted back. */
function permutedLike(
  c: OpCall,
  like: FakeTensor,
  make: (size: readonly DispatchArg[]) => FakeTensor,
  copies: boolean,
): FakeTensor {
  const { shape } = like.meta
  const order = physicalOrder([like.meta])
  if (order.every((d, i) => d === i)) return make(dimArgs(shape))
  const made = make(dimArgs(order.map((i) => shape[i]!)))
  const back = order.map((_, i) => BigInt(order.indexOf(i)))
  const out = c.op('aten.permute.default', made, back)
  return copies ? c.op('aten.clone.default', out) : out
}

register('aten.empty_like', {
  decomp: (c) => {
    const x = c.tensor('self')
    const options = allOptions(c, c.dtype() ?? x.meta.dtype, c.device() ?? x.meta.device ?? CPU)
    const format = c.memoryFormat()
    const make = (size: readonly DispatchArg[], extra: Options = {}): FakeTensor =>
      c.call('aten.empty.memory_format', [size], { ...options, ...extra }) as FakeTensor
    if (format !== null && format !== 'preserve_format')
      return make(dimArgs(x.meta.shape), { memory_format: memoryFormat(format) })
    return permutedLike(c, x, make, false)
  },
})

/** full(shape of x, value) with the options spelt out. */
export function fullLike(
  c: OpCall,
  x: FakeTensor,
  value: DispatchArg,
  dtype = x.meta.dtype,
  shape: readonly Dim[] = x.meta.shape,
): FakeTensor {
  return c.call('aten.full.default', [dimArgs(shape), value], {
    dtype: dtypeArg(dtype),
    layout: layout('strided'),
    device: x.meta.device ?? CPU,
    pin_memory: false,
  }) as FakeTensor
}

const likeFilled = (value: (c: OpCall) => DispatchArg): OpDef => ({
  decomp: (c) => {
    const x = c.tensor('self')
    const options = allOptions(c, c.dtype() ?? x.meta.dtype, c.device() ?? x.meta.device ?? CPU)
    return permutedLike(c, x, (size) => c.call('aten.full.default', [size, value(c)], options) as FakeTensor, true)
  },
})
register(
  'aten.zeros_like',
  likeFilled((c) => valueIn(likeDtype(c), 0n)),
)
register(
  'aten.ones_like',
  likeFilled((c) => valueIn(likeDtype(c), 1n)),
)
register(
  'aten.full_like',
  likeFilled((c) => c.get('fill_value')),
)

const randomLike = (name: string): OpDef => ({
  decomp: (c) => {
    const x = c.tensor('self')
    const options: Options = {
      dtype: dtypeArg(c.dtype() ?? x.meta.dtype),
      device: c.device() ?? x.meta.device ?? CPU,
      pin_memory: c.bool('pin_memory'),
    }
    return permutedLike(c, x, (size) => c.call(name, [size], options) as FakeTensor, true)
  },
})
register('aten.rand_like', randomLike('aten.rand.default'))
register('aten.randn_like', randomLike('aten.randn.default'))

const newFilled = (value: (c: OpCall) => DispatchArg): OpDef => ({
  decomp: (c) => {
    const x = c.tensor('self')
    const options = allOptions(c, c.dtype() ?? x.meta.dtype, c.device() ?? x.meta.device ?? CPU)
    return c.call('aten.full.default', [c.get('size'), value(c)], options)
  },
})
register(
  'aten.new_zeros',
  newFilled((c) => valueIn(likeDtype(c), 0n)),
)
register(
  'aten.new_ones',
  newFilled((c) => valueIn(likeDtype(c), 1n)),
)
register(
  'aten.new_full',
  newFilled((c) => c.get('fill_value')),
)
register('aten.new_empty', {
  decomp: (c) => {
    const x = c.tensor('self')
    const options = allOptions(c, c.dtype() ?? x.meta.dtype, c.device() ?? x.meta.device ?? CPU)
    return c.call('aten.empty.memory_format', [c.get('size')], options)
  },
})
register('aten.new_empty_strided', {
  meta: (c) => {
    const x = c.tensor('self')
    return c.fresh(c.dtype() ?? x.meta.dtype, c.dims('size')!, c.device() ?? x.meta.device, c.dims('stride')!)
  },
})
register('aten.empty_permuted', {
  decomp: (c) => {
    const size = c.dims('size')!
    const physical = c.dims('physical_layout')!.map(Number)
    const options: Options = {}
    for (const k of ['dtype', 'layout', 'device', 'pin_memory']) if (c.has(k)) options[k] = c.get(k)
    const make = (s: readonly Dim[]): DispatchArg => c.call('aten.empty.memory_format', [dimArgs(s)], options)
    if (physical.every((d, i) => d === i)) return make(size)
    const made = make(physical.map((i) => size[i]!))
    return c.op(
      'aten.permute.default',
      made,
      size.map((_, i) => BigInt(physical.indexOf(i))),
    )
  },
})

register('prims.iota', { meta: (c) => c.fresh(c.dtype()!, [c.dim('length')], c.device()) })

/** arange's iota over a count of whole steps. */
export function iota(
  c: OpCall,
  length: Dim,
  dtype: string,
  device: Device,
  start: DispatchArg = 0n,
  step: DispatchArg = 1n,
): FakeTensor {
  return c.call('prims.iota.default', [dimArg(length)], {
    start,
    step,
    dtype: dtypeArg(dtype),
    device,
    requires_grad: false,
  }) as FakeTensor
}

register('aten.arange', {
  decomp: (c) => {
    const start = c.has('start') ? c.get('start') : 0n
    const step = c.has('step') ? c.get('step') : 1n
    const end = c.get('end')
    const device = c.device() ?? CPU
    const whole = [start, end, step].every((v) => typeof v !== 'number')
    const dtype = c.dtype() ?? (whole ? 'int64' : 'float32')
    const length: Dim = whole
      ? floorDiv(
          addDims(subDims(toDim(end), toDim(start)), subDims(toDim(step), Number(step) > 0 ? 1 : -1)),
          toDim(step),
        )
      : Math.ceil((Number(end) - Number(start)) / Number(step))
    if (typeof length === 'number' && length < 0)
      throw new TorchError('RuntimeError', 'upper bound and lower bound inconsistent with step sign')
    if (isIntDtype(dtype)) return iota(c, length, dtype, device, toWhole(start), toWhole(step))
    // Whole steps are counted as integers, others as the accumulation type of the CPU.
    const compute = whole ? 'int64' : 'float64'
    const index = cast(c, iota(c, length, 'int64', device), compute)
    return cast(c, c.op('aten.add.Tensor', c.op('aten.mul.Tensor', index, step), start), dtype)
  },
})
const toWhole = (v: DispatchArg): DispatchArg => (typeof v === 'number' ? BigInt(Math.trunc(v)) : v)

const narrowest = (n: number): string => (n <= 255 ? 'uint8' : n <= 65535 ? 'uint16' : 'int32')
register('aten.eye', {
  decomp: (c) => {
    const n = c.dim('n')
    const m = c.has('m') ? c.dim('m') : n
    const device = c.device() ?? CPU
    // The narrowest type that holds both sizes.
    const dtype = [n, m].every((d) => typeof d === 'number') ? narrowest(Math.max(Number(n), Number(m))) : 'int64'
    const rows = iota(c, n, dtype, device)
    const columns = iota(c, m, dtype, device)
    const hit = c.op('aten.eq.Tensor', c.op('aten.unsqueeze.default', rows, -1n), columns)
    return cast(c, hit, c.dtype() ?? 'float32')
  },
})

register('aten.randint.default', {
  decomp: (c) => {
    const options: Options = {}
    for (const k of ['dtype', 'layout', 'device', 'pin_memory']) if (c.has(k)) options[k] = c.get(k)
    return c.call('aten.randint.low', [0n, c.get('high'), c.get('size')], options)
  },
})
register('aten.randint.low', { meta: (c) => c.fresh(c.dtype() ?? 'int64', c.dims('size')!, c.device()) })

register('aten.linspace', {
  decomp: (c) => {
    const [start, end, steps] = [c.number('start'), c.number('end'), c.int('steps')]
    const dtype = c.dtype() ?? 'float32'
    if (start === null || end === null || steps < 0) return undefined
    if (steps < 2)
      return c.call(
        'aten.full.default',
        [[BigInt(steps)], steps === 0 ? 0n : c.get('start')],
        allOptions(c, dtype, c.device() ?? CPU),
      )
    if (!isFloatDtype(dtype)) return undefined
    const step = (end - start) / (steps - 1)
    const index = iota(c, steps, 'int64', c.device() ?? CPU)
    // Counted from the nearer end, so that both ends come out exact.
    const first = c.op('aten.lt.Scalar', index, steps / 2)
    const up = c.op('aten.add.Tensor', c.op('aten.mul.Tensor', cast(c, index, dtype), step), c.get('start'))
    const left = cast(c, c.op('aten.rsub.Scalar', index, BigInt(steps - 1)), dtype)
    const down = c.op('aten.rsub.Scalar', c.op('aten.mul.Tensor', left, step), c.get('end'))
    return c.op('aten.where.self', first, up, down)
  },
})

const triangle = (compare: string): OpDef => ({
  decomp: (c) => {
    const x = c.tensor('self')
    if (x.meta.shape.length < 2)
      throw new TorchError(
        'RuntimeError',
        `${c.schema.name.split('.')[1]!}: input tensor must have at least 2 dimensions`,
      )
    const [rows, columns] = x.meta.shape.slice(-2) as [Dim, Dim]
    const device = x.meta.device ?? CPU
    const across = c.op('aten.unsqueeze.default', iota(c, columns, 'int64', device), -2n)
    const down = c.op('aten.unsqueeze.default', iota(c, rows, 'int64', device), -1n)
    const inside = c.op(compare, c.op('aten.sub.Tensor', across, down), c.get('diagonal'))
    const kept =
      x.meta.dtype === 'bool'
        ? c.op('aten.logical_and.default', inside, x)
        : c.op('aten.where.ScalarOther', inside, x, 0n)
    return c.op('aten.contiguous.default', kept)
  },
})
register('aten.tril', triangle('aten.le.Scalar'))
register('aten.triu', triangle('aten.ge.Scalar'))
register('aten.randperm', { meta: (c) => c.fresh(c.dtype() ?? 'int64', [c.dim('n')], c.device()) })
register('aten.fill.Scalar', { decomp: (c) => c.op('aten.full_like.default', c.tensor('self'), c.get('value')) })
register('aten.native_dropout', {
  decomp: (c) => {
    const x = c.tensor('input')
    const p = c.number('p')!
    const ones = (value: boolean): FakeTensor =>
      c.call(value ? 'aten.ones_like.default' : 'aten.zeros_like.default', [x], {
        dtype: dtypeArg('bool'),
      }) as FakeTensor
    if (c.get('train') !== true || p === 0) return { kind: 'tuple', items: [x, ones(true)] }
    if (p === 1) return { kind: 'tuple', items: [c.op('aten.zeros_like.default', x), ones(false)] }
    if (!isFloatDtype(x.meta.dtype))
      throw new TorchError('RuntimeError', "result type Float can't be cast to the desired output type Long")
    const kept = c.op('aten.gt.Scalar', c.op('aten.rand_like.default', x), p)
    const scaled = c.op('aten.mul.Tensor', c.op('aten.mul.Tensor', kept, x), 1 / (1 - p))
    return { kind: 'tuple', items: [scaled, kept] }
  },
})
