import type { Feature } from '../types'
import { NEW_WORKSPACE_COMMANDS } from './commands'

export const newWorkspaceFeature: Feature = { commands: NEW_WORKSPACE_COMMANDS }
