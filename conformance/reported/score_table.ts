/** Scores in a Markdown file, made in parts: a run replaces its rows, and leaves those of other runs. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'

const cellsOf = (row: string): string[] =>
  row
    .slice(2, -2)
    .split(/ \| /)
    .map((c) => c.trim())
const rowOf = (cells: readonly string[]): string =>
  `| ${cells.map((c) => c.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('\n', ' ') || '-').join(' | ')} |`

/** When and where a row was made, as its last cell. */
export const madeAt = (): string =>
  `${execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim()}, load ${loadavg()[0]!.toFixed(0)}`

/**
 * Writes the rows into a file's table, by their first cells, in the order of `names`.
 * @param before returns the text before the table, from the cells of all rows
 */
export function writeScores(
  file: string,
  head: readonly string[],
  names: readonly string[],
  rows: readonly (readonly string[])[],
  before: (rows: readonly string[][]) => string,
): void {
  const old = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const kept = old.filter((l) => l.startsWith('| ')).slice(2)
  const all = new Map([...kept, ...rows.map(rowOf)].map((row) => [cellsOf(row)[0]!, row]))
  const ordered = names.flatMap((name) => all.get(cellsOf(rowOf([name]))[0]!) ?? [])
  const table = [rowOf(head), `| ${head.map(() => '---').join(' | ')} |`, ...ordered]
  writeFileSync(file, `${before(ordered.map(cellsOf))}\n\n${table.join('\n')}\n`)
}

/** `51 of 56 (91 %; goal 90 %)`, over the rows with a requirement in that cell. */
export function share(rows: readonly string[][], column: number, goal?: number): string {
  const asked = rows.filter((r) => r[column] !== '-')
  const yes = asked.filter((r) => r[column]!.startsWith('yes')).length
  const percent = `${((100 * yes) / asked.length).toFixed(0)} %`
  return `${yes} of ${asked.length} (${percent}${goal === undefined ? '' : `; goal ${goal} %`})`
}
