/** Recorded programs for the suite: calls that lowering splits (`x[i, j]`), run step by step on any device. */
import { DTYPES } from '../../ops/dtype'
import { contiguousStrides } from '../../ops/strides'
import { compareCodes } from '../run/compare'
import { eachElement, gather } from '../device/host'
import { fillBytes } from '../run/inputs'
import { lower, type Lowered } from '../lower/lower'
import type { OpDevice } from '../device/op_device'
import { storageOf, type OpTensor } from '../run/run_op'
import { Symbols } from '../lower/symbols'
import type { RunProgram } from '../types'

export interface GoldenProgram {
  name: string
  program: RunProgram
  values: Record<string, OpTensor>
  expected: Record<string, OpTensor>
}

/** Null, or a description of how the outputs differ from the recorded ones: every code must agree. */
export async function programDisagreement(device: OpDevice, p: GoldenProgram): Promise<string | null> {
  const lowered = lower(p.program, { symbols: new Symbols(1), tokens: null, rowInputs: new Set() })
  const memory = await runLowered(device, lowered, p.values)
  for (const { name, at } of lowered.outputs) {
    const expected = p.expected[name]!
    if (String(at.view.shape) !== String(expected.shape))
      return `${name} has shape [${at.view.shape.join(', ')}], recorded [${expected.shape.join(', ')}]`
    const dense = { ...at.view, stride: contiguousStrides(at.view.shape), offset: 0 }
    const want = gather(dense, storageOf(name, dense, expected))
    const diff = compareCodes(dense.dtype, dense.shape, want, gather(at.view, memory[at.slot]!), null)
    const first = diff.first[0]
    if (first)
      return `${name}: ${diff.differing} of ${diff.elements} differ; first at [${first.index.join(', ')}]: ${first.b}, recorded ${first.a}`
  }
  return null
}

async function runLowered(device: OpDevice, lowered: Lowered, values: GoldenProgram['values']): Promise<Uint8Array[]> {
  const memory = lowered.slots.map(({ bytes, init }) =>
    init && 'fill' in init ? fillBytes(init.dtype, init.fill, bytes) : new Uint8Array(bytes),
  )
  for (const { name, at } of lowered.inputs) memory[at.slot] = storageOf(name, at.view, values[name]!)
  for (const { kernel, call, slots } of lowered.steps) {
    const read = Object.entries(slots).map(([name, slot]) => [name, memory[slot]!] as const)
    const written = await device.run(kernel, call, Object.fromEntries(read))
    for (const [name, bytes] of Object.entries(written)) {
      const view = call.tensors[name]!
      // Only the elements that the step wrote: another step may have written the rest of this storage.
      const size = DTYPES[view.dtype].bytes
      eachElement(view, (_, i) => memory[slots[name]!]!.set(bytes.subarray(i * size, (i + 1) * size), i * size))
    }
  }
  return memory
}
