/** Commands that run and stop the analysis. */
import type { Command } from '../commands/types'
import { isHeld, useRun } from './run_store'
import { giveConsent } from './consent'
import { run, stopRun } from './runner'

export const SESSION_COMMANDS: readonly Command[] = [
  {
    id: 'rerun',
    title: 'Run the Python and the passes again',
    group: 'Run',
    keys: ['Mod+Enter'],
    anywhere: true,
    run: () => (isHeld(useRun.getState()) ? giveConsent() : void run()),
  },
  {
    id: 'stop',
    title: 'Stop the run',
    group: 'Run',
    keys: ['Mod+.'],
    anywhere: true,
    enabled: () => useRun.getState().running !== null,
    run: stopRun,
  },
]
