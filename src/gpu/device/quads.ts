/** Tests whether four neighboring threads of a workgroup form a quad of a subgroup: WGSL leaves the mapping open. */

const WGSL = `enable subgroups;
@group(0) @binding(0) var<storage, read_write> seen: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lid: u32) {
  let x = quadSwapX(lid);
  let y = quadSwapY(lid);
  seen[lid] = select(0u, 1u, x == (lid ^ 1u) && y == (lid ^ 2u));
}
`

/** Tests the device once; false if it has no subgroups. */
export async function quadsAreNeighbors(device: GPUDevice): Promise<boolean> {
  if (!device.features.has('subgroups')) return false
  const threads = 256
  const seen = device.createBuffer({ size: 4 * threads, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC })
  const read = device.createBuffer({ size: 4 * threads, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ })
  try {
    device.pushErrorScope('validation')
    const module = device.createShaderModule({ label: 'quads', code: WGSL })
    const pipeline = device.createComputePipeline({ label: 'quads', layout: 'auto', compute: { module } })
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    const entries = [{ binding: 0, resource: { buffer: seen } }]
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }))
    pass.dispatchWorkgroups(1)
    pass.end()
    encoder.copyBufferToBuffer(seen, 0, read, 0, 4 * threads)
    device.queue.submit([encoder.finish()])
    if (await device.popErrorScope()) return false
    await read.mapAsync(GPUMapMode.READ)
    return new Uint32Array(read.getMappedRange()).every((v) => v === 1)
  } catch {
    // The device is lost, or does not support subgroups after all; later calls report it.
    return false
  } finally {
    seen.destroy()
    read.destroy()
  }
}
