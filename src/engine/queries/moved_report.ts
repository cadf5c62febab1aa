/** Moves a report to the new lines after comments and blank lines of the workspace's Python files changed. */
import { orElse } from '../../base/or_else'
import { lazyField, withFields } from '../../base/lazy_field'
import type { Environment, Workspace } from '../../workspace/types'
import { rekeyed } from '../pipeline/cache_key'
import type { Pipeline } from '../pipeline/types'
import type { PassReport, Report } from '../protocol'
import type { GraphView, NodeView } from '../report/graph_view'
import { movedLines, readsItself } from './same_code'

interface MovedFile {
  name: string
  lines: ReadonlyMap<number, number>
  /** The texts by line. */
  before: readonly string[]
  now: readonly string[]
}

/** Thrown for a place that cannot be moved: the files must run. */
class NotMoved extends Error {}

/**
 * Moves reports of `before` to `now`. Null if anything other than comments and blank lines changed, or if the code may read its own
 * text. The function's result is null if a place of the report cannot be moved. Fixes stay unchanged: they belong to the texts that
 * they were made for.
 */
export function reportMover(before: Workspace, now: Workspace): ((report: Report) => Report | null) | null {
  const changed = changedFiles(before, now)
  if (!changed) return null
  const mover = new Mover(changed, now.environment)
  return (report) => {
    // Frames and console lines of a failure are text.
    if (report.python || report.capture) return null
    return orElse(() => mover.report(report), null, NotMoved)
  }
}

function changedFiles(before: Workspace, now: Workspace): MovedFile[] | null {
  const { files: were, ...beside } = before
  const { files, ...others } = now
  if (files.length !== were.length || !shallowEqual(beside, others)) return null
  const changed: MovedFile[] = []
  for (const [i, { text, ...file }] of files.entries()) {
    const { text: old, ...was } = were[i]!
    if (readsItself(text) || !shallowEqual(file, was)) return null
    if (text === old) continue
    const lines = file.name.endsWith('.py') ? movedLines(old, text) : null
    if (!lines) return null
    changed.push({ name: file.name, lines, before: old.split('\n'), now: text.split('\n') })
  }
  return changed
}

function shallowEqual(a: object, b: object): boolean {
  const keys = Object.keys({ ...a, ...b }) as never[]
  return keys.every((key) => a[key] === b[key])
}

/** Fields without a place in a Python file: a graph has the lines of the model that it was captured from. */
const LEFT = new Set(['graph', 'after', 'fixes', 'tried'])

class Mover {
  constructor(
    private readonly files: readonly MovedFile[],
    private readonly environment: Environment | undefined,
  ) {}

  report({ passes, pipeline, ...rest }: Report): Report {
    return {
      ...this.of(rest),
      ...(rest.after && { after: this.after(rest.after, rest.graph) }),
      passes: this.list(passes, (pass) => this.pass(pass)),
      ...(pipeline && { pipeline: this.of(this.rekeyed(pipeline)) }),
    }
  }

  /** Compile-cache keys depend on the texts. */
  private rekeyed(pipeline: Pipeline): Pipeline {
    const texts = new Map(this.files.map(({ name, now }) => [name, now.join('\n')]))
    return rekeyed(pipeline, texts, this.environment)
  }

  /** Attempts stay packed until somebody reads them. */
  private pass(pass: PassReport): PassReport {
    const { attempts: _lazy, ...fields } = Object.getOwnPropertyDescriptors(pass)
    const rest = Object.defineProperties({}, fields) as object
    const moved = this.of(rest)
    if (moved === rest) return pass
    return lazyField(withFields(pass, moved), 'attempts', () => this.of(pass.attempts))
  }

  /** The value with its places moved; the same value if none moves. */
  private of<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return (this.tuple(value) ?? this.list(value, (v) => this.of(v))) as T
    const file = this.fileNamed((value as { file?: unknown }).file)
    let moved: Record<string, unknown> | null = null
    for (const [key, field] of Object.entries(value)) {
      const now = LEFT.has(key) ? field : file ? this.field(file, value, key, field) : this.of(field)
      if (now === field) continue
      moved ??= { ...(value as Record<string, unknown>) }
      moved[key] = now
    }
    return (moved ?? value) as T
  }

  /** The graph after the passes: replacement nodes have lines of the files, other nodes the lines recorded with the graph. */
  private after({ nodes, ...rest }: GraphView, before: GraphView): GraphView {
    const recorded = new Set(before.nodes.map((n) => JSON.stringify(n.source)))
    const made = ({ source }: NodeView): boolean =>
      this.files.some((f) => f.name === source?.file) && !recorded.has(JSON.stringify(source))
    return { ...rest, nodes: this.list(nodes, (node) => (made(node) ? this.of(node) : node)) }
  }

  /** A field of an object with a place in a moved file. */
  private field(file: MovedFile, place: object, key: string, field: unknown): unknown {
    if (key === 'line' || key === 'endLine') return field === null ? null : lineOf(file, field)
    if (key === 'code' && typeof field === 'string' && 'line' in place) return codeOf(file, place.line, field)
    if (field !== null && typeof field === 'object' && 'line' in field && !('file' in field))
      return { ...field, line: lineOf(file, field.line) }
    return this.of(field)
  }

  /** `[file, line]`, or with columns and an end. */
  private tuple(value: readonly unknown[]): unknown[] | null {
    const file = this.fileNamed(value[0])
    if (!file || typeof value[1] !== 'number') return null
    const [name, line, ...rest] = value
    const end = rest.length === 3 && rest.every((n) => typeof n === 'number')
    if (rest.length > 0 && !end) throw new NotMoved()
    return [name, lineOf(file, line), ...(end ? [rest[0], lineOf(file, rest[1]), rest[2]] : [])]
  }

  private list<T>(values: readonly T[], move: (value: T) => T): T[] {
    const moved = values.map(move)
    return moved.some((v, i) => v !== values[i]) ? moved : (values as T[])
  }

  private text(text: string): string {
    let moved = text
    for (const file of this.files) {
      const [first, ...rest] = moved.split(`${file.name}:`)
      const pieces = rest.map((piece) => piece.replace(/^\d+/, (n) => String(lineOf(file, Number(n)))))
      moved = [first, ...pieces].join(`${file.name}:`)
    }
    if (/\bline \d/.test(text) && this.files.some((f) => f.before.length !== f.now.length)) throw new NotMoved()
    return moved
  }

  private fileNamed(name: unknown): MovedFile | null {
    if (typeof name !== 'string') return null
    return this.files.find((f) => f.name === name || name.endsWith(`/${f.name}`)) ?? null
  }
}

function lineOf(file: MovedFile, line: unknown): number {
  const to = file.lines.get(line as number)
  if (to === undefined) throw new NotMoved()
  return to
}

/** A line's text, cut as in the file. */
function codeOf(file: MovedFile, line: unknown, code: string): string {
  const before = file.before[(line as number) - 1]
  const now = file.now[lineOf(file, line) - 1]!
  if (before === code) return now
  if (before?.trim() === code) return now.trim()
  // An expression of the line.
  if (before?.includes(code) && now.includes(code)) return code
  throw new NotMoved()
}
