/**
 * Messages between the page that frames this one and this page; docs/api.md documents them. Only the parent window is heard,
 * and after its first call only under the origin of that call.
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
  /** The origin of the first call; later calls of another are not heard. */
  let origin: string | null = null
  const post = (message: object, to: string): void => parent.postMessage({ fusescope: VERSION, ...message }, to)
  addEventListener('message', (event) => {
    const { data, source } = event as MessageEvent<{ fusescope?: unknown; id?: unknown } | null>
    if (source !== parent || typeof data !== 'object' || data?.fusescope !== VERSION) return
    // A page in a sandbox has no origin that an answer could name.
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
  // It says only that calls are heard, so it may go to any origin.
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

/** The result on screen, once the graph is read; null: nothing is open. */
async function opened(): Promise<{ name: string; selection: unknown; summary: ReportSummary | null }> {
  await untilRun((s) => !s.running)
  const { value: report, sent: summary } = useRun.getState().result
  const { name } = useWorkspace.getState().workspace
  return { name, selection: useView.getState().selection, summary: summary ?? (report && summaryOf(report)) }
}
