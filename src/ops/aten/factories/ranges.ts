/** Ranges of numbers, and matrices computed from their indices. */
import { type Device, type Dim, dtype as dtypeArg, pyFloatRepr } from '../../../fx'
import { number } from '../../expr/expr'
import { dimArg, type DispatchArg, type FakeTensor, isNumber, isSym } from '../../fake'
import type { Kernel } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import type { OpCall } from '../../op_call'
import type { Traits, Kernels, OpDef, Rules } from '../../operator'
import { computationDtype, isFloatDtype, isIntDtype } from '../../promote'
import { isFloatSym } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { cast } from '../elementwise/elementwise_rule'
import { allOptions, CPU } from './empty'

/** arange as prims.iota over an integer number of steps. */
export function iota(
  c: OpCall,
  length: Dim | DispatchArg,
  dtype: string,
  device: Device,
  { start = 0n, step = 1n }: { readonly start?: DispatchArg; readonly step?: DispatchArg } = {},
): FakeTensor {
  return c.call(
    'prims.iota.default',
    [typeof length === 'number' || typeof length === 'string' ? dimArg(length) : length],
    {
      start,
      step,
      dtype: dtypeArg(dtype),
      device,
      requires_grad: false,
    },
  ) as FakeTensor
}

/** `(end - start + step - sign) // step`, by the operators of symbolic sizes. */
function steps(c: OpCall, end: DispatchArg, start: DispatchArg, step: DispatchArg): DispatchArg {
  const on = (fn: string, a: DispatchArg, b: DispatchArg): DispatchArg => c.call(`operator.${fn}`, [a, b])
  const last = on('sub', on('add', on('sub', end, start), step), typeof step === 'bigint' && step < 0n ? -1n : 1n)
  return on('floordiv', last, step)
}

/** torch.arange(size) in a decomposition also counts its steps with the operators of symbolic sizes. */
export const upTo = (c: OpCall, size: Dim | DispatchArg, dtype: string, device: Device, start = 0n): FakeTensor =>
  iota(
    c,
    steps(c, typeof size === 'number' || typeof size === 'string' ? dimArg(size) : size, start, 1n),
    dtype,
    device,
    {
      start,
    },
  )

/** `ceil((end - start) / step)`, if one of them is a float. */
function floatSteps(c: OpCall, end: DispatchArg, start: DispatchArg, step: DispatchArg): DispatchArg {
  return c.call('math.ceil', [c.call('operator.truediv', [c.call('operator.sub', [end, start]), step])])
}

const isFloatArg = (v: DispatchArg): boolean => typeof v === 'number' || (isSym(v) && isFloatSym(v))
/** sym_int. */
const toWhole = (c: OpCall, v: DispatchArg): DispatchArg => (isFloatArg(v) ? c.call('math.trunc', [v]) : v)

/** @throws TorchError for numbers that give no valid number of steps */
function checkRange(end: DispatchArg, start: DispatchArg, step: DispatchArg): void {
  if (isNumber(step) && Number(step) === 0) throw runtimeError('step must be nonzero')
  const known = [start, end, step].every(isNumber)
  if (known && !((Number(end) - Number(start)) * Math.sign(Number(step)) >= 0))
    throw runtimeError('upper bound and lower bound inconsistent with step sign')
  const infinite = (v: DispatchArg): v is number => typeof v === 'number' && !Number.isFinite(v)
  const text = (v: DispatchArg): string => (typeof v === 'number' ? pyFloatRepr(v) : isSym(v) ? v.expr : String(v))
  if (infinite(start) || infinite(end)) throw runtimeError(`unsupported range: ${text(start)} -> ${text(end)}`)
  if (infinite(step)) throw runtimeError(`step must be finite but got ${text(step)}`)
}

const narrowest = (n: number): string => (n <= 255 ? 'uint8' : n <= 65535 ? 'uint16' : 'int32')

