import type { Feature } from '../types'
import { COMPARE_COMMANDS, compareWithCommands } from './commands'

export const compareFeature: Feature = { commands: COMPARE_COMMANDS, dynamicCommands: compareWithCommands }
