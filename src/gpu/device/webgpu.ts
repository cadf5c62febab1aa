/** WebGPU: the device, storage in buffers, programs as prepared dispatches. */
import { gridOf } from '../../ops/kernels/shader'
import type { DeviceTraits, Dispatch, Kernel, KernelCall } from '../../ops/kernel'
import type { Problem } from '../../fx'
import { CannotRun, type Lowered } from '../lower/lower'
import { GPU_BUSY, GpuFailure, GpuStuck, KernelFailure, problemsOf, within } from './limits'
import { quadsAreNeighbors } from './quads'

/** Limits to request above WebGPU's defaults if the adapter has more. */
const LIMITS = ['maxStorageBufferBindingSize', 'maxBufferSize', 'maxStorageBuffersPerShaderStage'] as const

const FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'subgroups']

const MAX_PIPELINES = 256

export class Gpu {
  private readonly pipelines = new Map<string, Promise<GPUComputePipeline>>()
  /** The reason why the device was lost, if it was. */
  lost: string | null = null

  private constructor(
    readonly device: GPUDevice,
    readonly name: string,
    readonly fallback: boolean,
    public traits: DeviceTraits,
  ) {
    void device.lost.then((info) => {
      this.lost = `the GPU device was lost (${info.reason})${info.message ? `: ${info.message.replace(/\.$/, '')}` : ''}; run again to start on a new one`
    })
  }

  get timestamps(): boolean {
    return this.device.features.has('timestamp-query')
  }

  /** Null, with the reason, if there is no WebGPU. */
  static async open(): Promise<{ gpu: Gpu } | { gpu: null; reason: string }> {
    try {
      return await within(Gpu.openDevice(), 'the GPU')
    } catch (e) {
      if (e instanceof GpuStuck) return { gpu: null, reason: GPU_BUSY }
      throw e
    }
  }