const triangle = (compare: string): OpDef => ({
  decomp: (c, x) => {
    if (x.meta.shape.length < 2)
      throw new TorchError(
        'RuntimeError',
        `${c.schema.name.split('.')[1]!}: input tensor must have at least 2 dimensions`,
      )
    const [rows, columns] = x.meta.shape.slice(-2) as [Dim, Dim]
    const device = x.meta.device ?? CPU
    const index = (size: Dim): FakeTensor => upTo(c, size, 'int64', device)
    const across = c.op('aten.unsqueeze.default', index(columns), -2n)
    const down = c.op('aten.unsqueeze.default', index(rows), -1n)
    const inside = c.op(compare, c.op('aten.sub.Tensor', across, down), c.get('diagonal'))
    const kept =
      x.meta.dtype === 'bool'
        ? c.op('aten.logical_and.default', inside, x)
        : c.op('aten.where.ScalarOther', inside, x, 0n)
    return c.op('aten.contiguous.default', kept)
  },
})

/** `start + i * step`. */
const iotaKernel: Kernel = eachKernel({
  name: 'iota',
  params: [
    { name: 'length', kind: 'attr' },
    { name: 'start', kind: 'attr', default: 0 },
    { name: 'step', kind: 'attr', default: 1 },
    { name: 'dtype', kind: 'attr', default: 'int64' },
    { name: 'device', kind: 'attr', default: null },
    { name: 'requires_grad', kind: 'attr', default: null },
    { name: 'result', kind: 'out', dtype: 'int64' },
  ],
  outputs: (call) => ({ result: { shape: [Number(call.attrs['length'])], dtype: null } }),
  values: (call, [i]) => [number(Number(call.attrs['start'])).plus(i!.float().times(Number(call.attrs['step'])))],
})

