/**
 * The text of a baseline, which people review and programs read: for each graph, how often each pass matches.
 *
 *   fusescope baseline 1
 *
 *   graph layer_0
 *     32  fusions.py  silu_pass
 *      !  fusions.py  norm_pass
 *
 * `!`: the pass or its folder raised. A name that is no plain word is a JSON string. A line that begins with `#` is a comment. The Python package
 * reads and writes the same form (python/fusescope/baseline.py).
 */
import { err, ok, type Result } from '../../base/result'
import type { ComparedTable } from '../../engine/table/table'
import type { TableRow } from '../../engine/table/types'
import { jsonText, visible } from '../output'
import { countsIn } from './counts'

const FIRST_LINE = 'fusescope baseline 1'
const EXPECTED = 'what fusescope baseline wrote'

export function baselineText(table: ComparedTable): string {
  const counts = [...countsIn(table).values()]
  const blocks = table.graphs.map((graph) => {
    const own = counts.filter((c) => c.graph === graph)
    const marks = own.map((c) => (c.count === null ? '!' : String(c.count)))
    const width = Math.max(1, ...marks.map((m) => m.length))
    const lines = own.map(({ folder, pass }, i) => {
      const names = pass === null ? [folder] : [folder, pass]
      return `  ${marks[i]!.padStart(width)}  ${names.map(word).join('  ')}\n`
    })
    return `\ngraph ${word(graph)}\n${lines.join('')}`
  })
  return `${FIRST_LINE}\n${blocks.join('')}`
}

/** A JSON string or a plain word, so that two names never look alike. */
const word = (name: string): string => (/^[^\s"#\\]+$/.test(name) && visible(name) === name ? name : jsonText(name))

/** @param file its name, for the message */
export function readBaseline(file: string, text: string): Result<ComparedTable> {
  const lines = text.split(/\r?\n/)
  const graphs: string[] = []
  const rows = new Map<string, TableRow>()
  const bad = (line: number, message: string): Result<ComparedTable> =>
    err({ file, line: line + 1, column: 1, message, expected: EXPECTED })
  if (lines[0] !== FIRST_LINE)
    return bad(0, `this is not a baseline; expected ${EXPECTED}, which begins "${FIRST_LINE}".`)
  for (const [at, line] of lines.entries()) {
    const words = at === 0 || /^\s*(#|$)/.test(line) ? [] : wordsOf(line)
    if (words === null) return bad(at, 'this line has a broken name; expected words, or JSON strings.')
    const [first, ...names] = words
    if (first === undefined) continue
    if (first === 'graph' && names.length === 1) {
      if (graphs.includes(names[0]!)) return bad(at, `the graph ${JSON.stringify(names[0])} is listed twice.`)
      graphs.push(names[0]!)
    } else if (/^(\d{1,9}|!)$/.test(first) && graphs.length > 0 && names.length >= 1 && names.length <= 2) {
      const [folder, pass = null] = names as [string, string?]
      const key = JSON.stringify([folder, pass])
      if (!rows.has(key)) rows.set(key, { folder, pass, patterns: 0, cells: [] })
      const count = first === '!' ? null : Number(first)
      const { cells } = rows.get(key)!
      if (cells[graphs.length - 1])
        return bad(at, `the pass ${names.map(word).join(' ')} is listed twice for this graph.`)
      cells[graphs.length - 1] = { count, unshaped: 0, failure: count === null ? 'It raised.' : null }
    } else return bad(at, `expected "graph NAME" or "COUNT FOLDER PASS", found ${JSON.stringify(line.trim())}.`)
  }
  return ok({
    graphs,
    rows: [...rows.values()].map((r) => ({ ...r, cells: graphs.map((_, i) => r.cells[i] ?? null) })),
  })
}

function wordsOf(line: string): string[] | null {
  const words: string[] = []
  for (const [found] of line.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"]+|"/g)) {
    if (!found.startsWith('"')) words.push(found)
    else {
      try {
        words.push(JSON.parse(found) as string)
      } catch {
        return null
      }
    }
  }
  return words
}
