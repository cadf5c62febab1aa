/** The reference device: a lowered program run by the operators' definitions, on the CPU. */
import type { KernelCall, ReferenceMemory } from '../../ops/kernel'
import { readValues, writeValues } from './host'
import type { Lowered } from '../lower/lower'
import { fillBytes } from '../run/inputs'

/** A user-defined operator whose only definition is its kernel. */
export class NoDefinition extends Error {
  constructor(readonly reason: string) {
    super(`cannot run: ${reason}`)
  }
}

/** @param inputs storage bytes by input name  @returns storage bytes of each slot; outputs are found through `lowered` */
export function runReference(
  lowered: Lowered,
  inputs: ReadonlyMap<string, Uint8Array>,
  aborted: () => void,
): Uint8Array[] {
  const memory = lowered.slots.map((slot) => {
    if (slot.init === null) return new Uint8Array(slot.bytes)
    if ('fill' in slot.init) return fillBytes(slot.init.dtype, slot.init.fill, slot.bytes)
    // A step may overwrite its own input; the caller's bytes stay unchanged.
    return inputs.get(slot.init.input)!.slice()
  })
  for (const step of lowered.steps) {
    aborted()
    runStep(step.kernel.reference, step.call, (name) => memory[step.slots[name]!]!)
  }
  return memory
}

/** Runs one operator by its definition; `bytes` is each tensor's storage. */
export function runStep(
  reference: (call: KernelCall, memory: ReferenceMemory) => void,
  call: KernelCall,
  bytes: (name: string) => Uint8Array,
): void {
  reference(call, {
    read: (name) => readValues(call.tensors[name]!, bytes(name)),
    write: (name, values) => writeValues(call.tensors[name]!, bytes(name), values),
    bytes,
  })
}
