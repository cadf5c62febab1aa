/**
 * The suite for all devices: conversions of all 16-bit inputs, and operators, compared with PyTorch's recordings. Pure:
 * the device and the recordings are parameters. Vitest runs it on the reference, a page on WebGPU.
 */
import { messageOf } from '../../base/error_message'
import { decode, DTYPES, dtypeInfo, type DTypeName } from '../../ops/dtype'
import type { AttrValue, KernelCall, TensorView } from '../../ops/kernel'
import { contiguousStrides } from '../../ops/strides'
import { copyKernel } from '../../ops/aten/elementwise/cast'
import { agreements, disagreement } from './agreement'
import { compareCodes } from '../run/compare'
import { gather } from '../device/host'
import { referenceDevice, type OpDevice } from '../device/op_device'
import { bindOp, type OpTensor } from '../run/run_op'
import { programDisagreement, type GoldenProgram } from './suite_programs'

export interface GoldenCase {
  op: string
  attrs: Record<string, AttrValue>
  inputs: Record<string, OpTensor>
  outputs: Record<string, OpTensor>
}

/** The contents of conformance/golden: the JSON files and their tables. */
export interface SuiteData {
  cases: GoldenCase[]
  programs: GoldenProgram[]
  /** `bf16_to_f8e4m3fn` and similar: one output code per input code. */
  conversions: Record<string, Uint8Array>
}

export interface SuiteResult {
  name: string
  /** Index of the device. */
  device: number
  ok: boolean
  detail: string
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
const padded = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(Math.max(16, Math.ceil(bytes.length / 16) * 16))
  out.set(bytes)
  return out
}
/** Runs each check on all devices before the next check: forms of one GPU that share a shader compile it once. */
export async function runSuite(devices: readonly OpDevice[], data: SuiteData): Promise<SuiteResult[]> {
  const results: SuiteResult[] = []
  const add = async (name: string, test: (device: OpDevice) => Promise<string | null>): Promise<void> => {
    for (const [i, device] of devices.entries()) {
      try {
        const wrong = await test(device)
        results.push({ name, device: i, ok: wrong === null, detail: wrong ?? '' })
      } catch (e) {
        results.push({ name, device: i, ok: false, detail: messageOf(e) })
      }
    }
  }
  for (const [name, want] of Object.entries(data.conversions)) await add(name, (device) => convert(device, name, want))
  for (const c of data.cases) {
    const shape = Object.values(c.inputs)[0]!
    await add(`${c.op} ${shape.dtype}[${shape.shape.join(', ')}] ${JSON.stringify(c.attrs)}`, (device) =>
      golden(device, c),
    )
  }
  for (const p of data.programs) await add(p.name, (device) => programDisagreement(device, p))
  if (!devices.includes(referenceDevice))
    for (const a of agreements()) {
      const { dtype, shape } = Object.values(a.inputs)[0]!
      await add(`${a.op} as defined, ${dtype}[${shape.join(', ')}] ${JSON.stringify(a.attrs ?? {})}`, (device) =>
        disagreement(device, a),
      )
    }
  return results
}

async function convert(device: OpDevice, name: string, want: Uint8Array): Promise<string | null> {
  const [from, to] = name.split('_to_') as [string, string]
  const source = dtypeInfo(from)!
  const target = dtypeInfo(to)!
  const count = source.bytes === 1 ? 256 : 65536
  const codes = source.bytes === 1 ? new Uint8Array(count) : new Uint16Array(count)
  for (let i = 0; i < count; i++) codes[i] = i
  const view = (dtype: DTypeName): TensorView => ({ dtype, shape: [count], stride: [1], offset: 0 })
  const call: KernelCall = {
    tensors: { self: view(source.name), result: view(target.name) },
    attrs: { dtype: target.name },
  }
  const out = await device.run(copyKernel, call, { self: new Uint8Array(codes.buffer) })
  const got = gather(view(target.name), out['result']!)
  const expected = gather(view(target.name), padded(want)).subarray(0, count)
  const diff = compareCodes(target.name, [count], expected, got, null)
  if (diff.equal) return null
  const at = diff.first[0]!
  return `${diff.differing} of ${count} differ; first: input code ${at.index[0]} gives ${at.b}, recorded ${at.a}`
}

/** Operators that sum products: their rounding shows when terms cancel. */
const SUMS =
  /^(fused_swiglu|unified_attention.*|_?scaled_dot_product.*|.*_mm|.*_mm_func|fp8_gemm_nt_op|npu_quant_matmul|npu_fused_infer.*|fused_experts)$/

/**
 * 8-bit codes and scales: at most one step apart, in at most 0.5 % of values. 16-bit values: within one step, or three
 * for operators that sum products.
 */
async function golden(device: OpDevice, c: GoldenCase): Promise<string | null> {
  const { kernel, call, bytes } = bindOp({
    ...c,
    outputs: Object.fromEntries(
      Object.entries(c.outputs).map(([name, t]) => [name, { dtype: t.dtype, shape: t.shape, stride: t.stride }]),
    ),
  })
  const { tensors } = call
  for (const [name, t] of Object.entries(c.outputs))
    if (String(tensors[name]?.shape) !== String(t.shape))
      return `${name} has shape [${String(tensors[name]?.shape)}], recorded [${t.shape.join(', ')}]`
  const out = await device.run(kernel, call, bytes)
  for (const [name, t] of Object.entries(c.outputs)) {
    const view = tensors[name]!
    const got = gather(view, out[name]!)
    const want = gather({ ...view, stride: contiguousStrides(view.shape) }, padded(bytesOf(t.data)))
    const diff = compareCodes(view.dtype, view.shape, want, got, null)
    const half = DTYPES[view.dtype].bytes === 2
    const steps = half && SUMS.test(kernel.name) ? 3 : 1
    const exactEnough = half || diff.share <= 0.005
    // float32 results of torch operators and softmax use the float32 tolerance: a GPU's exp and sums are a few ulp off.
    const near = view.dtype === 'float32' && /^aten\.|softmax/.test(c.op) && withinFloat(want, got)
    if (!near && (diff.maxSteps > steps || diff.nanMismatches > 0 || !exactEnough)) {
      const at = diff.first[0]!
      return `${name}: ${diff.differing} of ${diff.elements} differ, up to ${diff.maxSteps} steps; first at [${at.index.join(', ')}]: ${at.b}, recorded ${at.a}`
    }
  }
  return null
}

/** float32 within 2e-5 relative, or 4e-6 absolute near zero; NaN equals NaN. */
function withinFloat(want: ArrayLike<number>, got: ArrayLike<number>): boolean {
  for (let i = 0; i < want.length; i++) {
    const a = decode('float32', want[i]!)
    const b = decode('float32', got[i]!)
    if (Object.is(a, b) || a === b || (Number.isNaN(a) && Number.isNaN(b))) continue
    if (!(Math.abs(a - b) <= 4e-6 + 2e-5 * Math.abs(a))) return false
  }
  return true
}
