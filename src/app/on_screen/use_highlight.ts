/** The highlights of the selection and of the node under the pointer, computed once for all views. */
import { memoizeLast } from '../../base/memoize'
import type { ExplainedStage, Report, GraphView } from '../../engine/protocol'
import type { Selection, Workspace } from '../../workspace/types'
import { stepHighlight } from './steps/step_highlight'
import { useSteps } from './steps/store'
import { positionOf } from './steps/timeline'
import { stageOf, useExplain } from './explain/store'
import { highlightOf, NOTHING, type Highlight } from '../report/highlight'
import { useRun } from '../session/run_store'
import { useView } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import { nodeNamed } from '../../engine/queries/report_index'

/**
 * @param base the highlight of the pattern node that the expression belongs to; it includes the Python line
 * @param before the graph before the passes, `after` the graph after them
 */
function partHighlight(
  base: Highlight,
  part: number,
  stage: ExplainedStage,
  before: GraphView | null,
  after: GraphView | null,
): Highlight {
  const nodes = (stage.expressions[part]?.nodes ?? []).filter((n) => nodeNamed(before, n))
  if (nodes.length === 0) return base
  const kept = nodes.filter((n) => nodeNamed(after, n))
  return {
    ...base,
    before: new Set(nodes),
    after: new Set(kept),
    focusBefore: nodes[0]!,
    focusAfter: kept[0] ?? null,
  }
}

/** Keeps one workspace object while its file names are unchanged: a highlight does not depend on the texts. */
const byFileNames = ((): ((w: Workspace) => Workspace) => {
  const first = memoizeLast((_names: string, get: () => Workspace) => get())
  return (w) => first([...w.files, w.graph].map((f) => f.name).join('\u0000'), () => w)
})()

const memoized = () => ({ whole: memoizeLast(highlightOf), part: memoizeLast(partHighlight) })
const ofSelection = memoized()
const ofHover = memoized()
const ofStep = memoizeLast(stepHighlight)

/** A near miss refers to the last explained report; other selections refer to the last report. */
function useReportOf(selection: Selection | null): Report | null {
  const report = useRun((s) => s.result.value)
  const explained = useRun((s) => s.explained.value)
  return selection?.kind === 'nearMiss' ? (explained ?? report) : report
}

/** The explained stage that a selection refers to; null unless it is an expression. */
function useStageOf(selection: Selection | null): ExplainedStage | null {
  return useExplain((s) =>
    selection?.kind === 'patternNode' && selection.part !== undefined
      ? stageOf(s, selection.pass, selection.entry)
      : null,
  )
}

const partOf = (selection: Selection | null): number =>
  selection?.kind === 'patternNode' ? (selection.part ?? -1) : -1

function useHighlightOf(selection: Selection | null, { whole, part }: ReturnType<typeof memoized>): Highlight {
  const graph = useRun((s) => s.graphRead.value)
  const report = useReportOf(selection)
  const workspace = useWorkspace((s) => byFileNames(s.workspace))
  const stage = useStageOf(selection)
  if (!selection) return NOTHING
  const highlight = whole(selection, report, graph, workspace)
  return stage
    ? part(highlight, partOf(selection), stage, graph ?? report?.graph ?? null, report?.after ?? null)
    : highlight
}

export function useSelectionHighlight(): Highlight {
  const selection = useView((s) => s.selection)
  const graph = useRun((s) => s.graphRead.value)
  const newest = useRun((s) => s.result.value)
  const workspace = useWorkspace((s) => byFileNames(s.workspace))
  const indexed = useSteps((s) => s.timeline.value)
  const step = selection?.kind === 'step' ? selection : null
  const highlight = useHighlightOf(step ? null : selection, ofSelection)
  return step && indexed ? ofStep(indexed, positionOf(indexed, step.index), newest, graph, workspace) : highlight
}

export const useHoverHighlight = (): Highlight =>
  useHighlightOf(
    useView((s) => s.hover),
    ofHover,
  )
