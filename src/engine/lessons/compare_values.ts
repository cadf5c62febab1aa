/** Compares the values of every match with those of its replacement, on the reference device. */
import { runPrograms } from '../../gpu'
import type { RunPrograms } from '../../gpu/types'

export interface ValuesVerdict {
  kind: string
  sentence: string
}

const ORDER = ['equal', 'close', 'different', 'cannot run']
/** Maximum number of matches per pattern: matches in equal layers compute the same. */
const MAX_MATCHES = 4

/** The worst verdict; null if there is no match. */
export async function worstVerdict(
  programs: readonly (() => Promise<RunPrograms> | RunPrograms)[],
  signal: AbortSignal,
): Promise<ValuesVerdict | null> {
  let worst: ValuesVerdict | null = null
  for (const program of programs.slice(0, MAX_MATCHES)) {
    const options = { device: 'reference', samples: 0 } as const
    const report = await runPrograms(await program(), options, () => undefined, signal)
    const sentence = report.verdict.kind === 'cannot run' ? (report.problems[0] ?? '') : report.verdict.sentence
    const { kind } = report.verdict
    if (!worst || ORDER.indexOf(kind) > ORDER.indexOf(worst.kind)) worst = { kind, sentence }
  }
  return worst
}
