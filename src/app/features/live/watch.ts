/** Asks the process for news while it lives, and opens the first graph that it compiles. */
import { openRun, readChoice } from '../../files/open_capture'
import { askRun } from '../../files/question'
import { newOrigin, useWorkspace } from '../../session/workspace_store'
import { toast } from '../../session/view_store'
import { markOwnText } from '../../../workspace/code_origin'
import { messageOf } from '../../../base/error_message'
import { askProcess, hasProcess, NotAllowed, rememberFromProcess, takeToken, type ProcessState } from './process'
import { useProcess } from './store'

/** A failed request is repeated after this time, in ms, up to TRIES times. */
const AGAIN_MS = 1000
const TRIES = 5
/** Passes follow one another: the first graph opens once none has been recorded for this time, in ms. */
const QUIET_MS = 800

/** Starts if the page's address names a process, or did so before a reload. @returns true if a graph of the process was opened */
export async function startLive(): Promise<boolean> {
  const fresh = takeToken()
  if (!hasProcess()) return false
  const { version } = useWorkspace.getState()
  const first = await news(-1)
  if (first === null) return false
  const opened = fresh && first.runs.length > 0 && useWorkspace.getState().version === version && (await openGraph())
  void watch(first.version, fresh && !opened)
  return opened
}

/** @param open true to open the first graph that arrives */
async function watch(after: number, open: boolean): Promise<void> {
  let wanted = open
  let timer: ReturnType<typeof setTimeout> | undefined
  for (let state = await news(after); state !== null; state = await news(state.version)) {
    if (!wanted || state.runs.length === 0) continue
    clearTimeout(timer)
    timer = setTimeout(() => {
      wanted = false
      void openGraph()
    }, QUIET_MS)
  }
}

/** The state of the process after news; null if it has ended. */
async function news(after: number): Promise<ProcessState | null> {
  for (let tries = 0; tries < TRIES; tries++)
    try {
      const state = await askProcess<ProcessState>('state', { after })
      useProcess.setState({ state, ended: false })
      return state
    } catch (e) {
      if (e instanceof NotAllowed) break
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  useProcess.setState({ ended: true })
  return null
}

/** Opens a graph of the process as a workspace; asks which one if there are several. @returns false if none was opened */
export async function openGraph(): Promise<boolean> {
  const { state } = useProcess.getState()
  try {
    const { text, error } = await askProcess<{ text?: string; error?: string }>('recording', {})
    if (text === undefined) throw new Error(error ?? 'The process sent no recording.')
    const choice = readChoice(text, `${state?.program ?? 'live'}.fusescope`)
    const run = choice && (await askRun(choice))
    if (choice === null || run === null) return false
    const origin = newOrigin()
    rememberFromProcess(origin)
    openRun(choice, run, { origin, foreign: null })
    // Texts that reach this workspace in other ways do not come from the process, whatever their name.
    useWorkspace.getState().workspace.files.forEach(markOwnText)
    return true
  } catch (e) {
    toast(messageOf(e), { tone: 'bad' })
    return false
  }
}
