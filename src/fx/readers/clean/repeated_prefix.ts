/**
 * Finds a prefix of any form that a tool puts before each line of a graph: `worker-1 | `, `fx_graph.py:12:`, a project's own logger
 * format. The text before the graph's first line is the prefix if the lines below begin alike.
 */

/** The first line of a graph, at any column. */
const FIRST_LINE =
  /graph\([^()\n]{0,2000}\)(?: -> [^:\n]{1,100})?:\s*[│┃║|]?\s*$|class [\w<>]+\(torch\.nn\.Module\):|def forward\(self|opcode[\s|]+name[\s|]+target/
/** The text that print_readable's log puts between its prefix and `class`. */
const OF_FX = /(?:\S+\.py |<eval_with_key>\.\d+ )$/
/** Minimum number of lines below the first that begin alike. */
const LINES = 3
const LONGEST = 300
/** A terminal's frame also closes each line at its right. */
const FRAME = /^\s*[│┃║|]/
const RIGHT = /\s*[│┃║|]\s*$/

export interface RepeatedPrefix {
  /** Length of the prefix of a line; 0 for a line without one. */
  lengthIn(line: string): number
  /** Matches the text that closes a line at its right; null if nothing does. */
  right: RegExp | null
}

/** The prefix of the first graph that has a prefix; null if none has. */
export function repeatedPrefix(lines: readonly string[]): RepeatedPrefix | null {
  for (const [i, line] of lines.entries()) {
    const at = line.length < 4000 && mayBegin(line) ? line.search(FIRST_LINE) : -1
    if (at <= 0 || at > LONGEST) continue
    const before = line.slice(0, at)
    for (const prefix of [before, before.replace(OF_FX, '')]) {
      if (prefix.trim() === '') continue
      const shape = shapeOf(prefix)
      const below = lines.slice(i + 1, i + 20).filter((l) => l.trim() !== '')
      if (below.length > 0 && below.slice(0, LINES).every((l) => shape.test(l)))
        return {
          lengthIn: (l) => shape.exec(l)?.[0].length ?? 0,
          right: FRAME.test(prefix) && below.slice(0, LINES).every((l) => RIGHT.test(l)) ? RIGHT : null,
        }
    }
  }
  return null
}

const mayBegin = (line: string): boolean =>
  line.includes('graph(') || line.includes('.Module):') || line.includes('def forward(') || line.includes('opcode')

/** Matches the prefix with any numbers; the line may end before the prefix's trailing spaces. */
function shapeOf(prefix: string): RegExp {
  const escaped = prefix.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const spaces = prefix.length - prefix.trimEnd().length
  // An editor that comments out a block may keep one line's indent.
  const indent = prefix.startsWith('#') ? ' ?' : ''
  return new RegExp(`^${indent}${escaped.replace(/\d+/g, '\\d+')}(?: {${spaces}}|\\t|\\s*$)`)
}
