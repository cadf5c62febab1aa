import type { Feature } from '../types'
import { EDITOR_COMMANDS } from './commands'

export const editorFeature: Feature = { commands: EDITOR_COMMANDS }
