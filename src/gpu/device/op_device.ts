/** Devices that run one operator at a time: the reference definitions, and WebGPU. */
import { KernelRefusal, writtenBy, type Kernel, type KernelCall } from '../../ops/kernel'
import { CannotRun } from '../lower/lower'
import { runStep } from './reference'
import { storageBytes } from './host'
import { prepareLaunches, submit, type Gpu } from './webgpu'

/** Runs one operator. `bytes` is the storage of the tensors read; the result is that of the tensors written. */
export interface OpDevice {
  name: string
  run(
    kernel: Kernel,
    call: KernelCall,
    bytes: Readonly<Record<string, Uint8Array>>,
  ): Promise<Record<string, Uint8Array>>
  launches(kernel: Kernel, call: KernelCall): number
}

/** Zeroed storage for the tensors a kernel writes. */
function outputBytes(kernel: Kernel, call: KernelCall): Record<string, Uint8Array> {
  const out: Record<string, Uint8Array> = {}
  for (const name of writtenBy(kernel)) {
    const view = call.tensors[name]
    if (view) out[name] = new Uint8Array(storageBytes(view))
  }
  return out
}

export const referenceDevice: OpDevice = {
  name: 'reference',
  run: async (kernel, call, bytes) => {
    const out = outputBytes(kernel, call)
    runStep(kernel.reference, call, (name) => out[name] ?? bytes[name]!)
    return out
  },
  launches: () => 0,
}

export const webgpuDevice = (gpu: Gpu): OpDevice => ({
  name: gpu.name,
  launches: (kernel, call) => kernel.plan(call, gpu.traits).length,
  run: (kernel, call, bytes) =>
    gpu.guarded(async () => {
      const out = outputBytes(kernel, call)
      const buffers = new Map<string, GPUBuffer>()
      const owned: GPUBuffer[] = []
      try {
        for (const [name, data] of Object.entries({ ...bytes, ...out })) {
          const buffer = gpu.buffer(Math.max(16, Math.ceil(data.byteLength / 16) * 16), name)
          owned.push(buffer)
          gpu.upload(buffer, data)
          buffers.set(name, buffer)
        }
        submit(gpu, await prepareLaunches(gpu, kernel, call, (t) => buffers.get(t)!, owned))
        const result: Record<string, Uint8Array> = {}
        for (const name of Object.keys(out)) result[name] = await gpu.download(buffers.get(name)!)
        return result
      } catch (e) {
        throw e instanceof KernelRefusal ? new CannotRun(`${e.message}`) : e
      } finally {
        owned.forEach((b) => b.destroy())
      }
    }),
})
