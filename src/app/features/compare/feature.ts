/** Commands that compare two graphs of the workspace: one for each other graph. */
import { inGroup } from '../../commands/types'
import { pythonHasRun } from '../../session/run_store'
import { closeComparison, comparePart, compareWith, otherGraphs } from '../../on_screen/compare/requests'
import { useCompare } from '../../on_screen/compare/store'
import type { Feature } from '../types'

const canCompare = (): boolean => pythonHasRun() && otherGraphs().length > 0

export const compareFeature: Feature = {
  commands: inGroup('Graph', [
    {
      id: 'compare',
      title: 'Compare with the next graph of the workspace',
      enabled: canCompare,
      run: () => void compareWith(otherGraphs()[0]!),
    },
    {
      id: 'compare-close',
      title: 'Close the comparison',
      enabled: () => useCompare.getState().compared.value !== null,
      run: closeComparison,
    },
  ]),
  dynamicCommands: () =>
    inGroup(
      'Graph',
      otherGraphs().map((name) => ({
        id: `compare:${name}`,
        title: `Compare with ${name}`,
        enabled: canCompare,
        run: () => void compareWith(name),
      })),
    ),
  sessionPart: comparePart,
}
