/** The problems of all files: exceptions, registrations that raised, failed tests, kernels, passes without patterns, and lints. */
import { useMemo } from 'react'
import type { Cause, PythonFailure, Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import { useRun } from '../../session/run_store'
import { fileOf, useWorkspace } from '../../session/workspace_store'
import { problemOfFailure, type EditorProblem } from '../editor/editor_marks'
import { useProblems } from '../editor/problems'
import type { Place } from './PlaceList'

/** Errors first, each group by file and line; equal entries once. */
export function problemPlaces(
  w: Workspace,
  python: PythonFailure | null,
  problems: readonly EditorProblem[],
  report: Pick<Report, 'passes'> | null,
  early: readonly Cause[] = [],
): Place[] {
  const raised = python && problemOfFailure(python)
  const errors = [...(raised ? [raised] : []), ...problems].map((p): Place => ({
    file: fileOf(w, p.file),
    line: p.line,
    column: p.column,
    text: p.message,
    tone: 'bad',
  }))
  const causes = [...(python ? [] : early), ...(report?.passes ?? []).flatMap((p) => p.causes ?? [])]
  const empty = causes.flatMap((c) => (c.kind === 'not-registered' ? (passPlace(w, c.sentence) ?? []) : []))
  const lints = (report?.passes ?? []).flatMap((pass) =>
    (pass.lints ?? []).flatMap(({ source, sentence }): Place[] =>
      source ? [{ file: fileOf(w, source.file), line: source.line, column: 1, text: sentence, tone: 'warn' }] : [],
    ),
  )
  return [...placed(errors), ...placed(empty), ...placed(lints)]
}

/** The line at which the files create a pass; the first line of code if none does. Null without files. */
function passPlace(w: Workspace, text: string): Place | null {
  const made = w.files.find((f) => f.text.includes(PASS)) ?? w.files.find((f) => f.text.trim() !== '')
  if (!made) return null
  const line = 1 + made.text.split('\n').findIndex((l) => l.includes(PASS))
  return { file: made.name, line: Math.max(line, 1), column: 1, text, tone: 'warn' }
}
const PASS = 'PatternMatcherPass('

function placed(places: readonly Place[]): Place[] {
  const unique = new Map(places.map((p) => [`${p.file}:${p.line} ${p.text}`, p]))
  return [...unique.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
}

export function useProblemPlaces(): Place[] {
  const workspace = useWorkspace((s) => s.workspace)
  const python = useRun((s) => s.outcome.value.python)
  const report = useRun((s) => s.result.value)
  const early = useRun((s) => s.outcome.value.early ?? undefined)
  const problems = useProblems()
  return useMemo(
    () => problemPlaces(workspace, python, problems, report, early),
    [workspace, python, problems, report, early],
  )
}
