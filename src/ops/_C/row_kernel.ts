/**
 * A shader that takes a row at a time: values from a source, optionally normalised by their root mean square, then
 * stored or quantised by scales of their own groups, in one dispatch. It has three forms: a workgroup a row with eight
 * elements a load; the same element by element, for odd sizes and any strides; and, for adapters that are CPUs, four
 * neighbouring threads a row, or one where threads cannot pass values to each other without a barrier.
 */
import type { DeviceTraits, Dispatch, KernelCall } from '../kernel'
import type { Sink } from './pointwise'
import { fewThreadsARow } from './row_few_threads'
import { rowParts } from './row_parts'
import { workgroupARow } from './row_workgroup'
import type { Rows, Shader } from './shader'
import type { Source } from './source'

export interface RowQuant {
  /** Elements that share a scale; the last group of a row may be shorter. */
  readonly groupSize: number
  /** Tensor [rows, groups]. */
  readonly scales: string
  /**
   * WGSL functions `scale_of(peak: f32) -> f32`, `scale_code(s: f32) -> u32` (what is stored) and
   * `quant(x: F32, s: f32) -> U32` (codes of `out`; `enc_out` encodes float32 bits).
   */
  emit(shader: Shader): string
}

export interface RowSpec {
  readonly source: Source
  /** Tensor that takes the source's values as they are: x + residual. */
  readonly keep?: string
  /** What \`keep\` stores is what is normalised: the source's values have its dtype already. */
  readonly keepsValues?: boolean
  readonly norm?: { readonly weight: string; readonly rows: Rows; readonly epsilon: number }
  /** Tensor [rows] that takes 1 / rms. */
  readonly rstd?: string
  /** Tensor that takes the normalised values; for one that only stores, `sink` says how. */
  readonly out: string
  readonly sink?: Sink
  /** Tensor that takes the normalised values as they are, beside an `out` that takes what `sink` makes of them. */
  readonly normed?: string
  readonly quant?: RowQuant
}

export function rowKernel(label: string, call: KernelCall, spec: RowSpec, device: DeviceTraits): Dispatch[] {
  const parts = rowParts(call, spec)
  const inTurns = parts.step === 8 && device.serial
  return [inTurns ? fewThreadsARow(label, spec, parts, device.quads ? 4 : 1) : workgroupARow(label, spec, parts)]
}
