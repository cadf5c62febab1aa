/**
 * Checks operators that PyTorch cannot record: a device is compared with the definition, at sizes that use each form of
 * a shader, including odd ones.
 */
import { DTYPES, dtypeInfo, encode } from '../../ops/dtype'
import { numel, writtenBy, type AttrValue, type TensorView } from '../../ops/kernel'
import { contiguousStrides } from '../../ops/strides'
import { compareCodes } from '../run/compare'
import { codesOf, gather } from '../device/host'
import { makeInput, type Role } from '../run/inputs'
import { referenceDevice, type OpDevice } from '../device/op_device'
import { storageBytes } from '../device/host'
import { bindOp, type OpTensor } from '../run/run_op'

interface Agreement {
  op: string
  attrs?: Record<string, AttrValue>
  inputs: Record<string, OpTensor>
}

function made(dtype: string, shape: number[], seed: number, role: Role = 'data'): OpTensor {
  const view: TensorView = { dtype: dtypeInfo(dtype)!.name, shape, stride: contiguousStrides(shape), offset: 0 }
  return packed(view, makeInput(view, storageBytes(view), seed, role, 'normal'))
}

function packed({ dtype, shape }: TensorView, bytes: Uint8Array): OpTensor {
  const used = bytes.subarray(0, numel(shape) * DTYPES[dtype].bytes)
  return { dtype, shape: [...shape], data: btoa(Array.from(used, (b) => String.fromCharCode(b)).join('')) }
}

/**
 * Gates and ups of [3, 2 groups each]: in the first row all values of a group are equal; in the others each group has
 * its maximum twice, at different positions. A shader that locates the maximum must choose one.
 */
function sharedPeaks(group: number): OpTensor {
  const shape = [3, 4 * group]
  const view: TensorView = { dtype: 'bfloat16', shape, stride: contiguousStrides(shape), offset: 0 }
  const bytes = makeInput(view, storageBytes(view), 11, 'data', 'normal')
  const codes = codesOf(view, bytes)
  const peak = encode(view.dtype, 8)
  for (let i = 0; i < numel(shape); i++) {
    const run = Math.floor(i / group)
    const place = i - run * group
    // Runs 0 and 1 of each row are gates; 2 and 3 are their ups.
    const first = (17 * (2 * Math.floor(run / 4) + (run % 2)) + 5) % group
    if (run < 4) codes[i] = codes[run * group]!
    else if (place === first || place === (first + 67) % group) codes[i] = peak
  }
  return packed(view, bytes)
}

/** fused_swiglu of FP8 with its three scales. */
function quantizedSwiglu(rows: number, inner: number): Agreement {
  const [x, w] = [made('float8_e4m3fn', [rows, inner], 12), made('float8_e4m3fn', [inner, 18], 13)]
  const scale = (seed: number, role: Role): OpTensor => made('float32', [1], seed, role)
  // Values of this magnitude yield codes across the whole range of FP8.
  const scales = { x_scale: scale(14, 'scale'), w_scale: scale(15, 'weight'), o_scale: scale(16, 'scale') }
  return { op: 'sglang.fused_swiglu', inputs: { x, w, ...scales } }
}

