/** Lowers the shown graph to the operators that traced patterns hold, as another graph of the workspace. */
import { messageOf } from '../../../base/error_message'
import type { Command } from '../../commands/types'
import { runEnded, useRun } from '../../session/run_store'
import { engine } from '../../session/runner'
import { currentSession } from '../../session/session'
import { toast, useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'

export const LOWER: Command = {
  id: 'graph-lower',
  title: 'Lower the graph to the operators that traced patterns hold',
  group: 'Graph',
  enabled: () => useRun.getState().report !== null && useRun.getState().summary === null,
  run: () => void lowerShownGraph(),
}

async function lowerShownGraph(): Promise<void> {
  const signal = currentSession().only('lower')
  const { workspace, openFile, version } = useWorkspace.getState()
  const { select } = useView.getState()
  try {
    await runEnded()
    const text = await (await engine()).lower()
    // An edit or another workspace in the meantime: the text belongs to neither.
    if (signal.aborted || useWorkspace.getState().version !== version) return
    const [name] = useWorkspace.getState().addGraphs([{ name: loweredName(workspace.graph.name), text }])
    select(null)
    toast(`${name} added: the graph as fwd_only traces it.`, {
      action: { label: 'Undo', run: () => useWorkspace.getState().restoreGraphs(workspace, openFile) },
    })
  } catch (e) {
    if (!signal.aborted) toast(messageOf(e), { tone: 'bad' })
  }
}

/** `dump.py` → `dump.lowered.py`. */
const loweredName = (name: string): string => name.replace(/(\.[^.]*)?$/, '.lowered$1')
