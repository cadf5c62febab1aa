/** Types of an export: a workspace as text that runs on a real PyTorch. */

export const EXPORT_KINDS = ['script', 'pytest', 'patterns'] as const

/**
 * `script`: rebuilds graphs and passes, and prints the number of matches; `pytest`: asserts them; `patterns`: the
 * patterns as PatternPrettyPrinter prints them.
 */
export type ExportKind = (typeof EXPORT_KINDS)[number]

export interface Exported {
  /** `silu_mul_quant_fusescope.py`, `test_silu_mul_quant_fusescope.py`. */
  fileName: string
  text: string
  /** Omissions and guesses of the export, one sentence each. */
  notes: string[]
}

/** Matches by pass, by name of the graph. */
export type ExpectedCounts = Record<string, Record<string, number>>
