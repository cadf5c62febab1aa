/** A plain copy from one buffer to another: the bandwidth that everything else is measured against. */
import { gridOf } from '../../ops/kernels/shader'
import type { Gpu, Launch } from './webgpu'

const WORKGROUP = 64
/** 16-byte words that a thread copies on a GPU, where adjacent threads take adjacent words. */
const WORDS = 4
/** On a CPU each thread copies a strip, because adjacency gives no benefit there. */
const SERIAL_WORDS = 256
const LEAST_BYTES = 1 << 20
const MAX_BYTES = 256 << 20

export interface Copy {
  launches: Launch[]
  /** Number of bytes read and written together. */
  bytes: number
  destroy(): void
}

const shader = (serial: boolean): string => `@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4<u32>>;
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let n = arrayLength(&a);
${
  serial
    ? `  let first = (group * ${WORKGROUP}u + lid) * ${SERIAL_WORDS}u;
  for (var i = first; i < min(n, first + ${SERIAL_WORDS}u); i++) { b[i] = a[i]; }`
    : `  for (var i = group * ${WORKGROUP * WORDS}u + lid; i < min(n, (group + 1u) * ${WORKGROUP * WORDS}u); i += ${WORKGROUP}u) { b[i] = a[i]; }`
}
}
`

/** A copy that moves about `bytes`, reads and writes together. */
export async function prepareCopy(gpu: Gpu, bytes: number): Promise<Copy> {
  const { serial } = gpu.traits
  const limit = Math.min(gpu.device.limits.maxStorageBufferBindingSize, MAX_BYTES)
  const size = Math.floor(Math.min(limit, Math.max(LEAST_BYTES, bytes / 2)) / 16) * 16
  const buffers = [gpu.buffer(size, 'the copy'), gpu.buffer(size, 'the copy')]
  const destroy = (): void => buffers.forEach((b) => b.destroy())
  try {
    const wgsl = shader(serial)
    const pipeline = await gpu.pipeline({ label: 'copy', wgsl, bindings: [], params: [], workgroups: 1 })
    const group = gpu.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    })
    const groups = Math.ceil(size / 16 / (WORKGROUP * (serial ? SERIAL_WORDS : WORDS)))
    return { launches: [{ pipeline, group, grid: gridOf(groups) }], bytes: 2 * size, destroy }
  } catch (e) {
    destroy()
    throw e
  }
}
