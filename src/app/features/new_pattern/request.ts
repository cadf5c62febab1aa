/** Asks the engine for the pattern of the picked nodes, and adds it to the workspace. */
import { messageOf } from '../../../base/error_message'
import { isOwnText } from '../../../workspace/code_origin'
import { graphsOf } from '../../../workspace/graphs'
import type { TextFile, Workspace } from '../../../workspace/types'
import { freeName, namesOf, useWorkspace } from '../../session/workspace_store'
import { runEnded, untilRun, useRun } from '../../session/run_store'
import { engine } from '../../session/runner'
import { currentSession } from '../../session/session'
import { closeOverlay, toast, useView, toastUndo } from '../../session/view_store'
import { useNewPattern } from '../../on_screen/picked/store'

/** Makes the pattern with the options in the store; a newer request replaces an older one. */
export async function requestPattern(): Promise<void> {
  const signal = currentSession().only('pattern')
  const { picked, name, form, parameters } = useNewPattern.getState()
  useNewPattern.setState({ waiting: true })
  try {
    await runEnded()
    const { workspace, foreign } = useWorkspace.getState()
    const from = { ...workspace, files: foreign === null ? ownFiles(workspace) : [] }
    const options = { ...(name !== null && { name }), ...(form !== null && { form }), parameters }
    const answer = await (await engine()).pattern(from, picked, options, signal)
    if (!signal.aborted) useNewPattern.setState({ answer, waiting: false })
  } catch (e) {
    if (signal.aborted) return
    useNewPattern.setState({ waiting: false })
    toast(messageOf(e), { tone: 'bad' })
  }
}

/**
 * Operators that these files name are called. The sender of a link or of a recording chose both its files and its graph, so they do
 * not count, except in a recording of the page's own process.
 */
function ownFiles(workspace: Workspace): TextFile[] {
  const recorded = workspace.capture || graphsOf(workspace).some((g) => g.capture)
  return recorded ? workspace.files.filter(isOwnText) : workspace.files
}

/** Adds the pattern as a file of its own, and selects it once it has run, which highlights its matches. */
export async function addToWorkspace(name: string, python: string): Promise<void> {
  const { workspace, openFile, putFiles } = useWorkspace.getState()
  const file = freeName(`${name}.py`, namesOf(workspace))
  putFiles([{ name: file, text: python }])
  const { version } = useWorkspace.getState()
  closeOverlay()
  toastUndo(`${file} added.`, () => useWorkspace.getState().restoreFiles([...workspace.files], openFile))
  useNewPattern.setState(useNewPattern.getInitialState())
  const { signal } = currentSession()
  await untilRun((s) => !s.running && (s.result.version === version || s.outcome.value.failure !== null))
  if (!signal.aborted) selectPatternOf(file)
}

function selectPatternOf(file: string): void {
  for (const pass of useRun.getState().result.value?.passes ?? []) {
    const entry = pass.entries.find((e) => e.source?.file.split('/').at(-1) === file)
    if (entry) return useView.getState().select({ kind: 'entry', pass: pass.name, index: entry.index })
  }
}
