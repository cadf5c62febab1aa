/**
 * A shader that takes a row at a time: values from a source, optionally normalised by their root mean square, then
 * stored or quantised by scales of their own groups, in one dispatch. It has three forms: a workgroup a row with eight
 * elements a load; the same element by element, for odd sizes and any strides; and, for adapters that are CPUs, four
 * neighbouring threads a row, or one where threads cannot pass values to each other without a barrier.
 */
import type { DeviceTraits, Dispatch, KernelCall } from '../kernel'
import { fewThreadsARow } from './row_few_threads'
import { rowParts } from './row_parts'
import { workgroupARow } from './row_workgroup'
import type { RowSpec } from './row_spec'

export function rowKernel(label: string, call: KernelCall, spec: RowSpec, device: DeviceTraits): Dispatch[] {
  const parts = rowParts(call, spec)
  const inTurns = parts.step === 8 && device.serial
  return [inTurns ? fewThreadsARow(label, spec, parts, device.quads ? 4 : 1) : workgroupARow(label, spec, parts)]
}
