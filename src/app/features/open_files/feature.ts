import type { Feature } from '../types'
import { OPEN_FILES_COMMANDS } from './commands'
import { diffPart } from './diff'

export const openFilesFeature: Feature = { commands: OPEN_FILES_COMMANDS, sessionPart: diffPart }
