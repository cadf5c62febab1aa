/** Commands that compare two graphs of the workspace: one for each other graph. */
import type { Command } from '../../commands/types'
import { pythonHasRun } from '../../session/run_store'
import { closeComparison, compareWith, otherGraphs } from '../../on_screen/compare/requests'
import { useCompare } from '../../on_screen/compare/store'

const canCompare = (): boolean => pythonHasRun() && otherGraphs().length > 0

export const COMPARE_COMMANDS: readonly Command[] = [
  {
    id: 'compare',
    title: 'Compare with the next graph of the workspace',
    group: 'Graph',
    enabled: canCompare,
    run: () => void compareWith(otherGraphs()[0]!),
  },
  {
    id: 'compare-close',
    title: 'Close the comparison',
    group: 'Graph',
    enabled: () => useCompare.getState().compared.value !== null,
    run: closeComparison,
  },
]

export const compareWithCommands = (): Command[] =>
  otherGraphs().map((name) => ({
    id: `compare:${name}`,
    title: `Compare with ${name}`,
    group: 'Graph',
    enabled: canCompare,
    run: () => void compareWith(name),
  }))
