import type { Feature } from '../types'
import { PASTE_OUTPUT } from './commands'

export const pasteOutputFeature: Feature = { commands: [PASTE_OUTPUT] }
