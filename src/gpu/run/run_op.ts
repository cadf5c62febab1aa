/** Runs one operator on tensors given as data: used by `window.fusescope.runOp` and the golden suite. */
import { DTYPES, dtypeInfo } from '../../ops/dtype'
import {
  KernelRefusal,
  numel,
  writtenBy,
  type AttrValue,
  type Kernel,
  type KernelCall,
  type TensorView,
} from '../../ops/kernel'
import { contiguousStrides } from '../../ops/strides'
import { codesOf, eachElement, gather, setLong, storageBytes } from '../device/host'
import { CannotRun, MissingKernel } from '../lower/lower_values'
import { openGpu } from '../device/open_gpu'
import { findKernel } from '../device/registry'
import { referenceDevice, webgpuDevice, type OpDevice } from '../device/op_device'
import { GpuFailure } from '../device/limits'

/** A tensor as data. `data`: base64 of the elements' little-endian codes in row-major order, regardless of strides. */
export interface OpTensor {
  dtype: string
  shape: number[]
  /** Default: row-major. */
  stride?: number[]
  data: string
}

export interface OpRequest {
  /** `_C.silu_and_mul`, optionally with an overload. */
  op: string
  attrs?: Record<string, AttrValue>
  inputs: Record<string, OpTensor>
  /** Default: `webgpu`. */
  device?: 'reference' | 'webgpu'
  /** Dtype, shape or strides of outputs that the operator leaves to its caller. */
  outputs?: Record<string, { dtype?: string; shape?: number[]; stride?: number[] }>
}

export interface OpResult {
  op: string
  /** `reference`, or the adapter's name. */
  device: string
  outputs: Record<string, OpTensor & { stride: number[] }>
  /** Number of dispatches; 0 on the reference. */
  launches: number
}

/** @throws CannotRun, GpuFailure: one plain sentence */
export async function runOp(request: OpRequest): Promise<OpResult> {
  const { kernel, call, bytes } = bindOp(request)
  const device = request.device === 'reference' ? referenceDevice : await gpuDevice()
  const out = await device.run(kernel, call, bytes)
  const outputs: OpResult['outputs'] = {}
  for (const name of writtenBy(kernel)) {
    const view = call.tensors[name]
    if (view) outputs[name] = tensorOf(view, out[name]!)
  }
  return { op: request.op, device: device.name, outputs, launches: device.launches(kernel, call) }
}

async function gpuDevice(): Promise<OpDevice> {
  const found = await openGpu()
  if (!found.gpu) throw new GpuFailure(found.reason)
  return webgpuDevice(found.gpu)
}

/** The requested call, with storage for the tensors it reads. */
export function bindOp(request: OpRequest): { kernel: Kernel; call: KernelCall; bytes: Record<string, Uint8Array> } {
  const { op, attrs = {}, inputs } = request
  const target = op.split('.').length === 2 ? `${op}.default` : op
  const kernel = findKernel(target)?.kernel
  if (!kernel) throw new MissingKernel(op)
  const tensors: Record<string, TensorView | null> = {}
  const values: Record<string, AttrValue> = {}
  const bytes: Record<string, Uint8Array> = {}
  const known = new Set<string>()
  for (const p of kernel.params) {
    const given = [p.name, ...(p.aliases ?? [])]
    given.forEach((n) => known.add(n))
    if (p.kind === 'attr') {
      const name = given.find((n) => n in attrs)
      values[p.name] = name === undefined ? (p.default ?? null) : attrs[name]!
      continue
    }
    if (p.kind === 'out') {
      if (p.sized) values[p.name] = given.map((n) => request.outputs?.[n]?.shape).find((s) => s !== undefined) ?? null
      if (p.optional) values[p.name] = given.some((n) => attrs[n] === true || request.outputs?.[n] !== undefined)
      continue
    }
    const name = given.find((n) => n in inputs)
    tensors[p.name] = name === undefined ? null : viewOfTensor(name, inputs[name]!)
    if (name !== undefined) bytes[p.name] = storageOf(name, tensors[p.name]!, inputs[name]!)
    else if (p.scalar) values[p.name] = given.map((n) => attrs[n]).find((v) => v !== undefined) ?? p.default ?? null
    else if (!p.optional) throw new CannotRun(`its input \`${p.name}\` is missing`, `cannot run ${op}`)
  }
  const stray = [...Object.keys(inputs), ...Object.keys(attrs)].find((n) => !known.has(n))
  if (stray !== undefined) throw new CannotRun(`it has no argument \`${stray}\``, `cannot run ${op}`)
  const call: KernelCall = { tensors, attrs: values }
  try {
    for (const [name, spec] of Object.entries(kernel.outputs(call))) {
      const wish = request.outputs?.[name]
      const dtype =
        (wish?.dtype ? dtypeInfo(wish.dtype)?.name : spec.dtype) ?? kernel.params.find((p) => p.name === name)?.dtype
      if (!dtype) throw new CannotRun(`specify the dtype of its output \`${name}\``, `cannot run ${op}`)
      const stride = wish?.stride ?? spec.stride ?? contiguousStrides(spec.shape)
      tensors[name] = { dtype, shape: spec.shape, stride, offset: 0 }
    }
  } catch (e) {
    if (e instanceof KernelRefusal) throw new CannotRun(e.message, `cannot run ${op}`)
    throw e
  }
  const kept = kernel.keeps?.(call) ?? []
  for (const p of kernel.params) {
    const t = tensors[p.name]
    if (p.kind === 'inout' && t && !kept.includes(p.name))
      tensors[`${p.name}_out`] = { ...t, stride: contiguousStrides(t.shape), offset: 0 }
  }
  return { kernel, call, bytes }
}

function viewOfTensor(name: string, t: OpTensor): TensorView {
  const dtype = dtypeInfo(t.dtype)
  if (!dtype) throw new CannotRun(`the dtype ${t.dtype} of ${name} is not supported`)
  const stride = t.stride ?? contiguousStrides(t.shape)
  if (stride.length !== t.shape.length)
    throw new CannotRun(`${name} has ${t.shape.length} dimensions and ${stride.length} strides`)
  return { dtype: dtype.name, shape: t.shape, stride, offset: 0 }
}

/** Storage of a tensor given as data. */
export function storageOf(name: string, view: TensorView, t: OpTensor): Uint8Array {
  const size = DTYPES[view.dtype].bytes
  const raw = Uint8Array.from(atob(t.data), (c) => c.charCodeAt(0))
  if (raw.length !== numel(view.shape) * size)
    throw new CannotRun(
      `${name} of shape [${view.shape.join(', ')}] needs ${numel(view.shape) * size} bytes, found ${raw.length}`,
    )
  const codes = gather({ ...view, stride: contiguousStrides(view.shape), offset: 0 }, raw)
  const storage = new Uint8Array(storageBytes(view))
  const into = codesOf(view, storage)
  if (size === 8) eachElement(view, (i, at) => setLong(into, at, codes[i]!))
  else eachElement(view, (i, at) => (into[at] = codes[i]!))
  return storage
}

function tensorOf(view: TensorView, storage: Uint8Array): OpTensor & { stride: number[] } {
  const codes = gather(view, storage)
  let bytes = new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)
  if (DTYPES[view.dtype].bytes === 8) {
    const words = new Uint32Array(codes.length * 2)
    codes.forEach((low, i) => setLong(words, i, low))
    bytes = new Uint8Array(words.buffer)
  }
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return { dtype: view.dtype, shape: [...view.shape], stride: [...view.stride], data: btoa(text) }
}
