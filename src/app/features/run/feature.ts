import type { Feature } from '../types'
import { kernelChecksPart } from './kernels'
import { RunPanel } from './RunPanel'

export const runFeature: Feature = {
  panel: { id: 'run', label: 'Run', title: 'Run on the GPU', key: 'R', Component: RunPanel },
  sessionPart: kernelChecksPart,
}
