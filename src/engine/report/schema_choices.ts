/** Text about the versions of cataloged operators that a run uses. */
import type { SchemaChoice } from '../../trace/types'

/** `vLLM 2025-08 to 2026-02 (…), 1 of 2 known versions; the graph's calls fit vLLM …`. */
export function choiceText({ version, known, graph }: SchemaChoice): string {
  const of = known > 1 ? `, 1 of ${known} known versions` : ''
  if (graph === undefined) return `${version}${of}`
  const fits = graph === null ? 'fit no known version: declare the operator' : `fit ${graph}`
  return `${version}${of}; the graph’s calls ${fits}`
}

/** Lines for the terminal. */
export const schemaLines = (choices: readonly SchemaChoice[] = []): string[] =>
  choices.map((c) => `schema of ${c.operator}: ${choiceText(c)}`)
