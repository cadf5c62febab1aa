import type { Feature } from '../types'
import { SHARE_COMMANDS } from './commands'

export const shareFeature: Feature = { commands: SHARE_COMMANDS }
