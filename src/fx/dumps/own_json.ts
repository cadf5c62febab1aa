/**
 * Finds graphs in JSON: what `fusescope match --json` prints (graph_after), the lines of a cases file (graph, readable), a
 * workspace, the JSON of an exported program, and any other object with a graph's text as a value.
 */
import { printReadable } from '../printers/print_readable'
import { read } from '../readers/read'
import { exportedGraph } from './exported_json'
import { parsePythonJson } from './python_json'
import type { DumpGraph } from './types'

const GRAPH = /^\s*(?:graph\(|class |%\w+ : )|torch\.ops\.|\[target=/m
/** Values looked at, so that a large foreign JSON ends soon. */
const MOST = 100_000
/** Keys on the way to a graph. */
const DEEPEST = 12

/** The graphs of a JSON text or of lines of JSON; null where it is neither. */
export function graphsOfJson(text: string): DumpGraph[] | null {
  const whole = parsePythonJson(text)
  if (whole !== undefined) return graphsIn(whole, 1)
  const lines = text.split('\n')
  const graphs: DumpGraph[] = []
  let some = false
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    const value = parsePythonJson(line)
    if (value === undefined) continue
    some = true
    graphs.push(...graphsIn(value, i + 1))
  }
  return some ? graphs : null
}

/** Fields in which log collectors store a line. */
const LINE_FIELDS = ['log', 'message', 'msg', 'textPayload', 'line', 'MESSAGE']

/** The text of a log whose lines a collector stored as JSON, line by line; null for other JSON. */
export function textOfJsonLog(text: string): string | null {
  const lines = text.trimEnd().split('\n')
  if (lines.length < 3 || !lines[0]!.startsWith('{')) return null
  let field: string | undefined
  const out: string[] = []
  for (const line of lines) {
    const value = line.startsWith('{') ? (parsePythonJson(line) as Record<string, unknown> | undefined) : undefined
    field ??= LINE_FIELDS.find((f) => typeof value?.[f] === 'string')
    const logged = field === undefined ? undefined : value?.[field]
    if (typeof logged !== 'string') return null
    out.push(logged.replace(/\n$/, ''))
  }
  // A line that holds a whole graph is one of the texts in the JSON.
  return out.some((l) => l.includes('\n')) ? null : out.join('\n')
}

function graphsIn(value: unknown, line: number): DumpGraph[] {
  const exported = exportedGraph(value)
  if (exported) {
    const text = printReadable(exported, { className: 'GraphModule', stride: true, device: true })
    return [{ title: 'graph_module', group: null, line, text }]
  }
  const graphs: DumpGraph[] = []
  const { id } = (value ?? {}) as { id?: unknown }
  let looked = 0
  const path: string[] = []
  const walk = (v: unknown): void => {
    if (++looked > MOST || path.length > DEEPEST) return
    if (typeof v === 'string') {
      const title = path.join('.')
      if (v.includes('\n') && GRAPH.test(v) && read(v, title).graph.size > 0)
        graphs.push({ title, group: typeof id === 'string' ? id : null, line, text: v })
    } else if (typeof v === 'object' && v !== null)
      for (const [key, item] of Object.entries(v)) {
        if (key === 'pattern_py') continue
        path.push(key)
        walk(item)
        path.pop()
      }
  }
  walk(value)
  return graphs
}
