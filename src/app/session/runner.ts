/**
 * Runs the engine after each edit: at once, or after a short pause while edits follow one another quickly. The engine client drops
 * superseded runs; this file tracks the workspace version of each answer.
 */
import { messageOf } from '../../base/error_message'
import { once } from '../../base/memoize'
import type { EngineClient } from '../../engine/worker/client'
import type { EngineEvent } from '../../engine/protocol'
import { Lack } from '../../engine/worker/needs'
import type { Workspace } from '../../workspace/types'
import { activeEditor } from '../commands/surfaces'
import { editorFetched, firstDrawn, lineIsSlow, pythonFetched } from './load_order'
import {
  isHeld,
  untilRun,
  useRun,
  withColumn,
  withExplained,
  withFailure,
  withFixes,
  withGraph,
  withOff,
  withReport,
  withShapes,
  type RunState,
} from './run_store'
import { indexOf, positions } from '../../engine/queries/report_index'
import { currentSession, type OpenPart } from './session'
import { markRun } from './question/unclean_end'
import { useView } from './view_store'
import { useWorkspace } from './workspace_store'

/** Bounds of the pause after the last edit of a burst before a run, in ms. */
const PAUSE_MS = { least: 16, most: 60 }

/** Edits closer than this are a burst, in ms: a held key, or one action that edits several files. Typing is slower. */
const BURST_MS = 60

/**
 * The pause before the next run of a burst, in ms: a run cannot be interrupted, so the longer it takes, the more it
 * delays the run of the next keystroke.
 */
function pauseMs(): number {
  const last = useRun.getState().result.value?.timings.totalMs
  return last ? Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, last / 5)) : PAUSE_MS.most
}

/**
 * Performance marks for the benchmarks: `fusescope:edit` at the keystroke, `fusescope:report` when the stores have the
 * report.
 */
const mark = (name: string): void => void performance.mark?.(name)

const setEngine = (more: Partial<RunState['engine']>): void =>
  useRun.setState(({ engine }) => ({ engine: { ...engine, ...more } }))

/** The engine's code is fetched on first use, after the first paint. */
export const engine = once(async (): Promise<EngineClient> => {
  const { pageEngineClient, pythonIsFetched, pythonIsKept } = await import('../../engine/worker/browser')
  // Without it, each edit waits for its run.
  import('./same_code').then(
    ({ answerAtNewLines }) => setEngine({ answerAtNewLines }),
    () => {},
  )
  const client = pageEngineClient({
    onReady: (readyMs) => {
      setEngine({ readyMs, loading: null })
      pythonFetched.open()
    },
    onLoading: (received, total) => setEngine({ loading: { received, total } }),
    prepare: (graph) => currentSession()?.beforeGraph(graph) ?? [],
    prepareReport: (report) => currentSession()?.beforeReport(report) ?? [],
    showsAfter: () => useView.getState().mode !== 'before',
  })
  setEngine({ client })
  // If Python is cached, the engine starts at once: otherwise the text area would take the processor from it.
  if (!pythonIsKept()) pythonIsFetched().then(pythonFetched.open, pythonFetched.open)
  return client
})

/** The topic of the run that the last edit requested and that has not begun. */
const PENDING = 'pending run'

/** Runs the workspace again after each edit. */
export const runnerPart: OpenPart = (session) => {
  /** performance.now() of the last edit. */
  let edited = -Infinity
  return {
    onLargeGraph: (graph) => [() => void positions(graph)],
    onLargeReport: (report) => [() => void indexOf(report)],
    onEdit() {
      mark('fusescope:edit')
      const now = performance.now()
      const burst = now - edited < BURST_MS
      edited = now
      const silent = useRun.getState().engine.answerAtNewLines()
      if (silent) mark('fusescope:report')
      else if (useRun.getState().running?.silent)
        useRun.setState(({ running }) => ({ running: running && { ...running, silent } }))
      const pending = session.only(PENDING)
      const begin = (): void => {
        if (!pending.aborted) void run({ silent })
      }
      if (burst) setTimeout(begin, pauseMs())
      // The worker starts while the page still draws the edit. A microtask, because an action may edit further files.
      else queueMicrotask(begin)
    },
    dispose: () => useRun.getState().engine.client?.renew(),
  }
}

