import type { Feature } from '../types'
import { OUTLINE_COMMANDS } from './commands'
import { drawingSteps } from '../../on_screen/fold/folded'
import { OutlinePanel } from './OutlinePanel'

export const outlineFeature: Feature = {
  panel: {
    id: 'outline',
    label: 'Outline',
    title: 'Outline: what repeats in the graph, and where it differs',
    key: 'Shift+O',
    Component: OutlinePanel,
  },
  commands: OUTLINE_COMMANDS,
  sessionPart: () => ({
    onLargeGraph: (graph) => drawingSteps(graph, null),
    onLargeReport: (report) => drawingSteps(report.graph, report),
  }),
}
