/** Fake quantization: values rounded to what an integer type holds, with a mask of those in range. */
import { dtype as dtypeArg } from '../../../fx'
import { type FakeTensor, itemsOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { cppName, isFloatDtype } from '../../promote'
import { preservedStrides } from '../../strides'
import { sameDim } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'

const PER_TENSOR = 'aten.fake_quantize_per_tensor_affine_cachemask.default'
const PER_TENSOR_OF_TENSORS = 'aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default'
const PER_CHANNEL = 'aten.fake_quantize_per_channel_affine_cachemask.default'

const cachemask: OpDef = {
  meta: (c, { meta: { dtype, shape, device } }) => {
    // PyTorch runs the kernel itself, on zeros with the same sizes.
    if (shape.some((d) => typeof d === 'string')) throw new TorchError('UnsupportedOperatorException', c.schema.name)
    const strides = preservedStrides(c.tensor('self').meta)
    return { kind: 'tuple', items: [c.fresh(dtype, shape, device, strides), c.fresh('bool', shape, device, strides)] }
  },
}

/** @param zero the zero point, if it is known; PyTorch checks a fake tensor's zero point as 0. @throws TorchError RuntimeError */
function checkRange(c: OpCall, zero: number | null): void {
  const [min, max] = [c.int('quant_min'), c.int('quant_max')]
  if (min > max) throw runtimeError('`quant_min` should be less than or         equal to `quant_max`.')
  if (zero !== null && (zero < min || zero > max))
    throw runtimeError('`zero_point` must be between `quant_min` and `quant_max`.')
}

/** @throws TorchError */
function checkChannels(c: OpCall): void {
  const [{ shape }, scale, zero] = [c.tensor('self').meta, c.tensor('scale').meta, c.tensor('zero_point').meta]
  if (!['float32', 'bfloat16'].includes(scale.dtype))
    throw runtimeError(`Scale must be Float or BFloat16, found ${cppName(scale.dtype)}`)
  if (!['int32', 'float32', 'float16'].includes(zero.dtype))
    throw runtimeError(`Zero-point must be Int32, Float or Half, found ${cppName(zero.dtype)}`)
  if (scale.shape.length !== 1) throw runtimeError('scale should be a 1-D tensor')
  if (zero.shape.length !== 1) throw runtimeError('zero point should be a 1-D tensor')
  if (!sameDim(scale.shape[0]!, zero.shape[0]!))
    throw runtimeError('scale and zero-point need to have the same dimensions')
  if (!sameDim(scale.shape[0]!, shape[wrapDim(c.int('axis'), shape.length)]!))
    throw runtimeError('dimensions of scale and zero-point are not consistent with input tensor')
}

export const rules = (): Rules => ({
  /** A fake tensor is never quantized: input and output have the dtype of the values. */
  'aten.quantize_per_tensor.default aten.dequantize.self': {
    called: false,
    meta: (c) => {
      const { dtype, shape, device } = c.tensor('self').meta
      return c.fresh(dtype, shape, device, preservedStrides(c.tensor('self').meta))
    },
  },
  'aten.fake_quantize_per_tensor_affine.default': {
    implicit: (c) => itemsOf(c.call(PER_TENSOR, c.all()))![0],
  },
  'aten.fake_quantize_per_tensor_affine.tensor_qparams': {
    implicit: (c) => {
      const [x, scale, zero, min, max] = c.all()
      const enabled = c.call('aten.ones.default', [[1n]], {
        dtype: dtypeArg('int64'),
        device: (x as FakeTensor).meta.device!,
        pin_memory: false,
      })
      return itemsOf(c.call(PER_TENSOR_OF_TENSORS, [x!, scale!, zero!, enabled, min!, max!]))![0]
    },
  },
  'aten.fake_quantize_per_channel_affine': {
    implicit: (c) => itemsOf(c.call(PER_CHANNEL, c.all()))![0],
  },
  'aten.fake_quantize_per_tensor_affine_cachemask': {
    meta: (c) => {
      checkRange(c, c.int('zero_point'))
      const { dtype } = c.tensor('self').meta
      if (!isFloatDtype(dtype))
        throw new TorchError(
          'NotImplementedError',
          `"fake_quantize_tensor_cachemask_kernel_type_handling" not implemented for '${cppName(dtype)}'`,
        )
      return c.by(cachemask.meta)!
    },
  },
  'aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams': cachemask,
  'aten.fake_quantize_per_channel_affine_cachemask': {
    meta: (c) => {
      checkChannels(c)
      checkRange(c, c.tensor('zero_point').meta.dtype === 'int32' ? 0 : null)
      const axis = c.int('axis')
      if (axis < 0 || axis > c.tensor('self').meta.shape.length)
        throw runtimeError('`axis` must be between 0 and number of dimensions of input')
      return c.by(cachemask.meta)!
    },
  },
})
