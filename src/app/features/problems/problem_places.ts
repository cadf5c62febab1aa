/** The problems of all files: exceptions, registrations that raised, failed tests, kernels, and lints of patterns. */
import { useMemo } from 'react'
import type { PythonFailure, Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import { useRun } from '../../session/run_store'
import { fileOf, useWorkspace } from '../../session/workspace_store'
import { problemOfFailure, type EditorProblem } from '../editor/editor_marks'
import { useProblems } from '../editor/problems'
import type { Place } from './PlaceList'

/** Errors first, each by file and line; equal ones once. */
export function problemPlaces(
  w: Workspace,
  python: PythonFailure | null,
  problems: readonly EditorProblem[],
  report: Pick<Report, 'passes'> | null,
): Place[] {
  const raised = python && problemOfFailure(python)
  const errors = [...(raised ? [raised] : []), ...problems].map((p): Place => ({
    file: fileOf(w, p.file),
    line: p.line,
    column: p.column,
    text: p.message,
    tone: 'bad',
  }))
  const lints = (report?.passes ?? []).flatMap((pass) =>
    (pass.lints ?? []).flatMap(({ source, sentence }): Place[] =>
      source ? [{ file: fileOf(w, source.file), line: source.line, column: 1, text: sentence, tone: 'warn' }] : [],
    ),
  )
  return [...placed(errors), ...placed(lints)]
}

function placed(places: readonly Place[]): Place[] {
  const unique = new Map(places.map((p) => [`${p.file}:${p.line} ${p.text}`, p]))
  return [...unique.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
}

export function useProblemPlaces(): Place[] {
  const workspace = useWorkspace((s) => s.workspace)
  const python = useRun((s) => s.python)
  const report = useRun((s) => s.report)
  const problems = useProblems()
  return useMemo(() => problemPlaces(workspace, python, problems, report), [workspace, python, problems, report])
}
