import type { Feature } from '../types'
import { NEW_PATTERN_COMMANDS } from './commands'

export const newPatternFeature: Feature = { commands: NEW_PATTERN_COMMANDS }
