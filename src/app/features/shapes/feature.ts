import type { Feature } from '../types'
import { SHAPES_COMMANDS } from './commands'

export const shapesFeature: Feature = { commands: SHAPES_COMMANDS }
