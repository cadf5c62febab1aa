/** The content of the panels and the graph after the passes that a link carries, and how the reader sees it before Python. */
import type { Report, GraphView } from '../../../engine/protocol'
import type { CarriedPin, CarriedStage } from '../../../workspace/carried'
import type { ReportSummary, Workspace } from '../../../workspace/types'
import { useRun, withSentAfter } from '../../session/run_store'
import { engine } from '../../session/runner'
import { currentSession } from '../../session/session'
import { nearMissOf, type CarriedScreen, type EntryRef } from '../../session/summary'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { carriedRun } from '../run/carried_run'
import { useGpu } from '../run/store'
import { carriedSteps, showSentSteps } from '../../on_screen/steps/carried_steps'
import { usePin } from '../../on_screen/pin_store'
import { entryOfPin, fixesOf } from '../../report/why_not_pin'
import { carriedMiss } from './carried_misses'
import { positions } from '../../../engine/queries/report_index'
import { stageTitle } from '../../report/pipeline'
import { usePipeline } from '../../on_screen/stage/store'

/** Undefined unless the graph after a stage is on screen and belongs to the newest text. */
async function carriedStage({ pipeline }: Report): Promise<CarriedStage | undefined> {
  const { value: stage, version } = usePipeline.getState().shown
  const { running, result } = useRun.getState()
  const { workspace, version: newest } = useWorkspace.getState()
  const shown = useView.getState().stage !== null && stage !== null && pipeline
  if (!shown || running || version !== result.version || version !== newest) return undefined
  const { at, added, removed } = stage
  const text = await (await engine()).print(workspace, 'readable', at)
  return { at, title: stageTitle(pipeline, at), graph: { name: 'stage.txt', text }, added, removed }
}

/** Shows the sender's graph; the run here replaces it. */
async function showSentStage(sent: CarriedStage): Promise<void> {
  const { signal } = currentSession()
  try {
    const graph = await (await engine()).view(sent.graph.text)
    // A run here may have finished first.
    if (signal.aborted || useView.getState().stage !== sent.at || usePipeline.getState().shown.value) return
    const { value: before, version } = useRun.getState().graphRead
    const shown = { state: 'sent' as const, version, value: stageFrom(sent, graph, before) }
    usePipeline.setState({ shown, sentTitle: sent.title })
  } catch {
    // The run here shows the graph.
  }
}

/** A link names the nodes that the stage added; which later stage removes a node is known only after the run. */
function stageFrom({ at, added, removed }: CarriedStage, graph: GraphView, before: GraphView | null) {
  const own = new Set(added)
  const known = before && positions(before)
  const from = graph.nodes.map(({ name }) => (!own.has(name) && known?.has(name) ? 0 : at))
  return { at, graph, before: null, added, removed, from, until: graph.nodes.map(() => at + 1) }
}

/** The GPU result, the steps and the pinned pair. */
export function carriedScreen(report: Report): CarriedScreen {
  const run = carriedRun()
  const steps = carriedSteps(report)
  const pin = carriedPin(report)
  return { ...(run && { run }), ...(steps && { steps }), ...(pin && { pin }) }
}

function carriedPin(report: Report): CarriedPin | undefined {
  const { pin, answer: section } = usePin.getState()
  const answer = section.value
  if (!pin || !answer || answer.node !== pin.node) return undefined
  const { fires, miss } = answer
  const pass = entryOfPin(report, pin)?.pass
  if (!miss || !pass) return { fires }
  const [first, ...further] = miss.causes
  const fixes = fixesOf(pass, miss, first!)
  const shown = { ...miss, causes: [{ ...first!, ...(fixes.length > 0 && { fixes: [...fixes] }) }, ...further] }
  return { fires, miss: carriedMiss(shown) }
}

/** Entries that the panels refer to. */
export function namedEntries(report: Report, { steps, pin }: CarriedScreen): EntryRef[] {
  const pinned = pin && usePin.getState().pin
  const found = pinned && entryOfPin(report, pinned)
  const stepped = (steps?.steps ?? []).flatMap((s) => (s.entry === null ? [] : [s.entry]))
  return [
    ...(found ? [{ pass: found.pass.name, entry: found.entry.index }] : []),
    ...(steps ? [...new Set([...stepped, ...(steps.entry === null ? [] : [steps.entry])])] : []).map((entry) => ({
      pass: steps!.pass,
      entry,
    })),
  ]
}

/** The graph after the passes or after a stage, whichever is on screen. */
export async function carriedGraph(report: Report): Promise<CarriedScreen> {
  const stage = await carriedStage(report)
  return stage ? { stage } : carriedAfter(report)
}

/** The text of the graph after the passes, if it is on screen and belongs to the newest text. */
async function carriedAfter(report: Report): Promise<CarriedScreen> {
  const { mode, stage, selection } = useView.getState()
  const { workspace, version } = useWorkspace.getState()
  const { running, result } = useRun.getState()
  const shown = (mode !== 'before' && stage === null) || (selection?.kind === 'node' && selection.side === 'after')
  if (!shown || !report.after || running || result.version !== version) return {}
  const text = await (await engine()).print(workspace, 'readable', 'after')
  return { after: { graph: { name: 'after.txt', text } } }
}

/** Shows the content that a link carries; the run here replaces it. */
export function showScreen({ run, steps, pin, after, stage }: ReportSummary, workspace: Workspace): void {
  if (run) useGpu.setState({ sent: run })
  if (steps) showSentSteps(steps, workspace)
  const { pin: pinned } = usePin.getState()
  if (pin && pinned) {
    const miss = pin.miss ? nearMissOf(pin.miss, workspace) : null
    const { pass, entry, node } = pinned
    const value = { pass, entry, node, fires: pin.fires, miss }
    usePin.setState({ answer: { state: 'sent', version: useWorkspace.getState().version, value }, asking: false })
  }
  if (stage) void showSentStage(stage)
  if (after) void showAfter(after.graph.text)
}

async function showAfter(text: string): Promise<void> {
  const { signal } = currentSession()
  try {
    const view = await (await engine()).view(text)
    if (!signal.aborted) useRun.setState((s) => withSentAfter(s, view))
  } catch {
    // The run here shows the graph after the passes.
  }
}
