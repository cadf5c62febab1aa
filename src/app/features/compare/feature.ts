import type { Feature } from '../types'
import { COMPARE_COMMANDS, compareWithCommands } from './commands'
import { comparePart } from '../../on_screen/compare/requests'

export const compareFeature: Feature = {
  commands: COMPARE_COMMANDS,
  dynamicCommands: compareWithCommands,
  sessionPart: comparePart,
}
