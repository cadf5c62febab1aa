/**
 * Messages between this page and the page that frames it; docs/api.md documents them. Only messages of the parent window count, and
 * after its first call only those from the same origin.
 */
import { messageOf } from '../../base/error_message'
import { embedCallSchema, type EmbedCall } from '../../workspace/embed_calls'
import { encodeSnapshot } from '../../workspace/link'
import type { ReportSummary } from '../../workspace/types'
import { untilRun, useRun } from '../session/run_store'
import { summaryOf } from '../session/summary'
import { useView } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import { openLink, openNamedExample, openNamedLesson } from './open'

/** Version of the messages. */
const VERSION = 1

export function startMessages(parent: Window = window.parent): void {
  if (parent === window) return
  /** The origin of the first call; calls from another origin are ignored. */
  let origin: string | null = null
  const post = (message: object, to: string): void => parent.postMessage({ fusescope: VERSION, ...message }, to)
  addEventListener('message', (event) => {
    const { data, source } = event as MessageEvent<{ fusescope?: unknown; id?: unknown } | null>
    if (source !== parent || typeof data !== 'object' || data?.fusescope !== VERSION) return
    // A sandboxed page has no origin to which an answer could be addressed.
    if (event.origin === 'null' || (origin !== null && event.origin !== origin)) return
    origin = event.origin
    const to = origin
    const { id } = data
    answer(data).then(
      (result) => post({ id, result }, to),
      (error: unknown) => post({ id, error: messageOf(error) }, to),
    )
  })
  useView.subscribe((now, before) => {
    if (now.selection !== before.selection && origin !== null)
      post({ event: 'selection', selection: now.selection }, origin)
  })
  // It only announces that calls are accepted, so it may go to any origin.
  post({ event: 'ready' }, '*')
}

/** @throws Error, one plain sentence */
async function answer(data: unknown): Promise<unknown> {
  const call = embedCallSchema.safeParse(data)
  if (!call.success)
    throw new Error('This is not a call: use open, open-example, open-lesson, open-workspace, select or report.')
  return act(call.data)
}

async function act(call: EmbedCall): Promise<unknown> {
  switch (call.call) {
    case 'open':
      if (!(await openLink(call.link))) throw new Error(lastToast() ?? 'This is not a link.')
      return opened()
    case 'open-example':
      if (!(await openNamedExample(call.example))) throw new Error('There is no such example.')
      return opened()
    case 'open-lesson':
      if (!(await openNamedLesson(call.lesson, call.step === undefined ? null : call.step - 1)))
        throw new Error('There is no such lesson.')
      return opened()
    case 'open-workspace': {
      const openFile = call.workspace.files[0]?.name ?? ''
      const view = { selection: null, mode: 'before', panel: 'matches', openFile } as const
      await openLink(await encodeSnapshot({ v: 1, workspace: call.workspace, view, summary: null }))
      return opened()
    }
    case 'select':
      useView.getState().select(call.selection)
      return null
    case 'report':
      return opened()
  }
}

const lastToast = (): string | undefined => useView.getState().toasts.at(-1)?.text

/** The result on screen once the graph is read; null while nothing is open. */
async function opened(): Promise<{ name: string; selection: unknown; summary: ReportSummary | null }> {
  await untilRun((s) => !s.running)
  const { value: report, sent: summary } = useRun.getState().result
  const { name } = useWorkspace.getState().workspace
  return { name, selection: useView.getState().selection, summary: summary ?? (report && summaryOf(report)) }
}
