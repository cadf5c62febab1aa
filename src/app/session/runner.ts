/**
 * Keeps the report in step with the text: each edit asks the engine again after a short pause. The engine client
 * itself drops superseded runs; what is kept here is which workspace version an answer belongs to.
 */
import { messageOf } from '../../base/error_message'
import type { EngineClient } from '../../engine/worker/client'
import type { EngineEvent } from '../../engine/protocol'
import type { Workspace } from '../../workspace/types'
import { activeEditor } from '../commands/surfaces'
import { editorFetched, lineIsSlow } from './load_order'
import { useRun, withColumn, withExplained, withFixes, withReport } from './run_store'
import { currentSession, type OpenPart } from './session'
import { useView } from './view_store'
import { useWorkspace } from './workspace_store'

/** Pause after the last keystroke before a run, in ms. */
export const DEBOUNCE_MS = 60

let client: EngineClient | null = null
let starting: Promise<EngineClient> | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Marks: `fusescope:edit` at the keystroke, `fusescope:report` when the stores have the answer; bench reads them. */
const mark = (name: string): void => void performance.mark?.(name)

/** The engine's code is fetched on first use, after the first paint. */
export function engine(): Promise<EngineClient> {
  starting ??= import('../../engine/worker/browser').then(({ createEngineClient }) => {
    client = createEngineClient((ms) => useRun.setState({ pythonReadyMs: ms }))
    return client
  })
  return starting
}

/** Runs the workspace again after each edit. */
export const runnerPart: OpenPart = () => ({
  onEdit() {
    mark('fusescope:edit')
    clearTimeout(timer)
    timer = setTimeout(() => void run(), DEBOUNCE_MS)
  },
  dispose: () => clearTimeout(timer),
})

/** @param silent a re-run of what is on screen already: no bar, no badge */
export async function run({ silent = false } = {}): Promise<void> {
  clearTimeout(timer)
  const session = currentSession()
  const { workspace, version } = useWorkspace.getState()
  const readOnly = useRun.getState().consent === 'asked'
  const begun = workspace.graph.text.trim() !== ''
  useRun.setState((s) => ({ running: true, silent, since: s.running ? s.since : performance.now(), progress: null }))
  let engineClient: EngineClient
  try {
    if (silent && lineIsSlow()) await editorFetched.promise
    engineClient = await engine()
  } catch (e) {
    useRun.setState({
      running: false,
      failure: `The engine could not be loaded: ${messageOf(e)}. Reload the page to try again.`,
    })
    return
  }
  // A newer edit may have come while the engine loaded.
  if (session.signal.aborted || useWorkspace.getState().version !== version) return
  const on = (event: EngineEvent): void => {
    // An answer about a workspace that was closed would be drawn as one about the workspace that is open now.
    if (session.signal.aborted) return
    receive(begun ? event : calm(event), { workspace, version, readOnly })
    if (event.kind === 'report') session.emit('onReport')
    if (event.kind === 'report' || event.kind === 'failed') session.emit('onRunEnd')
  }
  if (readOnly) engineClient.read(workspace, on)
  else engineClient.analyze(workspace, on)
}

/** That a graph is still to be pasted is no mistake; the canvas says what to do. */
function calm(event: EngineEvent): EngineEvent {
  if (event.kind === 'graph') return { ...event, graph: { ...event.graph, problems: [] } }
  if (event.kind === 'report') return { ...event, report: { ...event.report, problems: [] } }
  return event
}

/** The workspace that a run is of. */
interface RunOf {
  workspace: Workspace
  version: number
  /** The graph is only read. */
  readOnly: boolean
}

function receive(event: EngineEvent, { workspace, version, readOnly }: RunOf): void {
  const newest = useWorkspace.getState().version === version
  switch (event.kind) {
    case 'progress':
      if (newest) useRun.setState({ progress: { stage: event.stage, text: event.text, fraction: event.fraction } })
      break
    case 'graph':
      useRun.setState({ graph: event.graph, graphVersion: version, problems: event.graph.problems })
      if (readOnly && newest) useRun.setState({ running: false, silent: false, progress: null })
      break
    case 'report': {
      const first = useRun.getState().report === null || useRun.getState().summary !== null
      useRun.setState((s) => ({
        ...withReport(s, event.report, version, workspace),
        fixing: false,
        fixesCut: false,
        ...(newest ? { running: false, silent: false, progress: null } : {}),
      }))
      mark('fusescope:report')
      // What a link had selected can only be shown now that there is something to show it on.
      const { selection, select } = useView.getState()
      if (first && selection) select(selection)
      break
    }
    case 'explained':
      useRun.setState((s) => ({ ...withExplained(s, event.passes, version), fixing: s.reportVersion === version }))
      break
    case 'column':
      useRun.setState((s) => withColumn(s, event.column, version))
      break
    case 'fixes':
      useRun.setState((s) => ({
        ...withFixes(s, event.found, version),
        ...(event.done && s.reportVersion === version && { fixing: false, fixesCut: event.cut === true }),
      }))
      break
    case 'failed':
      if (newest)
        useRun.setState({
          running: false,
          fixing: false,
          silent: false,
          progress: null,
          failure: event.message,
          python: null,
          problems: [],
        })
  }
}

/** Ends a run that hangs. Only what was under way is lost. The next thing a person does is edit, or undo. */
export function stopRun(): void {
  client?.stop()
  activeEditor()?.focus()
}

/** Agrees to run a link's Python. */
export function giveConsent(): void {
  useRun.setState({ consent: 'given' })
  currentSession().emit('onConsent')
  void run()
}
