/** Fourier transforms: torch.fft's functions, the three operators that they call, and the short-time transform. */
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, itemsOf, toDim } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { isComplexDtype, isFloatDtype, toReal } from '../../promote'
import { addDims, floorDiv, mulDims, subDims } from '../../sym'
import { runtimeError } from '../../torch_error'

const COMPLEX: Readonly<Record<string, string>> = { float16: 'complex32', float32: 'complex64', float64: 'complex128' }
const complexOf = (dtype: string): string => (isComplexDtype(dtype) ? dtype : (COMPLEX[dtype] ?? 'complex64'))

/** fft_norm_mode: 0 none, 1 by the root of n, 2 by n. */
function normMode(c: OpCall, forward: boolean): bigint {
  const norm = c.string('norm')
  if (norm === 'ortho') return 1n
  if (norm === null || norm === 'backward') return forward ? 0n : 2n
  if (norm === 'forward') return forward ? 2n : 0n
  throw runtimeError(`Invalid normalization mode: "${norm}"`)
}

const convert = (c: OpCall, x: FakeTensor, dtype: string): FakeTensor =>
  x.meta.dtype === dtype ? x : (c.call('aten._to_copy.default', [x], { dtype: dtypeArg(dtype) }) as FakeTensor)

/** promote_tensor_fft */
function promoted(c: OpCall, x: FakeTensor, complex: boolean): FakeTensor {
  const float = isFloatDtype(x.meta.dtype) || isComplexDtype(x.meta.dtype) ? x.meta.dtype : 'float32'
  return convert(c, x, complex ? complexOf(float) : float)
}

/** resize_fft_input: pads with zeros or truncates at the end. */
function resized(c: OpCall, x: FakeTensor, dims: readonly number[], sizes: readonly Dim[]): FakeTensor {
  const rank = x.meta.shape.length
  const pad = new Array<bigint>(2 * rank).fill(0n)
  let out = x
  let pads = false
  for (const [i, d] of dims.entries()) {
    const [from, to] = [x.meta.shape[d]!, sizes[i]!]
    if (typeof from !== 'number' || typeof to !== 'number' || from === to) continue
    if (from > to) out = c.op('aten.slice.Tensor', out, BigInt(d), 0n, BigInt(to))
    else {
      pads = true
      pad[2 * (rank - 1 - d) + 1] = BigInt(to - from)
    }
  }
  return pads ? c.op('aten.constant_pad_nd.default', out, pad) : out
}

const oneDim = (c: OpCall, x: FakeTensor): number => wrapDim(c.int('dim', -1), x.meta.shape.length)
/** A given `n` resizes the input; `n` is the length of the transform, which needs `sizeOf(n)` input elements. */
function sizedTo(c: OpCall, x: FakeTensor, dim: number, sizeOf: (n: Dim) => Dim = (n) => n): FakeTensor {
  return c.has('n') ? resized(c, x, [dim], [sizeOf(c.dim('n'))]) : x
}

const half = (n: Dim): Dim => addDims(floorDiv(n, 2), 1)

type Kind = 'c2c' | 'r2c' | 'c2r'

/** The transform itself, which writes to the caller's tensor if there is one. */
function transform(c: OpCall, kind: Kind, args: readonly DispatchArg[]): FakeTensor {
  const out = c.maybeTensor('out')
  return c.call(`aten._fft_${kind}.${out ? 'out' : 'default'}`, args, out ? { out } : {}) as FakeTensor
}

function realToComplex(c: OpCall, forward: boolean, onesided: boolean): FakeTensor {
  const given = c.tensor('self')
  if (isComplexDtype(given.meta.dtype))
    throw runtimeError(`${c.schema.name.split('.')[1]} expects a real input tensor, but got ${given.meta.dtype}`)
  const x = promoted(c, given, false)
  const dim = oneDim(c, x)
  const args = [sizedTo(c, x, dim), [BigInt(dim)], normMode(c, forward), onesided]
  return forward ? transform(c, 'r2c', args) : c.op('aten.conj.default', c.op('aten._fft_r2c.default', ...args))
}

function complexToComplex(c: OpCall, forward: boolean): FakeTensor {
  const x = promoted(c, c.tensor('self'), true)
  const dim = oneDim(c, x)
  return transform(c, 'c2c', [sizedTo(c, x, dim), [BigInt(dim)], normMode(c, forward), forward])
}

function complexToReal(c: OpCall, forward: boolean): FakeTensor {
  const x = promoted(c, c.tensor('self'), true)
  const dim = oneDim(c, x)
  const n = c.has('n') ? c.dim('n') : mulDims(2, subDims(x.meta.shape[dim]!, 1))
  let input = sizedTo(c, x, dim, half)
  if (forward) input = c.op('aten.conj.default', input)
  return transform(c, 'c2r', [input, [BigInt(dim)], normMode(c, forward), dimArg(n)])
}

const single = (forward: boolean): OpDef => ({
  implicit: (c) =>
    isComplexDtype(c.tensor('self').meta.dtype) ? complexToComplex(c, forward) : realToComplex(c, forward, false),
})

/** canonicalize_fft_shape_and_dim_args */
function shapeAndDims(c: OpCall, x: FakeTensor): { dims: number[]; sizes: Dim[] } {
  const rank = x.meta.shape.length
  const s = c.dims('s')
  const given = itemsOf(c.get('dim'))?.map((d) => wrapDim(Number(toDim(d)), rank))
  const dims = given ?? x.meta.shape.map((_, i) => i).slice(s ? rank - s.length : 0)
  return { dims, sizes: dims.map((d, i) => (s && s[i] !== -1 ? s[i]! : x.meta.shape[d]!)) }
}

