/** The Pipeline panel's actions. Its arrow keys are the list's own. */
import { lastStage, showStage, stepStage, undoPasses } from '../../on_screen/stage/stage_requests'
import { usePipeline } from '../../on_screen/stage/store'
import { useView } from '../../session/view_store'
import type { Command } from '../../commands/types'

const shown = (): number | null => useView.getState().stage

export const STAGE_NEXT: Command = {
  id: 'stage-next',
  title: 'Show the graph after the next stage',
  group: 'Graph',
  keys: ['.'],
  enabled: () => lastStage() > 0 && (shown() ?? -1) < lastStage(),
  run: () => stepStage(1),
}

export const STAGE_PREVIOUS: Command = {
  id: 'stage-previous',
  title: 'Show the graph after the previous stage',
  group: 'Graph',
  keys: [','],
  enabled: () => lastStage() > 0 && shown() !== 0,
  run: () => stepStage(-1),
}

export const PIPELINE_COMMANDS: readonly Command[] = [
  STAGE_NEXT,
  STAGE_PREVIOUS,
  {
    id: 'stage-beside',
    title: 'Show the graphs before and after the pass side by side',
    group: 'Graph',
    enabled: () => (shown() ?? 0) > 0,
    run: () => usePipeline.setState((s) => ({ beside: !s.beside })),
  },
  {
    id: 'stage-leave',
    title: 'Close the graph between the passes',
    group: 'Graph',
    enabled: () => shown() !== null,
    run: () => void showStage(null),
  },
  {
    id: 'passes-undo',
    title: 'Undo the last change of the pipeline',
    group: 'Run',
    enabled: () => usePipeline.getState().undo.length > 0,
    run: undoPasses,
  },
]
