import type { Feature } from '../types'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { usePatterns } from './store'
import { PatternsPanel } from './PatternsPanel'

export const patternsFeature: Feature = {
  panel: {
    id: 'patterns',
    label: 'Patterns',
    title: 'Patterns: the registration tree',
    key: 'P',
    Component: PatternsPanel,
  },
  commands: [
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
  ],
}
