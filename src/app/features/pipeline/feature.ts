import type { Feature } from '../types'
import { PIPELINE_COMMANDS } from './commands'
import { pipelinePart } from '../../on_screen/stage/stage_requests'
import { PipelinePanel } from './PipelinePanel'

export const pipelineFeature: Feature = {
  panel: {
    id: 'pipeline',
    label: 'Pipeline',
    title: 'Pipeline: passes in order, and the graph after each',
    key: 'G',
    Component: PipelinePanel,
  },
  commands: PIPELINE_COMMANDS,
  sessionPart: pipelinePart,
}
