/** Failures that users reported in public threads, as small workspaces with the same fault (conformance/reported). */
import { create } from 'zustand'
import { DEFAULT_ENVIRONMENT, type Environment, type Workspace } from '../../../workspace/types'
import { messageOf } from '../../../base/error_message'
import { openOwn } from '../../session/open_workspace'
import { closeOverlay, toast, toastUndo } from '../../session/view_store'
import { EMPTY_WORKSPACE } from '../../session/workspace_store'
import { siteJson } from '../../site_files'

/** One line of public/reported.json. */
export interface ReportedFailure {
  id: string
  /** The repository and the number of the thread. */
  thread: string
  /** What the user saw. */
  symptom: string
  /** The cause that the thread found. */
  truth: string
  /** Settings that differ from the default environment. */
  environment?: Partial<Environment>
  /** print_readable of the graph. */
  graph: string
  pattern: string
}

export const useReported = create<{ list: readonly ReportedFailure[] }>(() => ({ list: [] }))

/** Called when the gallery opens: nothing else needs the list. */
export async function loadReported(): Promise<void> {
  if (useReported.getState().list.length > 0) return
  try {
    useReported.setState({ list: await siteJson<ReportedFailure[]>('reported.json') })
  } catch (e) {
    toast(`The reported failures could not be loaded: ${messageOf(e)}`, { tone: 'bad' })
  }
}

/** The failures that contain every word of the query. */
export function reportedWith(list: readonly ReportedFailure[], query: string): ReportedFailure[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return list.filter(({ id, thread, symptom, truth }) => {
    const text = `reported failure ${id} ${thread} ${symptom} ${truth}`.toLowerCase()
    return words.every((w) => text.includes(w))
  })
}

export const workspaceOfReported = ({ id, graph, pattern, environment }: ReportedFailure): Workspace => ({
  ...EMPTY_WORKSPACE,
  name: id,
  graph: { name: 'graph.py', text: graph },
  files: [{ name: 'patterns.py', text: pattern }],
  ...(environment && { environment: { ...DEFAULT_ENVIRONMENT, ...environment } }),
})

export function openReported(failure: ReportedFailure): void {
  closeOverlay()
  const undo = openOwn({ workspace: workspaceOfReported(failure), openFile: 'patterns.py' })
  toastUndo(`${failure.thread}: ${failure.truth}.`, undo)
}