const several = (kind: Kind, forward: boolean): OpDef => ({
  implicit: (c) => {
    const x = promoted(c, c.tensor('self'), kind !== 'r2c')
    const { dims, sizes } = shapeAndDims(c, x)
    const norm = normMode(c, forward)
    if (kind === 'c2r') {
      const last = c.has('s') ? sizes.at(-1)! : mulDims(2, subDims(x.meta.shape[dims.at(-1)!]!, 1))
      const input = resized(c, x, dims, [...sizes.slice(0, -1), half(last)])
      return transform(c, 'c2r', [input, dimArgs(dims), norm, dimArg(last)])
    }
    const input = resized(c, x, dims, sizes)
    return transform(c, kind, [input, dimArgs(dims), norm, kind === 'r2c' ? true : forward])
  },
})

const shifted = (inverse: boolean): OpDef => ({
  implicit: (c, x) => {
    const dims =
      itemsOf(c.get('dim'))?.map((d) => wrapDim(Number(toDim(d)), x.meta.shape.length)) ?? x.meta.shape.map((_, i) => i)
    const shifts = dims.map((d) => floorDiv(addDims(x.meta.shape[d]!, inverse ? 1 : 0), 2))
    return c.op('aten.roll.default', x, dimArgs(shifts), dimArgs(dims))
  },
})

const dimsGiven = (c: OpCall): number[] => itemsOf(c.get('dim'))!.map((d) => Number(toDim(d)))

/** Centers the window in the transform's length, if it is shorter. */
function windowOf(c: OpCall, x: FakeTensor, length: number, size: number): FakeTensor | null {
  const window = c.maybeTensor('window')
  if (length >= size) return window
  const options = {
    dtype: dtypeArg(window?.meta.dtype ?? x.meta.dtype),
    device: x.meta.device!,
    pin_memory: false,
  }
  const wide = c.call('aten.zeros.default', [[BigInt(size)]], options) as FakeTensor
  const middle = c.op('aten.narrow.default', wide, 0n, BigInt(Math.floor((size - length) / 2)), BigInt(length))
  if (window) c.op('aten.copy_.default', middle, window)
  else c.op('aten.fill_.Scalar', middle, 1n)
  return wide
}

function stft(c: OpCall): FakeTensor {
  const given = c.tensor('self')
  const size = c.int('n_fft')
  const hop = c.int('hop_length', Math.floor(size / 4))
  const complex =
    isComplexDtype(given.meta.dtype) ||
    (c.maybeTensor('window') !== null && isComplexDtype(c.tensor('window').meta.dtype))
  if (!c.has('return_complex') && !complex)
    throw runtimeError(
      'stft requires the return_complex parameter be given for real inputs, and will further require that return_complex=True in a future PyTorch release.',
    )
  let x = given.meta.shape.length === 1 ? c.op('aten.unsqueeze.default', given, 0n) : given
  const window = windowOf(c, x, c.int('win_length', size), size)
  x = c.op('aten.unfold.default', x, -1n, BigInt(size), BigInt(hop))
  if (window) x = c.op('aten.mul.Tensor', x, window)
  const norm = c.bool('normalized') ? 1n : 0n
  const dims = [2n]
  const out = isComplexDtype(x.meta.dtype)
    ? c.op('aten._fft_c2c.default', x, dims, norm, true)
    : c.op('aten._fft_r2c.default', x, dims, norm, c.has('onesided') ? c.get('onesided') : true)
  let turned = c.op('aten.transpose_.default', out, 1n, 2n)
  if (given.meta.shape.length === 1) turned = c.op('aten.squeeze_.dim', turned, 0n)
  return c.bool('return_complex') || complex ? turned : c.op('aten.view_as_real.default', turned)
}

export const rules = (): Rules => ({
  'aten.fft_fft': single(true),
  'aten.fft_ifft': single(false),
  'aten.fft_rfft': { implicit: (c) => realToComplex(c, true, true) },
  'aten.fft_ihfft': { implicit: (c) => realToComplex(c, false, true) },
  'aten.fft_irfft': { implicit: (c) => complexToReal(c, false) },
  'aten.fft_hfft': { implicit: (c) => complexToReal(c, true) },
  'aten.fft_fftn aten.fft_fft2': several('c2c', true),
  'aten.fft_ifftn aten.fft_ifft2': several('c2c', false),
  'aten.fft_rfftn aten.fft_rfft2': several('r2c', true),
  'aten.fft_irfftn aten.fft_irfft2': several('c2r', false),
  'aten.fft_fftshift': shifted(false),
  'aten.fft_ifftshift': shifted(true),
  'aten.fft_fftfreq': { meta: (c) => c.fresh(c.dtype() ?? 'float32', [c.dim('n')], c.device()) },
  'aten.fft_rfftfreq': { meta: (c) => c.fresh(c.dtype() ?? 'float32', [half(c.dim('n'))], c.device()) },
  'aten._fft_r2c': {
    meta: (c, x) => {
      const last = dimsGiven(c).at(-1)!
      const shape = x.meta.shape.map((d, i) => (i === last && c.bool('onesided') ? half(d) : d))
      return c.fresh(complexOf(x.meta.dtype), shape, x.meta.device)
    },
  },
  'aten._fft_c2c': {
    meta: (c) => c.fresh(c.tensor('self').meta.dtype, c.tensor('self').meta.shape, c.tensor('self').meta.device),
  },
  'aten._fft_c2r': {
    meta: (c, x) => {
      const last = dimsGiven(c).at(-1)!
      const shape = x.meta.shape.map((d, i) => (i === last ? c.dim('last_dim_size') : d))
      return c.fresh(toReal(x.meta.dtype), shape, x.meta.device)
    },
  },
  'aten.stft.default': { implicit: stft },
})
