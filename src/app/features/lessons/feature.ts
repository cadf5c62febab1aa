import type { Feature } from '../types'
import { LESSON_COMMANDS } from './commands'

export const lessonsFeature: Feature = { commands: LESSON_COMMANDS }
