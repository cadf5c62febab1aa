/** Sends the files to the process after each edit, and keeps its verdict. */
import { capturedGraph, isAsRecorded } from '../../../engine/capture/workspace'
import { readCapture } from '../../../engine/capture/read'
import { messageOf } from '../../../base/error_message'
import { memoizeLast } from '../../../base/memoize'
import type { Workspace } from '../../../workspace/types'
import { isOwnText, markOwnText } from '../../../workspace/code_origin'
import { pythonFiles } from '../../../workspace/python_files'
import { useRun, withAnswer } from '../../session/run_store'
import { engine } from '../../session/runner'
import { currentSession, type OpenPart } from '../../session/session'
import { useWorkspace } from '../../session/workspace_store'
import { done } from '../../session/section'
import { verdictOn } from './compare'
import { askProcess, isFromProcess, NotAllowed, type CheckAnswer } from './process'
import { useLiveVerdict, useProcess } from './store'

export const livePart: OpenPart = () => {
  // Files that wait for permission are sent again once it is given.
  const stop = useProcess.subscribe((now, before) => {
    if (now.state?.allowed && before.state && !before.state.allowed) void check()
  })
  return { onReport: () => void check(), dispose: stop }
}

/** True if the open workspace's code may be sent: the workspace was opened from this process, and no other site sent it. */
export function isChecked(): boolean {
  const { origin, foreign } = useWorkspace.getState()
  const { state, ended } = useProcess.getState()
  return state !== null && !ended && foreign === null && isFromProcess(origin) && useRun.getState().consent === 'own'
}

/** The process's answer for the open workspace; `also` asks for more than after an edit. @returns null if nothing was asked */
export async function check(also: { numbers?: true; case?: true } = {}): Promise<CheckAnswer | null> {
  const { workspace, version } = useWorkspace.getState()
  const run = useRun.getState()
  if (!isChecked() || isAsRecorded(workspace) || !run.result.value || !verdictOn(version, run)) return null
  const signal = currentSession().only('live')
  useLiveVerdict.setState({ checking: true })
  // The recorded run used other files.
  useRun.setState((s) => (s.result.value?.capture?.now ? s : withAnswer(s, null, version)))
  try {
    const script = await scriptOf(workspace, run.outcome.value.python !== null, signal)
    const sent = pythonFiles(workspace)
    const files = Object.fromEntries(sent.map((f) => [f.name, f.text]))
    const typed = sent.filter(isOwnText).map((f) => f.name)
    const asked = { script, files, typed, run: recordedRun(workspace), graph: workspace.graph.name, ...also }
    const answer = await askProcess<CheckAnswer>('check', asked, signal)
    // Code that the process ran was allowed there, and so are edits of it.
    if (!('asks' in answer)) sent.forEach(markOwnText)
    if (signal.aborted) return null
    useLiveVerdict.setState({ answer: done(answer, version), checking: false })
    await showAnswer(answer, version, signal)
    return answer
  } catch (e) {
    if (signal.aborted) return null
    if (e instanceof NotAllowed) useProcess.setState({ ended: true })
    useLiveVerdict.setState({ answer: done({ error: messageOf(e) }, version), checking: false })
    return null
  }
}

/** Shows PyTorch's answer at each node, in Why not and in the Node panel. */
async function showAnswer(answer: CheckAnswer, version: number, signal: AbortSignal): Promise<void> {
  if (!('recording' in answer) || answer.recording === null || useRun.getState().result.version !== version) return
  const found = await (await engine()).pytorchAnswer(answer.recording, signal)
  if (!signal.aborted) useRun.setState((s) => withAnswer(s, found, version))
}

/** If this edit raises here, take the passes of the last edit that ran: the process imports the files of this edit. */
async function scriptOf({ graph }: Workspace, raises: boolean, signal: AbortSignal): Promise<string> {
  const { script } = useLiveVerdict.getState()
  if (raises && script?.graph === graph.text) return script.text
  const { text } = await (await engine()).exported('script', raises, signal)
  useLiveVerdict.setState({ script: { text, graph: graph.text } })
  return text
}

/** The index of the recorded graph; -1 if the text was edited, so that the process builds its graph from the text. */
function recordedRun({ capture, graph }: Workspace): number {
  return capture && recordedText(capture.text, capture.run) === graph.text ? capture.run : -1
}

/** The text of a recorded graph; null for a capture that cannot be read. */
const recordedText = memoizeLast((text: string, run: number): string | null => {
  const read = readCapture(text, 'live')
  return read.ok ? capturedGraph(read.value, text, run, { name: 'live', files: [] }).text : null
})
