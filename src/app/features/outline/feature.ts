import type { Feature } from '../types'
import { OUTLINE_COMMANDS } from './commands'
import { drawAhead } from './folded'
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
    onLargeGraph: (graph) => drawAhead(graph, null),
    onLargeReport: (report) => drawAhead(report.graph, report),
  }),
}
