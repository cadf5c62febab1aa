/** The short-time Fourier transform. */
import type { FakeTensor } from '../../fake'
import { dtype as dtypeArg } from '../../../fx'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { isComplexDtype } from '../../promote'
import { runtimeError } from '../../torch_error'

/** The window in the middle of the transform's length, where it is shorter. */
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

export const rules = (): Rules => ({ 'aten.stft.default': { implicit: stft } })
