import type { Feature } from '../types'
import { openStepsPanel, STEP_COMMANDS } from './commands'
import { stepsPart } from '../../on_screen/steps/timeline_requests'
import { StepsPanel } from './StepsPanel'

export const stepsFeature: Feature = {
  panel: {
    id: 'steps',
    label: 'Steps',
    title: 'Steps: step through a match',
    key: 'S',
    open: openStepsPanel,
    transient: true,
    Component: StepsPanel,
  },
  commands: STEP_COMMANDS,
  sessionPart: stepsPart,
}
