import type { Feature } from '../types'
import { PatternsPanel } from './PatternsPanel'

export const patternsFeature: Feature = {
  panel: {
    id: 'patterns',
    label: 'Patterns',
    title: 'Patterns: the registration tree',
    key: 'P',
    Component: PatternsPanel,
  },
}
