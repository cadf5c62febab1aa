/** The operators that PT2E quantization leaves in a graph until Inductor lowers them (torch/ao/quantization/fx/_decomposed.py). */
import { type Dim, dtype as dtypeArg } from '../../fx'
import { type DispatchArg, type FakeTensor, rankOf } from '../fake'
import { type OpCall, wrapDim } from '../op_call'
import type { Rules } from '../operator'
import { preservedStrides } from '../strides'
import { TorchError } from '../torch_error'

/** A tensor like `input`, created as by torch.empty_like(input, dtype=dtype). */
function like(c: OpCall, dtype: string): FakeTensor {
  const { meta } = c.tensor('input')
  return c.fresh(dtype, meta.shape, meta.device, preservedStrides(meta))
}

const HALF = ['float16', 'bfloat16']

/** Quantizing takes a float32 after 16-bit floats are converted. */
function checkFloat(c: OpCall): void {
  const { dtype } = c.tensor('input').meta
  if (dtype !== 'float32' && !HALF.includes(dtype))
    throw new TorchError('AssertionError', `Expecting input to have dtype torch.float32, but got dtype: torch.${dtype}`)
}

/** A scale and a zero point for each row of the last dimension. */
function perToken(c: OpCall): DispatchArg {
  return parameters(c, [...c.tensor('input').meta.shape.slice(0, -1), 1])
}

function parameters(c: OpCall, shape: readonly Dim[]): DispatchArg {
  const { device } = c.tensor('input').meta
  return { kind: 'tuple', items: [c.fresh('float64', shape, device), c.fresh('int64', shape, device)] }
}

function fakeQuantPerChannel(c: OpCall): FakeTensor {
  const [x, axis] = [c.tensor('input'), wrapDim(c.int('axis'), rankOf(c.tensor('input')))]
  const whole = c.op('aten.to.dtype', c.tensor('zero_points'), dtypeArg('int32'))
  const along = (t: FakeTensor): FakeTensor =>
    x.meta.shape.reduce((wide, _, i) => (i === axis ? wide : c.op('aten.unsqueeze.default', wide, BigInt(i))), t)
  const [scale, zero] = [along(c.tensor('scales')), along(whole)]
  const inverse = c.op('aten.mul.Tensor', c.op('aten.reciprocal.default', scale), 1)
  const rounded = c.op('aten.round.default', c.op('aten.mul.Tensor', x, inverse))
  const moved = c.op('aten.add.Tensor', rounded, zero)
  const held = c.op('aten.clamp.default', moved, c.get('quant_min'), c.get('quant_max'))
  return c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', held, zero), scale)
}

export const rules = (): Rules => ({
  'quantized_decomposed.quantize_per_tensor quantized_decomposed.quantize_per_channel quantized_decomposed.quantize_per_token quantized_decomposed.quantize_per_channel_group':
    {
      meta: (c) => {
        checkFloat(c)
        return like(c, c.dtype()!)
      },
    },
  'quantized_decomposed.dequantize_per_tensor quantized_decomposed.dequantize_per_channel': {
    meta: (c) => like(c, c.dtype('out_dtype') ?? 'float32'),
  },
  'quantized_decomposed.dequantize_per_token quantized_decomposed.dequantize_per_channel_group': {
    meta: (c) => like(c, c.dtype('output_dtype')!),
  },
  'quantized_decomposed.convert_element_type': { meta: (c) => like(c, c.dtype()!) },
  'quantized_decomposed.choose_qparams_symmetric': {
    meta: (c) => parameters(c, [1]),
  },
  'quantized_decomposed.choose_qparams_per_token quantized_decomposed.choose_qparams_per_token_asymmetric': {
    meta: perToken,
  },
  'quantized_decomposed.fake_quant_per_channel': { implicit: fakeQuantPerChannel },
})
