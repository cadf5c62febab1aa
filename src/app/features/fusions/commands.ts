/** The command that runs the gallery's patterns on the shown graph. */
import type { Command } from '../../commands/types'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'

export const FIND_FUSIONS: Command = {
  id: 'fusions',
  title: 'What can be fused here: run the gallery’s patterns on this graph',
  group: 'Graph',
  enabled: () => (useRun.getState().graphRead.value?.nodes.length ?? 0) > 0,
  run: () => useView.getState().setOverlay('fusions'),
}
