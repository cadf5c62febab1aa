import type { Feature } from '../types'
import { RunPanel } from './RunPanel'

export const runFeature: Feature = {
  panel: { id: 'run', label: 'Run', title: 'Run on the GPU', key: 'R', Component: RunPanel },
}
