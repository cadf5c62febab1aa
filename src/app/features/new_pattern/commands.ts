/** Commands that pick nodes and make a pattern of them. */
import type { Command } from '../../commands/types'
import { useView } from '../../session/view_store'
import { selectedNodes, setPicked } from '../../on_screen/picked/picking'
import { useNewPattern } from '../../on_screen/picked/store'

const hasNodes = (): boolean => useNewPattern.getState().picked.length > 0 || selectedNodes().length > 0

const MAKE_PATTERN: Command = {
  id: 'pattern-from-selection',
  title: 'Make a pattern from the selected nodes',
  group: 'Graph',
  keys: ['Q'],
  enabled: hasNodes,
  run() {
    if (useNewPattern.getState().picked.length === 0) setPicked(selectedNodes())
    useView.getState().setOverlay('pattern')
  },
}

export const NEW_PATTERN_COMMANDS: readonly Command[] = [MAKE_PATTERN]
