/** Reads a .fusescope file (docs/capture.md). The readable parts of a damaged file are kept, and each bad line is reported. */
import { DEEPEST, nestsTooDeep } from '../../base/json_depth'
import { err, ok, type Problem, type Result } from '../../base/result'
import { isFields, type Fields, type Json } from '../../base/json'
import {
  applicationOf,
  attemptOf,
  BadRecord,
  endOf,
  entryOf,
  graphOf,
  headerOf,
  passOf,
  traceOf,
  type Capture,
  type CapturedApplication,
  type CapturedEntry,
  type CapturedGraph,
  type CapturedPass,
  type CapturedTrace,
  type CaptureHeader,
} from './records'
import { MAX_FILES } from '../../workspace'
import type { TextFile } from '../../workspace/types'

/** The files in order, by the path of their module: `fusion.noop` is `fusion/noop.py`. */
function sourceFiles(records: readonly Fields[]): TextFile[] {
  const files = new Map<string, string>()
  for (const { file, module, text } of records) {
    if (typeof file !== 'string' || typeof text !== 'string') continue
    const name = nameOf(file, typeof module === 'string' ? module : null)
    if (!files.has(name) && files.size < MAX_FILES) files.set(name, text)
  }
  return [...files].map(([name, text]) => ({ name, text }))
}

function nameOf(file: string, module: string | null): string {
  const base = file.slice(file.replaceAll('\\', '/').lastIndexOf('/') + 1)
  if (module === null || module.startsWith('__')) return base
  const path = module.replaceAll('.', '/')
  return base === '__init__.py' ? `${path}/__init__.py` : `${path}.py`
}

/** Version of the format that this reader knows. */
const VERSION = 1
/** Maximum number of listed bad lines; the others are counted. */
const MAX_PROBLEMS = 20
/** Maximum number of nodes in all graphs. */
const MAX_NODES = 5_000_000

/** True for the text of a capture, judged by its first line. */
export const isCapture = (text: string): boolean => /^\uFEFF?\s*\{"record":\s*"capture"/.test(text.slice(0, 200))

/** The capture in a text, or the reason why there is none. */
export function readCapture(text: string, name: string): Result<Capture, Problem> {
  const reader = new CaptureReader(name)
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    reader.line(line, i + 1, i === lines.length - 1)
    if (reader.refused) return err(reader.refused)
  }
  return reader.finish()
}

class CaptureReader {
  refused: Problem | null = null
  private header: CaptureHeader | null = null
  private readonly passes = new Map<number, CapturedPass>()
  private readonly entries = new Map<number, CapturedEntry>()
  private readonly graphs = new Map<number, CapturedGraph>()
  private readonly traces = new Map<number, CapturedTrace>()
  private readonly applications = new Map<number, CapturedApplication>()
  private readonly operators = new Map<string, string>()
  private readonly sources: Fields[] = []
  private leftOut: Record<string, number> = {}
  private readonly notes: string[] = []
  private readonly problems: Problem[] = []
  private unlisted = 0
  private nodes = 0

  constructor(private readonly name: string) {}

  line(text: string, line: number, last: boolean): void {
    if (nestsTooDeep(text)) {
      this.problem(line, `This line nests deeper than ${DEEPEST} levels.`)
      return
    }
    let value: Json
    try {
      value = JSON.parse(text) as Json
    } catch {
      this.problem(
        line,
        last
          ? 'The last line is cut: the process ended here, or the file was not copied whole.'
          : 'This line is not JSON.',
      )
      return
    }
    if (!isFields(value)) {
      this.problem(line, 'This line is not a record: it has no fields.')
      return
    }
    try {
      this.record(value)
    } catch (e) {
      // A foreign field can have a form that no other check catches.
      const what = e instanceof BadRecord ? e.message : 'has a field of the wrong form'
      this.problem(line, `The ${typeof value.record === 'string' ? value.record : 'unnamed'} record ${what}.`)
    }
  }

  private record(r: Fields): void {
    if (r.record === 'capture') return this.begin(r)
    if (!this.header) throw new BadRecord('comes before the capture record')
    switch (r.record) {
      case 'pass':
        return put(this.passes, passOf(r))
      case 'entry':
        return put(this.entries, entryOf(r))
      case 'graph':
        return this.graph(r)
      case 'trace':
        return put(this.traces, traceOf(r))
      case 'apply':
        return put(this.applications, applicationOf(r))
      case 'attempt':
        this.application(r).attempts.push(attemptOf(r))
        return
      case 'applied':
        Object.assign(this.application(r), endOf(r), { ended: true })
        return
      case 'operator':
        this.operators.set(String(r.target), String(r.schema))
        return
      case 'source':
        this.sources.push(r)
        return
      case 'left-out':
        this.leftOut = Object.fromEntries(
          Object.entries(r).filter((e): e is [string, number] => typeof e[1] === 'number' && e[0] !== 'limit'),
        )
        return
      case 'note':
        this.notes.push(String(r.text))
    }
  }

  private begin(r: Fields): void {
    if (typeof r.v !== 'number' || r.v > VERSION) {
      const message = `This capture has version ${String(r.v)}; this Fusescope reads version ${VERSION}. Record it with the script of this Fusescope.`
      this.refused = { file: this.name, line: 1, column: 1, message }
    }
    this.header ??= headerOf(r)
  }

  private graph(r: Fields): void {
    const graph = graphOf(r, this.graphs, MAX_NODES - this.nodes)
    this.nodes += graph.nodes.length
    put(this.graphs, graph)
  }

  private application(r: Fields): CapturedApplication {
    const found = this.applications.get(r.apply as number)
    if (!found) throw new BadRecord(`is of application ${String(r.apply)}, which has no record`)
    return found
  }

  private problem(line: number, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ file: this.name, line, column: 1, message })
    else this.unlisted++
  }

  finish(): Result<Capture, Problem> {
    const { name, header, problems, applications } = this
    if (!header)
      return err({
        file: name,
        line: 1,
        column: 1,
        message: 'This is not a capture: its first line is not a record of one.',
      })
    if (this.unlisted > 0)
      problems.push({ file: name, line: 1, column: 1, message: `${this.unlisted} further lines could not be read.` })
    return ok({
      name,
      header,
      passes: this.passes,
      entries: this.entries,
      graphs: this.graphs,
      traces: this.traces,
      applications: [...applications.values()],
      operators: this.operators,
      sources: sourceFiles(this.sources),
      leftOut: this.leftOut,
      notes: this.notes,
      problems,
    })
  }
}

function put<T extends { id: number }>(map: Map<number, T>, value: T): void {
  map.set(value.id, value)
}