  private static async openDevice(): Promise<{ gpu: Gpu } | { gpu: null; reason: string }> {
    const entry = (globalThis.navigator as Navigator | undefined)?.gpu
    if (!entry)
      return {
        gpu: null,
        reason: 'WebGPU is not available in this browser, so only the reference (CPU) results are shown.',
      }
    const adapter = await entry.requestAdapter({ powerPreference: 'high-performance' })
    if (!adapter)
      return {
        gpu: null,
        reason: 'WebGPU found no usable graphics adapter, so only the reference (CPU) results are shown.',
      }
    const requiredLimits = Object.fromEntries(LIMITS.map((l) => [l, adapter.limits[l]]))
    const requiredFeatures = FEATURES.filter((f) => adapter.features.has(f))
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures })
    const { vendor, architecture, device: model, description } = adapter.info
    const name = description || [vendor, architecture, model].filter(Boolean).join(' ') || 'unnamed adapter'
    const serial = adapter.info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe/i.test(name)
    const quads = await quadsAreNeighbors(device)
    return { gpu: new Gpu(device, name, adapter.info.isFallbackAdapter, { serial, quads }) }
  }

  /** Rejects with the device's reason once it is lost. */
  check(): void {
    if (this.lost) throw new GpuFailure(this.lost)
  }

  pipeline(dispatch: Dispatch): Promise<GPUComputePipeline> {
    let known = this.pipelines.get(dispatch.wgsl)
    if (!known) {
      // Shaders with literal sizes accumulate; those in use are compiled again.
      if (this.pipelines.size >= MAX_PIPELINES) this.pipelines.clear()
      known = this.compile(dispatch)
      this.pipelines.set(dispatch.wgsl, known)
    }
    return known
  }

  private async compile(dispatch: Dispatch): Promise<GPUComputePipeline> {
    if (dispatch.own) return this.ownPipeline(dispatch, dispatch.wgsl)
    const module = this.device.createShaderModule({ label: dispatch.label, code: dispatch.wgsl })
    const { messages } = await module.getCompilationInfo()
    const error = messages.find((m) => m.type === 'error')
    if (error)
      throw new GpuFailure(`the shader of ${dispatch.label} does not compile: line ${error.lineNum}: ${error.message}`)
    return this.device.createComputePipelineAsync({
      label: dispatch.label,
      layout: 'auto',
      compute: { module, entryPoint: 'main' },
    })
  }

  /**
   * Compiles a form of a user's shader. The layout is explicit: `auto` omits bindings that a shader does not use.
   * @param bounds entries of a second bind group
   * @throws KernelFailure with the compiler's errors, GpuStuck if it takes too long
   */
  async ownPipeline(
    dispatch: Dispatch,
    wgsl: string,
    bounds: GPUBindGroupLayoutEntry[] = [],
  ): Promise<GPUComputePipeline> {
    const { label, own } = dispatch
    const compiling = `the compilation of ${label}`
    const module = this.device.createShaderModule({ label, code: wgsl })
    const { messages } = await within(module.getCompilationInfo(), compiling)
    const problems = problemsOf(label, messages, own!.lines)
    if (problems.length > 0) throw new KernelFailure(problems)
    const entries = dispatch.bindings.map((b, binding): GPUBindGroupLayoutEntry => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: b.access === 'read' ? 'read-only-storage' : 'storage' },
    }))
    const groups = bounds.length > 0 ? [entries, bounds] : [entries]
    const bindGroupLayouts = groups.map((g) => this.device.createBindGroupLayout({ entries: g }))
    const layout = this.device.createPipelineLayout({ bindGroupLayouts })
    const made = this.device.createComputePipelineAsync({ label, layout, compute: { module, entryPoint: 'main' } })
    return within(made, compiling).catch((e: unknown) => {
      this.check()
      if (e instanceof GpuStuck || !(e instanceof Error)) throw e
      const message = `The GPU rejects this kernel: ${e.message.split('\n')[0]!.slice(0, 500).replace(/\.$/, '')}`
      throw new KernelFailure([{ file: label, line: 1, column: 1, message }])
    })
  }

  /** Problems of a user's shader, found without running it. */
  async problems(file: string, wgsl: string, lines: number): Promise<Problem[]> {
    this.check()
    this.device.pushErrorScope('validation')
    const module = this.device.createShaderModule({ label: file, code: wgsl })
    const { messages } = await within(module.getCompilationInfo(), `the compilation of ${file}`)
    await this.device.popErrorScope()
    return problemsOf(file, messages, lines)
  }

  /** @throws CannotRun with the limit if `bytes` do not fit in one binding */
  buffer(bytes: number, label: string): GPUBuffer {
    const { maxStorageBufferBindingSize, maxBufferSize } = this.device.limits
    const limit = Math.min(maxStorageBufferBindingSize, maxBufferSize)
    if (bytes > limit)
      throw new CannotRun(
        `${label} takes ${mib(bytes)} and this device binds at most ${mib(limit)} (${maxStorageBufferBindingSize <= maxBufferSize ? 'maxStorageBufferBindingSize' : 'maxBufferSize'}); choose fewer tokens`,
      )
    return this.device.createBuffer({
      label,
      size: bytes,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    })
  }

  upload(buffer: GPUBuffer, bytes: Uint8Array): void {
    this.device.queue.writeBuffer(buffer, 0, bytes as Uint8Array<ArrayBuffer>)
  }

  async download(buffer: GPUBuffer): Promise<Uint8Array> {
    this.check()
    const staging = this.device.createBuffer({
      size: buffer.size,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    })
    try {
      const encoder = this.device.createCommandEncoder()
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size)
      this.device.queue.submit([encoder.finish()])
      await staging.mapAsync(GPUMapMode.READ).catch((e: unknown) => {
        this.check()
        throw e
      })
      return new Uint8Array(staging.getMappedRange()).slice()
    } finally {
      staging.destroy()
    }
  }

  /** Runs `work` and converts errors that WebGPU reports separately (validation, memory) to a GpuFailure. */
  async guarded<T>(work: () => Promise<T>): Promise<T> {
    this.check()
    this.device.pushErrorScope('out-of-memory')
    this.device.pushErrorScope('validation')
    let result: T | undefined
    let thrown: unknown = null
    try {
      result = await work()
    } catch (e) {
      thrown = e
    }
    const errors = await Promise.all([this.device.popErrorScope(), this.device.popErrorScope()]).catch(() => [])
    this.check()
    if (thrown) throw thrown
    const error = errors.find((e) => e !== null)
    if (error) throw new GpuFailure(`the GPU rejected the work: ${error.message}`)
    return result as T
  }
}

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`

/** One dispatch with its bound buffers. */
export interface Launch {
  pipeline: GPUComputePipeline
  group: GPUBindGroup
  grid: readonly [number, number, number?]
  /** Set for a user's kernel. */
  own?: Dispatch
}

/** A buffer for each slot of a program, and its launches in order. */
export interface Prepared {
  buffers: GPUBuffer[]
  launches: Launch[]
  /** Frees the buffers that only this program owns. */
  destroy(): void
}

export async function prepareLaunches(
  gpu: Gpu,
  kernel: Kernel,
  call: KernelCall,
  bufferOf: (tensor: string) => GPUBuffer,
  owned: GPUBuffer[],
): Promise<Launch[]> {
  return Promise.all(
    kernel.plan(call, gpu.traits).map(async (dispatch) => {
      const pipeline = await gpu.pipeline(dispatch)
      const entries: GPUBindGroupEntry[] = dispatch.bindings.map((b, i) => ({
        binding: i,
        resource: { buffer: bufferOf(b.tensor) },
      }))
      if (!dispatch.own) {
        const params = gpu.device.createBuffer({
          size: Math.ceil(Math.max(1, dispatch.params.length) / 4) * 16,
          usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
        })
        owned.push(params)
        gpu.device.queue.writeBuffer(params, 0, Uint32Array.from(dispatch.params))
        entries.push({ binding: dispatch.bindings.length, resource: { buffer: params } })
      }
      const group = gpu.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries })
      const grid = dispatch.own?.grid ?? gridOf(dispatch.workgroups)
      return { pipeline, group, grid, ...(dispatch.own && { own: dispatch }) }
    }),
  )
}

/** @param shared buffers of program inputs, by name; a program may not overwrite them */
export async function prepare(gpu: Gpu, lowered: Lowered, shared: ReadonlyMap<string, GPUBuffer>): Promise<Prepared> {
  const owned: GPUBuffer[] = []
  const destroy = (): void => owned.forEach((b) => b.destroy())
  try {
    const buffers = lowered.slots.map((slot, i) => {
      if (slot.init && 'input' in slot.init) return shared.get(slot.init.input)!
      const writer = lowered.steps.find((s) => Object.values(s.slots).includes(i))
      const buffer = gpu.buffer(slot.bytes, `a tensor of ${writer?.node ?? 'the program'}`)
      owned.push(buffer)
      return buffer
    })
    const launches: Launch[] = []
    for (const step of lowered.steps)
      launches.push(...(await prepareLaunches(gpu, step.kernel, step.call, (t) => buffers[step.slots[t]!]!, owned)))
    return { buffers, launches, destroy }
  } catch (e) {
    destroy()
    throw e
  }
}

/** Encodes the launches into a pass, `repeats` times. */
export function encodeLaunches(pass: GPUComputePassEncoder, launches: readonly Launch[], repeats: number): void {
  for (let r = 0; r < repeats; r++)
    for (const l of launches) {
      pass.setPipeline(l.pipeline)
      pass.setBindGroup(0, l.group)
      pass.dispatchWorkgroups(...l.grid)
    }
}

export function submit(gpu: Gpu, launches: readonly Launch[]): void {
  const encoder = gpu.device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  encodeLaunches(pass, launches, 1)
  pass.end()
  gpu.device.queue.submit([encoder.finish()])
}