// oxlint-disable-next-line max-lines-per-function -- a table of operator calls
export function agreements(): Agreement[] {
  const list: Agreement[] = [
    { op: '_C.silu_and_mul_per_block_quant', attrs: { group_size: 128 }, inputs: { input: sharedPeaks(128) } },
  ]
  for (const dtype of ['bfloat16', 'float16', 'float32'])
    for (const [t, d] of [
      [3, 256],
      [5, 77],
      [1, 4096],
      [2, 48],
    ] as const) {
      // Compilation dominates the time: each form of each shader once, with the dtypes it is written for.
      if (dtype !== 'bfloat16' && d !== 77) continue
      const x = made(dtype, [t, d], 1)
      const y = made(dtype, [t, d], 2)
      const two = made(dtype, [t, 2 * d], 3)
      const weight = made(dtype, [d], 4, 'weight')
      const scale = made('float32', [1], 5, 'scale')
      const norm = { input: x, weight }
      const added = { ...norm, residual: y }
      const ascend = { x1: x, x2: y, gamma: weight }
      for (const op of ['silu_and_mul', 'gelu_and_mul', 'gelu_tanh_and_mul'])
        list.push({ op: `_C.${op}`, inputs: { input: two } })
      list.push({ op: '_C.silu_and_mul_quant', inputs: { input: two, scale } })
      list.push({ op: '_C.static_scaled_fp8_quant', inputs: { input: x, scale } })
      list.push({ op: '_C.static_scaled_int8_quant', inputs: { input: x, scale } })
      for (const op of ['dynamic_scaled_fp8_quant', 'dynamic_per_token_scaled_fp8_quant', 'dynamic_scaled_int8_quant'])
        list.push({ op: `_C.${op}`, inputs: { input: x } })
      list.push({ op: '_C.rms_norm', inputs: norm }, { op: '_C.fused_add_rms_norm', inputs: added })
      list.push({ op: '_C.rms_norm_static_fp8_quant', inputs: { ...norm, scale } })
      list.push({ op: '_C.fused_add_rms_norm_static_fp8_quant', inputs: { ...added, scale } })
      list.push({ op: '_C.fused_rms_norm_quant_static', inputs: { ...norm, scale } })
      list.push({ op: '_C.rms_norm_dynamic_per_token_quant', inputs: norm })
      list.push({ op: '_C.rms_norm_dynamic_per_token_quant', inputs: added })
      list.push({ op: 'npu.npu_add_rms_norm', inputs: ascend })
      list.push({ op: 'npu.npu_dynamic_mx_quant', inputs: { input: x } })
      list.push({ op: 'npu.npu_add_rms_norm_dynamic_mx_quant', inputs: ascend })
      for (const group_size of [7, 16].filter((g) => d % g === 0)) {
        list.push({ op: '_C.rms_norm_per_block_quant', attrs: { group_size }, inputs: added })
        list.push({ op: '_C.rms_norm_per_block_quant', attrs: { group_size, is_scale_transposed: true }, inputs: norm })
        list.push({ op: '_C.silu_and_mul_per_block_quant', attrs: { group_size }, inputs: { input: two } })
        list.push({
          op: '_C.per_token_group_fp8_quant',
          attrs: { group_size, scale_ue8m0: true },
          inputs: { input: x },
        })
      }
      if (d % 16 === 0) {
        list.push({ op: '_C.scaled_fp4_quant', inputs: { input: x, input_scale: scale } })
        list.push({ op: '_C.silu_and_mul_nvfp4_quant', inputs: { input: two, input_global_scale: scale } })
      }
      if (d < 256) {
        const heads = {
          query: made(dtype, [t, 4, d], 7),
          key: made(dtype, [t, 2, d], 8),
          value: made(dtype, [t, 2, d], 9),
        }
        list.push({ op: 'vllm.unified_attention_with_output', inputs: { ...heads, output_scale: scale } })
      }
      const peers = made(dtype, [t, 2, d], 10)
      const ranks = { allreduce_in: x, residual: y, rms_gamma: weight, peers }
      const reduced = 'vllm.flashinfer_trtllm_fused_allreduce_norm'
      list.push({ op: 'vllm.all_reduce', inputs: { tensor: x, peers } })
      list.push({ op: reduced, attrs: { norm_out: true }, inputs: ranks })
      for (const pattern_code of [2, 4])
        list.push({ op: reduced, attrs: { pattern_code, quant_out: true }, inputs: { ...ranks, scale_factor: scale } })
      list.push({ op: 'sglang.fused_swiglu', inputs: { x, w: made(dtype, [d, 18], 6) } })
      if (dtype === 'bfloat16' && d < 256) list.push(quantizedSwiglu(t, d))
    }
  return list
}

/**
 * Null, or a description of how the device differs from the definition: codes more than one apart, or more than 1 % of
 * them.
 */
export async function disagreement(device: OpDevice, a: Agreement): Promise<string | null> {
  const { kernel, call, bytes } = bindOp(a)
  const want = await referenceDevice.run(kernel, call, bytes)
  const got = await device.run(kernel, call, bytes)
  for (const name of writtenBy(kernel)) {
    const view = call.tensors[name]
    if (!view) continue
    const diff = compareCodes(view.dtype, view.shape, gather(view, want[name]!), gather(view, got[name]!), null)
    const packed = view.dtype === 'int32' || (view.dtype === 'uint8' && kernel.name.includes('fp4'))
    const close =
      view.dtype === 'float32'
        ? diff.maxRel < (kernel.name === 'fused_swiglu' ? 1e-3 : 2e-5) || diff.maxAbs < 1e-5
        : packed
          ? diff.share <= 0.02
          : diff.maxSteps <= (kernel.name === 'fused_swiglu' && DTYPES[view.dtype].bytes === 2 ? 3 : 1) &&
            diff.share <= 0.05
    if (!close || diff.nanMismatches > 0) {
      const at = diff.first[0]!
      return `${name}: ${diff.differing} of ${diff.elements} differ, up to ${diff.maxSteps} steps; first at [${at.index.join(', ')}]: ${at.b}, by definition ${at.a}`
    }
  }
  return null
}
