import type { Feature } from '../types'
import { EXAMPLE_COMMANDS, exampleCommands } from './commands'

export const galleryFeature: Feature = { commands: EXAMPLE_COMMANDS, dynamicCommands: exampleCommands }
