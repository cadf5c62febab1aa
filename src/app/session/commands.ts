/** Commands that run and stop the analysis. */
import { inGroup } from '../commands/types'
import { isHeld, useRun } from './run_store'
import { giveConsent } from './consent'
import { run, stopRun } from './runner'

export const SESSION_COMMANDS = inGroup('Run', [
  {
    id: 'rerun',
    title: 'Run the Python and the passes again',
    keys: ['Mod+Enter'],
    anywhere: true,
    run: () => (isHeld(useRun.getState()) ? giveConsent() : void run()),
  },
  {
    id: 'stop',
    title: 'Stop the run',
    keys: ['Mod+.'],
    anywhere: true,
    enabled: () => useRun.getState().running !== null,
    run: stopRun,
  },
])
