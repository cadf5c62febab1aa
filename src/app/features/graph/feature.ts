import type { Feature } from '../types'
import { GRAPH_COMMANDS } from './commands'

export const graphFeature: Feature = { commands: GRAPH_COMMANDS }
