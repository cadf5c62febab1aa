import type { Feature } from '../types'
import { NodePanel } from './NodePanel'

export const nodeFeature: Feature = {
  panel: {
    id: 'inspector',
    label: 'Node',
    title: 'Node: details of the selected node',
    key: 'I',
    showsSelection: true,
    transient: true,
    Component: NodePanel,
  },
}
