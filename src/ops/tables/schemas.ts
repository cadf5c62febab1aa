/** Schemas of other projects' operators, by file. Made by scripts/make-tables.mjs; do not edit. */
import { SCHEMAS as f0 } from '../_C/block_quant'
import { SCHEMAS as f1 } from '../_C/nvfp4'
import { SCHEMAS as f2 } from '../_C/per_token'
import { SCHEMAS as f3 } from '../_C/rms_norm'
import { SCHEMAS as f4 } from '../_C/rotary'
import { SCHEMAS as f5 } from '../_C/scaled_mms'
import { SCHEMAS as f6 } from '../_C/silu_and_mul'
import { SCHEMAS as f7 } from '../_C/static_quant'
import { SCHEMAS as f8 } from '../npu/mx'
import { SCHEMAS as f9 } from '../npu/shapes'
import { SCHEMAS as f10 } from '../npu/swiglu'
import { SCHEMAS as f11 } from '../sglang/all_reduce'
import { SCHEMAS as f12 } from '../sglang/sgl_kernel'
import { SCHEMAS as f13 } from '../sglang/topk_softmax'
import { SCHEMAS as f14 } from '../vllm/aiter'
import { SCHEMAS as f15 } from '../vllm/attention'
import { SCHEMAS as f16 } from '../vllm/flashinfer'

// prettier-ignore
export const SCHEMAS: readonly (string)[] = [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16]
