/**
 * Kernels of rows, each given by expressions. The shader processes whole rows in one dispatch: reads values from a source, optionally normalizes them by their
 * root mean square, then stores or quantizes them with scales of their own groups. It has three forms: one workgroup
 * per row with eight elements per load; the same element by element, for odd sizes and any strides; and, for CPU
 * adapters, four adjacent threads per row, or one if threads cannot exchange values without a barrier.
 */
import type { Kernel, KernelCall } from '../kernel'
import { groupQuant } from './group_quant'
import { pointwise } from './pointwise'
import { fewThreadsARow } from './row_few_threads'
import { rowParts } from './row_parts'
import type { RowSpec } from './row_spec'
import { rowValues } from './row_values'
import { workgroupARow } from './row_workgroup'

export const rowKernel = ({
  rows,
  ...spec
}: Omit<Kernel, 'reference' | 'plan'> & { rows(call: KernelCall): RowSpec }): Kernel => ({
  ...spec,
  reference: (call, memory) => rowValues(memory, rows(call)),
  plan(call, device) {
    const { name } = spec
    const row = rows(call)
    if (!row.norm && !row.quant) return pointwise(name, call, row)
    if (row.quant?.apart) return groupQuant(name, call, row, row.quant, device)
    const parts = rowParts(call, row)
    const inTurns = parts.step === 8 && device.serial
    return [inTurns ? fewThreadsARow(name, row, parts, device.quads ? 4 : 1) : workgroupARow(name, row, parts)]
  },
})
