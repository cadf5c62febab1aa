/** Operators of vLLM's `_C` library that a run can execute. To add one: write its Kernel and list it here. */
import type { Kernel } from '../kernel'
import { scaledFp4Quant, siluAndMulNvfp4Quant } from './nvfp4'
import { perTokenGroupFp8Quant, siluAndMulPerBlockQuant } from './block_quant'
import { dynamicPerTokenScaledFp8Quant, dynamicScaledFp8Quant, dynamicScaledInt8Quant } from './per_token'
import {
  fusedAddRmsNorm,
  fusedAddRmsNormStaticFp8Quant,
  fusedRmsNormQuantStatic,
  rmsNorm,
  rmsNormDynamicPerTokenQuant,
  rmsNormPerBlockQuant,
  rmsNormStaticFp8Quant,
} from './rms_norm'
import { ROTARY } from './rotary'
import { VLLM_PRODUCTS } from './scaled_mms'
import { geluAndMul, geluTanhAndMul, siluAndMul } from './silu_and_mul'
import { siluAndMulQuant, staticScaledFp8Quant, staticScaledInt8Quant } from './static_quant'

export const C_KERNELS: readonly Kernel[] = [
  siluAndMul,
  geluAndMul,
  geluTanhAndMul,
  perTokenGroupFp8Quant,
  siluAndMulPerBlockQuant,
  staticScaledFp8Quant,
  siluAndMulQuant,
  staticScaledInt8Quant,
  dynamicScaledFp8Quant,
  dynamicPerTokenScaledFp8Quant,
  dynamicScaledInt8Quant,
  rmsNorm,
  fusedAddRmsNorm,
  rmsNormStaticFp8Quant,
  fusedAddRmsNormStaticFp8Quant,
  fusedRmsNormQuantStatic,
  rmsNormDynamicPerTokenQuant,
  rmsNormPerBlockQuant,
  scaledFp4Quant,
  siluAndMulNvfp4Quant,
  ...VLLM_PRODUCTS,
  ...ROTARY,
]

export { gridOf } from './shader'
