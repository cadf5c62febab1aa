/** The command that opens the table of inputs. */
import type { Command } from '../../commands/types'
import { useRun } from '../../session/run_store'
import { openShapes } from './store'

export const SHAPES_COMMANDS: readonly Command[] = [
  {
    id: 'shapes',
    title: 'Give shapes to the inputs of the graph',
    group: 'Graph',
    keys: ['D'],
    enabled: () => useRun.getState().result.value?.shapes !== undefined,
    run: openShapes,
  },
]
