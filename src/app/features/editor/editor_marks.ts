/** Decorations of a file's text: problems, linked lines, the number of matches per registration. */
import { fileOf } from '../../session/workspace_store'
import type { Problem, PythonFailure, Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import type { Highlight } from '../selection/highlight'
import { count } from '../../../base/english'

export interface LineMarker {
  line: number
  /** From 1; 1 when only the line is known. */
  column: number
  message: string
}

/** The user's frames of a Python error, the innermost as the error, and parse errors of the graph. */
export function markersOf(
  file: string,
  w: Workspace,
  python: PythonFailure | null,
  problems: readonly Problem[],
): LineMarker[] {
  const markers: LineMarker[] = problems
    .filter((p) => fileOf(w, p.file) === file)
    .map((p) => ({ line: p.line, column: p.column, message: p.message }))
  const frame = python?.frames.findLast((f) => fileOf(w, f.file) === file)
  if (python && frame) markers.push({ line: frame.line, column: 1, message: `${python.type}: ${python.message}` })
  return markers
}

export interface FiredMark {
  line: number
  fired: number
  patterns: number
  firedPatterns: number
  /** `●32` or `○0`. */
  text: string
  hover: string
}

/** Registrations by source line; a loop makes many on one line. */
export function firedMarks(file: string, w: Workspace, report: Report | null): FiredMark[] {
  const lines = new Map<number, { fired: number; patterns: number; firedPatterns: number }>()
  for (const pass of report?.passes ?? [])
    for (const e of pass.entries) {
      if (!e.source || fileOf(w, e.source.file) !== file) continue
      const at = lines.get(e.source.line) ?? { fired: 0, patterns: 0, firedPatterns: 0 }
      at.fired += e.fired
      at.patterns++
      if (e.fired > 0) at.firedPatterns++
      lines.set(e.source.line, at)
    }
  return [...lines].map(([line, m]) => ({
    line,
    ...m,
    text: `${m.fired > 0 ? '●' : '○'}${m.fired}`,
    hover:
      m.patterns === 1
        ? `This pattern fired ${count(m.fired, 'time')}.`
        : `${m.patterns} patterns are registered here; ${m.firedPatterns} fired, ${count(m.fired, 'time')} in total.`,
  }))
}

export function linkedLines(file: string, h: Highlight): number[] {
  return [...(h.lines.get(file) ?? [])].sort((a, b) => a - b)
}
