/**
 * A shader that processes whole rows in one dispatch: reads values from a source, optionally normalizes them by their
 * root mean square, then stores or quantizes them with scales of their own groups. It has three forms: one workgroup
 * per row with eight elements per load; the same element by element, for odd sizes and any strides; and, for CPU
 * adapters, four adjacent threads per row, or one if threads cannot exchange values without a barrier.
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
