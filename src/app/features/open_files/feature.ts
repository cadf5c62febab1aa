import type { Feature } from '../types'
import { OPEN_FILES_COMMANDS } from './commands'

export const openFilesFeature: Feature = { commands: OPEN_FILES_COMMANDS }
