/** The suite's devices: the definitions, and WebGPU. */
import { runStep } from './reference'
import { outputBytes, type SuiteDevice } from './suite'
import { prepareLaunches, submit, type Gpu } from './webgpu'

export const referenceDevice: SuiteDevice = {
  name: 'reference',
  run: async (kernel, call, bytes) => {
    const out = outputBytes(kernel, call)
    runStep(kernel.reference, call, (name) => out[name] ?? bytes[name]!)
    return out
  },
}

export const webgpuDevice = (gpu: Gpu): SuiteDevice => ({
  name: gpu.name,
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
      } finally {
        owned.forEach((b) => b.destroy())
      }
    }),
})
