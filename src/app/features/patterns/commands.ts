/** Commands of the Patterns panel. */
import type { Command } from '../../commands/types'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { usePatterns } from './store'

export const PATTERNS_COMMANDS: readonly Command[] = [
  {
    id: 'explain-pattern',
    title: 'Explain the selected pattern, expression by expression',
    group: 'Panels',
    keys: ['Shift+X'],
    enabled: () => (useRun.getState().result.value?.tree.length ?? 0) > 0,
    run: () => {
      usePatterns.setState({ show: 'explain' })
      useView.getState().setPanel('patterns')
    },
  },
]
