/** The highlight of the selection and of what is under the pointer, worked out once for all views. */
import type { GraphView, Report } from '../../engine/protocol'
import type { Selection, Workspace } from '../../workspace/types'
import { highlightOf, NOTHING, type Highlight } from './highlight'
import { explainedOf } from '../features/whynot/explained'
import { stepHighlight, type StepHighlight } from '../features/steps/step_highlight'
import type { Walk } from '../features/steps/timeline'
import { useRun } from './run_store'
import { useSteps } from '../features/steps/store'
import { useView } from './view_store'
import { useWorkspace } from './workspace_store'

function memo(): (s: Selection | null, r: Report | null, g: GraphView | null, w: Workspace) => Highlight {
  let last: [Selection | null, Report | null, GraphView | null, string] | null = null
  let value = NOTHING
  return (s, r, g, w) => {
    if (!s) return NOTHING
    const names = [...w.files, w.graph].map((f) => f.name).join('\u0000')
    if (last?.[0] !== s || last[1] !== r || last[2] !== g || last[3] !== names) {
      last = [s, r, g, names]
      value = highlightOf(s, r, g, w)
    }
    return value
  }
}

/** A near miss is of the last report that was explained; all else is of the last one. */
const speakingOf = (s: Selection | null, report: Report | null): Report | null =>
  s?.kind === 'nearMiss' ? (explainedOf(report, useWorkspace.getState().origin) ?? report) : report

const ofSelection = memo()
const ofHover = memo()

const ofStep = ((): ((
  walk: Walk,
  at: number,
  r: Report | null,
  g: GraphView | null,
  w: Workspace,
) => StepHighlight) => {
  let last: readonly unknown[] = []
  let value: StepHighlight | null = null
  return (walk, at, r, g, w) => {
    const key = [walk, at, r, g, [...w.files, w.graph].map((f) => f.name).join('\u0000')]
    if (!value || key.some((k, i) => k !== last[i])) {
      last = key
      value = stepHighlight(walk, at, r, g, w)
    }
    return value
  }
})()

export function useSelectionHighlight(): Highlight {
  const selection = useView((s) => s.selection)
  const report = useRun((s) => s.report)
  const graph = useRun((s) => s.graph)
  const workspace = useWorkspace((s) => s.workspace)
  const walk = useSteps((s) => s.walk)
  if (selection?.kind === 'step') return walk ? ofStep(walk, selection.index, report, graph, workspace) : NOTHING
  return ofSelection(selection, speakingOf(selection, report), graph, workspace)
}

export function useHoverHighlight(): Highlight {
  const hover = useView((s) => s.hover)
  const report = useRun((s) => s.report)
  const graph = useRun((s) => s.graph)
  const workspace = useWorkspace((s) => s.workspace)
  return ofHover(hover, speakingOf(hover, report), graph, workspace)
}
