/** Decorations of a file's text: problems, linked lines, the number of matches per registration. */
import { fileOf } from '../../session/workspace_store'
import { advisedText } from '../../../engine/report/file_outcomes'
import type { Problem, PythonFailure, QuickFix, Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import type { Highlight } from '../../report/highlight'
import { count } from '../../../base/english'

export interface LineMarker {
  line: number
  /** From 1; 1 when only the line is known. */
  column: number
  /** End of the expression, exclusive; absent: the end of the line. */
  end?: { line: number; column: number }
  message: string
  edit?: QuickFix
}

/** A problem with the expression that raised, and the edit that corrects it, if known. */
export interface EditorProblem extends Problem {
  end?: { line: number; column: number }
  edit?: QuickFix
}

/** An exception, located at the expression of its innermost user frame; null if it has no user frame. */
export function problemOfFailure(failure: PythonFailure): EditorProblem | null {
  const frame = failure.frames.at(-1)
  if (!frame) return null
  const { span, edit } = failure
  const at = span ? { line: span[0], column: span[1] } : { line: frame.line, column: 1 }
  return {
    file: frame.file,
    ...at,
    ...(span && { end: { line: span[2], column: span[3] } }),
    message: advisedText(failure),
    ...(edit && { edit }),
  }
}

const markerOf = ({ line, column, end, message, edit }: EditorProblem): LineMarker => ({
  line,
  column,
  ...(end && { end }),
  message,
  ...(edit && { edit }),
})

/** The user's frames of a Python error, the innermost as the error, and parse errors of the graph. */
export function markersOf(
  file: string,
  w: Workspace,
  python: PythonFailure | null,
  problems: readonly EditorProblem[],
): LineMarker[] {
  const markers: LineMarker[] = problems.filter((p) => fileOf(w, p.file) === file).map(markerOf)
  const innermost = python && problemOfFailure(python)
  const frame = python?.frames.findLast((f) => fileOf(w, f.file) === file)
  if (innermost && fileOf(w, innermost.file) === file) markers.push(markerOf(innermost))
  else if (python && frame) markers.push({ line: frame.line, column: 1, message: advisedText(python) })
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
