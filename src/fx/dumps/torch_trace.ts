/**
 * Reads a TORCH_TRACE log (dedicated_log_torch_trace_*.log, tlparse's raw.log): each line is torch's prefix and JSON, and the lines
 * after it that begin with a tab are its payload. Only payloads that hold a graph are kept, so a log of hundreds of megabytes takes
 * only as much memory as its graphs.
 */
import { parsePythonJson } from './python_json'
import type { DumpGraph } from './types'

const HEADER = /^[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ (?:\d+ )*[^\]\s]{1,300}\] (\{.*)$/
const GRAPH = /^class .{0,200}Module\):|^\s*def forward\(|^graph\(|\[target=/m
/** Artifacts that repeat other artifacts as a program. */
const PROGRAMS = new Set(['fx_graph_runnable', 'inductor_output_code'])

/** True if the text is the beginning of a TORCH_TRACE log. */
export function isTorchTrace(text: string): boolean {
  const lines = text.slice(0, 20_000).split('\n', 60)
  return lines.some(
    (l) => HEADER.test(l) && /"(?:has_payload|frame_id|str|artifact|dynamo_start|chromium_event)"/.test(l),
  )
}

interface Entry {
  name: string
  compileId: string
  line: number
}

export class TraceReader {
  readonly graphs: DumpGraph[] = []
  /** Number of TORCH_TRACE lines that were read. */
  entries = 0
  private line = 0
  private entry: Entry | null = null
  private payload: string[] = []

  /** One line of the log, without its newline. */
  push(text: string): void {
    this.line++
    if (text.charCodeAt(0) === 9) {
      if (this.entry) this.payload.push(text.slice(1))
      return
    }
    this.flush()
    const json = HEADER.exec(text)?.[1]
    if (json === undefined) return
    this.entries++
    if (!json.includes('"has_payload"')) return
    this.entry = entryOf(json, this.line)
  }

  /** Finishes the log. */
  finish(): DumpGraph[] {
    this.flush()
    return this.graphs
  }

  private flush(): void {
    const { entry, payload } = this
    if (entry && payload.length > 0 && GRAPH.test(payload.slice(0, 200).join('\n'))) {
      const { name, compileId, line } = entry
      this.graphs.push({ title: name, group: compileId, line: line + 1, text: `${payload.join('\n')}\n` })
    }
    this.entry = null
    if (payload.length > 0) this.payload = []
  }
}

/** The name and kind of an entry's graph; null if its payload is not a graph. */
function entryOf(json: string, line: number): Entry | null {
  const value = parsePythonJson(json) as Record<string, unknown> | null | undefined
  if (typeof value !== 'object' || value === null) return null
  const kind = Object.keys(value).find(
    (k) => !/^(?:frame_|attempt$|has_payload$|rank$|compiled_autograd_id$|process$)/.test(k),
  )
  if (kind === undefined || kind === 'chromium_event') return null
  const { name: named } = (value[kind] ?? {}) as { name?: unknown }
  const name = typeof named === 'string' ? named : kind
  if (PROGRAMS.has(name) || PROGRAMS.has(kind)) return null
  const frame = typeof value.frame_id === 'number' ? `${value.frame_id}/${String(value.frame_compile_id ?? 0)}` : ''
  const attempt = typeof value.attempt === 'number' && value.attempt > 0 ? `_${value.attempt}` : ''
  const autograd = typeof value.compiled_autograd_id === 'number' ? `!${value.compiled_autograd_id}/` : ''
  const rank = typeof value.rank === 'number' ? `rank ${value.rank} ` : ''
  return { name, compileId: frame === '' ? rank.trim() : `${rank}${autograd}${frame}${attempt}`, line }
}
