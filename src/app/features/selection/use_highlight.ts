/** The highlights of the selection and of the node under the pointer, computed once for all views. */
import { memoizeLast } from '../../../base/memoize'
import type { Report } from '../../../engine/protocol'
import type { Selection, Workspace } from '../../../workspace/types'
import { stepHighlight } from '../steps/step_highlight'
import { useSteps } from '../steps/store'
import { positionOf } from '../steps/timeline'
import { highlightOf, NOTHING, type Highlight } from './highlight'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'

/** Keeps one workspace object while its file names are unchanged: a highlight does not depend on the texts. */
const byFileNames = ((): ((w: Workspace) => Workspace) => {
  const first = memoizeLast((_names: string, get: () => Workspace) => get())
  return (w) => first([...w.files, w.graph].map((f) => f.name).join('\u0000'), () => w)
})()

const ofSelection = memoizeLast(highlightOf)
const ofHover = memoizeLast(highlightOf)
const ofStep = memoizeLast(stepHighlight)

/** A near miss refers to the last explained report; other selections refer to the last report. */
function useReportOf(selection: Selection | null): Report | null {
  const report = useRun((s) => s.report)
  const explained = useRun((s) => s.explained?.report)
  return selection?.kind === 'nearMiss' ? (explained ?? report) : report
}

export function useSelectionHighlight(): Highlight {
  const selection = useView((s) => s.selection)
  const graph = useRun((s) => s.graph)
  const newest = useRun((s) => s.report)
  const report = useReportOf(selection)
  const workspace = useWorkspace((s) => byFileNames(s.workspace))
  const indexed = useSteps((s) => s.indexed)
  if (selection?.kind === 'step')
    return indexed ? ofStep(indexed, positionOf(indexed, selection.index), newest, graph, workspace) : NOTHING
  return selection ? ofSelection(selection, report, graph, workspace) : NOTHING
}

export function useHoverHighlight(): Highlight {
  const hover = useView((s) => s.hover)
  const report = useReportOf(hover)
  const graph = useRun((s) => s.graph)
  const workspace = useWorkspace((s) => byFileNames(s.workspace))
  return hover ? ofHover(hover, report, graph, workspace) : NOTHING
}
