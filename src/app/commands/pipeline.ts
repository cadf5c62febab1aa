/** The Pipeline panel's actions. Its arrow keys are the list's own. */
import { actingStages } from '../model/pipeline'
import { showStage, stepStage, undoPasses } from '../live/pipeline'
import { usePipeline } from '../stores/pipeline'
import { useRun } from '../stores/run'
import { useView } from '../stores/view'
import { useWorkspace } from '../stores/workspace'
import type { Command } from './commands'

const stages = (): number => {
  const pipeline = useRun.getState().report?.pipeline
  return pipeline ? actingStages(pipeline).length : 0
}
const shown = (): number | null => useView.getState().stage

export const PIPELINE_COMMANDS: readonly Command[] = [
  {
    id: 'panel-pipeline',
    title: 'Pipeline: passes in order, and the graph after each',
    group: 'Panels',
    keys: ['G'],
    run: () => useView.getState().setPanel('pipeline'),
  },
  {
    id: 'stage-next',
    title: 'Show the graph one pass on',
    group: 'Graph',
    keys: ['.'],
    enabled: () => stages() > 0 && (shown() ?? -1) < stages(),
    run: () => stepStage(1),
  },
  {
    id: 'stage-previous',
    title: 'Show the graph one pass back',
    group: 'Graph',
    keys: [','],
    enabled: () => stages() > 0 && shown() !== 0,
    run: () => stepStage(-1),
  },
  {
    id: 'stage-beside',
    title: 'Show the graph before the pass beside the one after it',
    group: 'Graph',
    enabled: () => (shown() ?? 0) > 0,
    run: () => usePipeline.setState((s) => ({ beside: !s.beside })),
  },
  {
    id: 'stage-leave',
    title: 'Leave the graph between the passes',
    group: 'Graph',
    enabled: () => shown() !== null,
    run: () => void showStage(null),
  },
  {
    id: 'passes-undo',
    title: 'Undo the last change of the pipeline',
    group: 'Run',
    enabled: () => usePipeline.getState().undo.at(-1)?.origin === useWorkspace.getState().origin,
    run: undoPasses,
  },
]
