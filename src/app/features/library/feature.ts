import type { Feature } from '../types'
import { LIBRARY_COMMANDS } from './commands'

export const libraryFeature: Feature = { commands: LIBRARY_COMMANDS }
