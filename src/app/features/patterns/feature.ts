import type { Feature } from '../types'
import { PATTERNS_COMMANDS } from './commands'
import { PatternsPanel } from './PatternsPanel'

export const patternsFeature: Feature = {
  panel: {
    id: 'patterns',
    label: 'Patterns',
    title: 'Patterns: the registration tree',
    key: 'P',
    Component: PatternsPanel,
  },
  commands: PATTERNS_COMMANDS,
}
