import type { Feature } from '../types'
import { LOOK_COMMANDS } from './commands'

export const lookFeature: Feature = { commands: LOOK_COMMANDS }
