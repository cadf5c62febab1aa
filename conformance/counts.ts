/** Counts the matches of user-style patterns on the recorded real graphs and compares with PyTorch's counts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchCase } from '../src/engine/cases/cases'
import type { Interpreter } from '../src/engine/run/interpreter'

/** Result of one pattern on one graph, in `expected_counts.json` by graph, then by pattern name. */
interface Row {
  pattern_py: string
  /** Number of replaced matches. */
  count: number
  /** Number of successful initial attempts. */
  initial_ok: number
  apply_error: string | null
  /** The difference between a row and its recording. */
  note?: string
}

/** One line per row that differs, and the number of rows that agree. */
export function compareCounts(interpreter: Interpreter, folder: string): { total: number; differences: string[] } {
  const text = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const recorded = JSON.parse(text('expected_counts.json')) as Record<string, Record<string, Row>>
  const differences: string[] = []
  let total = 0
  for (const [name, rows] of Object.entries(recorded)) {
    const graph = text(`graphs/${name}.graph.txt`)
    const readable = text(`graphs/${name}.readable.txt`)
    for (const [title, row] of Object.entries(rows)) {
      total++
      const { register_error, passes } = matchCase(interpreter, {
        id: `${name} ${title}`,
        pattern_py: row.pattern_py,
        graph,
        readable,
      })
      const pass = passes[0]
      const got = {
        count: pass?.count ?? null,
        initial_ok: pass?.attempts.filter((a) => a.phase === 'initial' && a.ok).length ?? null,
        apply_error: register_error ?? pass?.apply_error ?? null,
      }
      for (const key of ['count', 'initial_ok', 'apply_error'] as const)
        if (row[key] !== got[key]) differences.push(`${name}, ${title}: ${key} expected ${row[key]}, found ${got[key]}`)
    }
  }
  return { total, differences }
}