/** alpha - beta * cos(2 pi i / (n - 1)): a periodic window is a symmetric one with one more element, truncated. */
function cosineWindow(c: OpCall): FakeTensor | undefined {
  const length = c.int('window_length')
  const periodic = !c.schema.args.some((a) => a.name === 'periodic') || c.bool('periodic')
  const n = periodic ? length + 1 : length
  if (length < 2) return undefined
  const dtype = c.dtype() ?? 'float32'
  const index = c.call('aten.arange.default', [BigInt(n)], allOptions(c, dtype, c.device() ?? CPU)) as FakeTensor
  const waves = c.op('aten.cos.default', c.op('aten.mul.Tensor', index, (2 * Math.PI) / (n - 1)))
  const window = c.op('aten.add.Tensor', c.op('aten.mul.Tensor', waves, -0.5), 0.5)
  return periodic ? c.op('aten.slice.Tensor', window, 0n, 0n, BigInt(length)) : window
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'prims.iota': {
    meta: (c) => {
      const [dtype, length] = [c.dtype()!, c.dim('length')]
      if (dtype === 'bool' || !isIntDtype(dtype)) throw runtimeError('prims.iota only supports integer dtypes')
      if (c.get('step') === 0n) throw runtimeError('step must be nonzero')
      if (typeof length === 'number' && length < 0)
        throw runtimeError(`Trying to create tensor with negative dimension ${length}: [${length}]`)
      return c.fresh(dtype, [length], c.device())
    },
  },
  'aten.arange': {
    decomp: (c) => {
      const start = c.has('start') ? c.get('start') : 0n
      const step = c.has('step') ? c.get('step') : 1n
      const end = c.get('end')
      const device = c.device() ?? CPU
      const whole = ![start, end, step].some(isFloatArg)
      const dtype = c.dtype() ?? (whole ? 'int64' : 'float32')
      checkRange(end, start, step)
      if (isIntDtype(dtype) && whole) return iota(c, steps(c, end, start, step), dtype, device, { start, step })
      if (isIntDtype(dtype)) {
        const [first, by] = [toWhole(c, start), toWhole(c, step)]
        const index = iota(c, floatSteps(c, end, start, step), dtype, device)
        return c.op('aten.add.Tensor', c.op('aten.mul.Tensor', index, by), first)
      }
      const length = (whole ? steps : floatSteps)(c, end, start, step)
      // Integer steps are counted as integers, others in the CPU's accumulation type.
      const compute = whole ? 'int64' : 'float64'
      const index = cast(c, iota(c, length, 'int64', device), compute)
      return cast(c, c.op('aten.add.Tensor', c.op('aten.mul.Tensor', index, step), start), dtype)
    },
  },
  'aten.range': {
    called: false,
    meta: (c) => {
      const [start, end, step] = [c.number('start'), c.number('end'), c.number('step') ?? 1]
      if (start === null || end === null) throw runtimeError('unsupported range')
      return c.fresh(c.dtype() ?? 'float32', [Math.floor((end - start) / step) + 1], c.device() ?? CPU)
    },
  },
  'aten.eye': {
    decomp: (c) => {
      const n = c.dim('n')
      const m = c.has('m') ? c.dim('m') : n
      const device = c.device() ?? CPU
      // The narrowest dtype that holds both sizes.
      const known = c.rules.castEye && [n, m].every((d) => typeof d === 'number')
      const dtype = known ? narrowest(Math.max(Number(n), Number(m))) : 'int64'
      const rows = upTo(c, n, dtype, device)
      const columns = upTo(c, m, dtype, device)
      const hit = c.op('aten.eq.Tensor', c.op('aten.unsqueeze.default', rows, -1n), columns)
      const made = c.dtype() ?? 'float32'
      if (c.rules.castEye || made === 'bool') return cast(c, hit, made)
      const one = c.call('aten.full.default', [[1n], 1n], allOptions(c, made, device)) as FakeTensor
      return c.op('aten.where.ScalarOther', hit, one, 0n)
    },
  },
  'aten.linspace': {
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
      const compute = isFloatDtype(dtype) ? computationDtype(dtype) : 'int64'
      const step = (end - start) / (steps - 1)
      const index = iota(c, steps, 'int64', c.device() ?? CPU)
      // Counted from the nearer end, so that both ends are exact.
      const first = c.op('aten.lt.Scalar', index, steps / 2)
      const up = c.op('aten.add.Tensor', c.op('aten.mul.Tensor', cast(c, index, compute), step), c.get('start'))
      const left = cast(c, c.op('aten.rsub.Scalar', index, BigInt(steps - 1)), compute)
      const down = c.op('aten.rsub.Scalar', c.op('aten.mul.Tensor', left, step), c.get('end'))
      return cast(c, c.op('aten.where.self', first, up, down), dtype)
    },
  },
  'aten.tril': triangle('aten.le.Scalar'),
  'aten.triu': triangle('aten.ge.Scalar'),
  'aten.logspace': {
    decomp: (c) => {
      if (!isNumber(c.get('start')) || !isNumber(c.get('end'))) return undefined
      const device = c.device() ?? CPU
      const exponents = c.call(
        'aten.linspace.default',
        [c.get('start'), c.get('end'), c.get('steps')],
        allOptions(c, 'float64', device),
      ) as FakeTensor
      return cast(
        c,
        c.op('aten.pow.Scalar', c.number('base') === 10 ? 10n : c.get('base'), exponents),
        c.dtype() ?? 'float32',
      )
    },
  },
  'aten.kaiser_window aten.blackman_window aten.bartlett_window aten.hamming_window': {
    meta: (c) => c.fresh(c.dtype() ?? 'float32', [c.dim('window_length')], c.device()),
  },
  'aten.hann_window': { implicit: (c) => cosineWindow(c) },
})

export const KERNELS: Kernels = { 'prims.iota': iotaKernel }

export const TRAITS: Traits = {
  factory: 'arange iota eye linspace tril_indices triu_indices',
}
