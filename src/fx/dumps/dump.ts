/** The graphs of a dump: a log, an archive, a JSON text, or a plain text of several graphs. The content decides what it is. */
import { orElse } from '../../base/or_else'
import type { Problem } from '../../base/result'
import type { Dump, DumpGraph } from './types'
import { printReadable } from '../printers/print_readable'
import { isOneLongGraph, read, sectionTexts, type Candidate } from '../readers/read'
import { readPythonString } from '../readers/python_string'
import { ScanError } from '../readers/scan'
import { exportedGraph } from './exported_json'
import { diffSides, type DiffSides } from './diff_text'
import { parsePythonJson } from './python_json'
import { isTorchTrace, TraceReader } from './torch_trace'
import { isZip, zipEntries } from './zip'

/** The dump in a file's bytes; null where they are text. */
export function dumpOfBytes(bytes: Uint8Array, name: string): Dump | null {
  if (!isZip(bytes)) return null
  const graphs: DumpGraph[] = []
  const problems: Problem[] = []
  const problem = (message: string): void => void problems.push({ file: name, line: 1, column: 1, message })
  const entries = zipEntries(bytes)
  if (entries.length === 0) problem('The archive has no directory: the file is cut off. Save or copy it again.')
  for (const { name: path, data } of entries) {
    if (!/(?:^|\/)(?:models\/[^/]+|serialized_exported_program)\.json$/.test(path)) continue
    if (!data) {
      problem(`${path} is compressed, cut, or stored twice; torch.export.save stores it once, as it is.`)
      continue
    }
    const graph = exportedGraph(parsePythonJson(new TextDecoder().decode(data)))
    const title = path.replace(/^.*\/|\.json$/g, '')
    if (!graph) problem(`${path} holds no graph_module.`)
    else
      graphs.push({
        title,
        group: null,
        line: 1,
        text: printReadable(graph, { className: 'GraphModule', stride: true, device: true }),
      })
  }
  if (graphs.length === 0 && problems.length === 0)
    problem(
      'The archive holds no exported program (models/NAME.json). A .pt of torch.save has no graph: use torch.export.save.',
    )
  return { kind: 'pt2', graphs, best: 0, problems }
}

/** The dump in a text: always includes the graphs that `read` finds. */
export function dumpOfText(text: string, name: string): Dump {
  if (isTorchTrace(text)) {
    const reader = new TraceReader()
    for (let pos = 0; pos < text.length;) {
      const end = text.indexOf('\n', pos)
      reader.push(text.slice(pos, end < 0 ? text.length : end))
      pos = end < 0 ? text.length : end + 1
    }
    return traceDump(reader, name)
  }
  const logged = text.startsWith('{') ? textOfJsonLog(text) : null
  if (logged !== null) return dumpOfText(logged, name)
  const json = /^\s*[[{]/.test(text) ? graphsOfJson(text) : null
  if (json && json.length > 0) return { kind: 'json', graphs: json, best: 0, problems: [] }
  const literal = textOfLiteral(text)
  if (literal !== null) return dumpOfText(literal, name)
  const sides = diffSides(text)
  if (sides) return diffDump(sides, name)
  const whole: Omit<Dump, 'problems'> = { kind: 'text', graphs: [{ title: name, group: null, line: 1, text }], best: 0 }
  if (isOneLongGraph(text)) return { ...whole, problems: [] }
  const { candidates, index, problems, between } = read(text, name)
  if (candidates.length < 2) return { ...whole, problems: candidates.length === 0 ? problems : [] }
  const texts = sectionTexts(text)
  const graphs = candidates.map((c, i): DumpGraph => ({
    title: titleOf(c),
    group: c.artifact,
    line: c.line - texts[i]!.above,
    text: texts[i]!.text,
  }))
  // Problems inside a graph are left out: they are found again when the graph is read.
  return { kind: 'text', graphs, best: index, problems: between }
}

/**
 * The text inside a single Python string literal, such as a prompt's echo of `gm.code` with escaped line ends. Null for other text.
 */
function textOfLiteral(text: string): string | null {
  const [prompt] = /^\s*(?:Out\[\d+\]: )?/.exec(text)!
  const [start, end] = [prompt.length, text.trimEnd().length]
  if (!/['"]/.test(text[start] ?? '') || text.lastIndexOf('\n', end - 1) > start || !text.includes('\\n')) return null
  const read = orElse(() => readPythonString(text, start, end), null, ScanError)
  return read?.end === end && read.value.includes('\n') ? read.value : null
}

/** The graphs of both sides of a diff; by default the graph after the change is read. */
function diffDump({ before, after }: DiffSides, name: string): Dump {
  // A side may be empty if lines were only added or only removed.
  const written = Object.entries({ before, after }).filter(([, text]) => text.trim() !== '')
  const sides = written.map(([side, text]) => ({ side, ...dumpOfText(text, name) }))
  const graphs = sides.flatMap(({ side, graphs }) =>
    graphs.map((g) => ({ ...g, group: side, title: g.title === name ? `${side} the change` : g.title })),
  )
  const problems = sides.flatMap((s) => s.problems)
  const last = sides.at(-1)
  const best = last ? graphs.length - last.graphs.length + last.best : 0
  return { kind: 'diff', graphs, best, problems }
}

/**
 * Reads a TORCH_TRACE log in pieces, so that a large file does not become one string.
 * @param progress called with the characters read
 */
export async function dumpOfStream(
  pieces: AsyncIterable<string>,
  name: string,
  progress: (read: number) => void,
): Promise<Dump> {
  const reader = new TraceReader()
  let rest = ''
  let done = 0
  for await (const piece of pieces) {
    done += piece.length
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    for (const line of lines) reader.push(line)
    progress(done)
  }
  if (rest !== '') reader.push(rest)
  return traceDump(reader, name)
}

function traceDump(reader: TraceReader, name: string): Dump {
  const graphs = reader.finish()
  const message = `This TORCH_TRACE log has ${reader.entries} entries and no graph: its process compiled nothing, or the log is cut.`
  const problems = graphs.length > 0 ? [] : [{ file: name, line: 1, column: 1, message }]
  return { kind: 'torch-trace', graphs, best: bestOf(graphs), problems }
}

/** The graph that passes see comes first: the one before the post-grad passes, then the one that AOTAutograd traced. */
const PREFERRED = [
  /before_post_grad_graph/,
  /fx_graph_readable/,
  /aot_(?:inference|forward)_graph/,
  /dynamo_output_graph/,
]

/** Index of the graph to read by default. */
export function bestOf(graphs: readonly DumpGraph[]): number {
  for (const name of PREFERRED) {
    const at = graphs.findLastIndex((g) => name.test(g.title))
    if (at >= 0) return at
  }
  return Math.max(0, graphs.length - 1)
}

const titleOf = ({ title, name }: Candidate): string => title ?? name

const GRAPH = /^\s*(?:graph\(|class |%\w+ : )|torch\.ops\.|\[target=/m
/** Maximum number of visited values, so that a large foreign JSON ends soon. */
const MOST = 100_000
/** Maximum depth of keys above a graph. */
const DEEPEST = 12

/** The graphs in a JSON text or in lines of JSON; null for text that is neither. */
function graphsOfJson(text: string): DumpGraph[] | null {
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
function textOfJsonLog(text: string): string | null {
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
