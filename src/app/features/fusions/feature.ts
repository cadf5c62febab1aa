import type { Feature } from '../types'
import { FIND_FUSIONS } from './commands'

export const fusionsFeature: Feature = { commands: [FIND_FUSIONS] }
