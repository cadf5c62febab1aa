/** The Pipeline panel and its actions. Its arrow keys are the list's own. */
import { inGroup } from '../../commands/types'
import { lastStage, pipelinePart, showStage, stepStage, undoPasses } from '../../on_screen/stage/stage_requests'
import { usePipeline } from '../../on_screen/stage/store'
import { useView } from '../../session/view_store'
import type { Feature } from '../types'
import { PipelinePanel } from './PipelinePanel'

const shown = (): number | null => useView.getState().stage

export const pipelineFeature: Feature = {
  panel: {
    id: 'pipeline',
    label: 'Pipeline',
    title: 'Pipeline: passes in order, and the graph after each',
    key: 'G',
    Component: PipelinePanel,
  },
  commands: [
    ...inGroup('Graph', [
      {
        id: 'stage-next',
        title: 'Show the graph after the next stage',
        keys: ['.'],
        enabled: () => lastStage() > 0 && (shown() ?? -1) < lastStage(),
        run: () => stepStage(1),
      },
      {
        id: 'stage-previous',
        title: 'Show the graph after the previous stage',
        keys: [','],
        enabled: () => lastStage() > 0 && shown() !== 0,
        run: () => stepStage(-1),
      },
      {
        id: 'stage-beside',
        title: 'Show the graphs before and after the pass side by side',
        enabled: () => (shown() ?? 0) > 0,
        run: () => usePipeline.setState((s) => ({ beside: !s.beside })),
      },
      {
        id: 'stage-leave',
        title: 'Close the graph between the passes',
        enabled: () => shown() !== null,
        run: () => void showStage(null),
      },
    ]),
    {
      id: 'passes-undo',
      title: 'Undo the last change of the pipeline',
      group: 'Run',
      enabled: () => usePipeline.getState().undo.length > 0,
      run: undoPasses,
    },
  ],
  sessionPart: pipelinePart,
}
