import type { Feature } from '../types'
import { MY_PATTERNS_COMMANDS } from './commands'

export const myPatternsFeature: Feature = { commands: MY_PATTERNS_COMMANDS }