/** @param silent the report on screen belongs to the newest text, stored or moved to new lines: no progress bar, no badge */
export async function run({ silent = false } = {}): Promise<void> {
  const session = currentSession()
  session.cancel(PENDING)
  const { workspace, version } = useWorkspace.getState()
  const readOnly = isHeld(useRun.getState())
  const begun = workspace.graph.text.trim() !== ''
  useRun.setState(({ running }) => ({
    running: { since: running?.since ?? performance.now(), silent, progress: null },
  }))
  let engineClient: EngineClient
  try {
    if (silent) await firstDrawn()
    if (silent && lineIsSlow()) await editorFetched.promise
    engineClient = await engine()
  } catch (e) {
    const failure =
      e instanceof Lack ? e.message : `The engine could not be loaded: ${messageOf(e)}. Reload the page to try again.`
    useRun.setState((s) => withFailure(s, failure, version))
    return
  }
  // A newer edit may have come while the engine loaded.
  if (session.signal.aborted || useWorkspace.getState().version !== version) return
  let ended = (): void => {}
  const on = (event: EngineEvent): void => {
    // An answer for a closed workspace would appear as one for the open workspace.
    if (session.signal.aborted) return
    receive(begun ? event : calm(event), { workspace, version, readOnly })
    if (event.kind === 'report') session.emit('onReport')
    if (event.kind === 'report' || event.kind === 'failed') {
      ended()
      session.emit('onRunEnd')
    }
  }
  if (readOnly) engineClient.read(workspace, on)
  else {
    ended = markRun()
    engineClient.analyze(workspace, on, silent ? useRun.getState().result.value?.graph : undefined)
  }
}

/** True if there is no graph yet. This is not an error; the canvas shows what to do. */
function calm(event: EngineEvent): EngineEvent {
  if (event.kind === 'graph') return { ...event, graph: { ...event.graph, problems: [] } }
  if (event.kind === 'report') return { ...event, report: { ...event.report, problems: [] } }
  return event
}

/** The workspace of a run. */
interface RunOf {
  workspace: Workspace
  version: number
  /** The run only reads the graph. */
  readOnly: boolean
}

function receive(event: EngineEvent, { workspace, version, readOnly }: RunOf): void {
  const newest = useWorkspace.getState().version === version
  // The report on screen belongs to a newer text that differs only in comments from this run's text.
  if (useRun.getState().result.version > version) return
  switch (event.kind) {
    case 'progress':
      if (newest) {
        const { stage, text, fraction } = event
        useRun.setState(({ running }) => ({ running: running && { ...running, progress: { stage, text, fraction } } }))
      }
      break
    case 'graph':
      useRun.setState((s) => withGraph(s, event.graph, version))
      if (readOnly && newest) useRun.setState({ running: null })
      break
    case 'report': {
      const { value, sent } = useRun.getState().result
      useRun.setState((s) => ({
        ...withReport(s, event.report, version, workspace),
        ...(newest && { running: null }),
      }))
      mark('fusescope:report')
      // A link's selection can be shown only once there is a report.
      const { selection, select, camera } = useView.getState()
      if (selection && (value === null || sent !== null)) select(selection, camera?.side)
      break
    }
    case 'shapes':
      useRun.setState((s) => withShapes(s, event.shapes, version))
      break
    case 'off':
      useRun.setState((s) => withOff(s, event.off, version))
      break
    case 'explained':
      useRun.setState((s) => withExplained(s, event.passes, version))
      break
    case 'column':
      useRun.setState((s) => withColumn(s, event.column, version))
      break
    case 'fixes':
      useRun.setState((s) => withFixes(s, event.found, version, event.done ? (event.cut ? 'cut' : 'all') : undefined))
      break
    case 'failed':
      if (newest) useRun.setState((s) => withFailure(s, event.message, version))
  }
}

/** Stops a run that hangs; only the current run is lost. */
export function stopRun(): void {
  useRun.getState().engine.client?.stop()
  activeEditor()?.focus()
}

/** Waits for the report or the failure of the newest text, or for its graph while its code must not run. */
export function settled(): Promise<unknown> {
  return untilRun(
    ({ running, result, outcome, consent }) =>
      !running &&
      (outcome.value.failure !== null || isHeld({ consent }) || result.version === useWorkspace.getState().version),
  )
}
