/** Reads PyTorch's pattern matcher log: parseDebugOutput parses it, locate finds its graph nodes. */
export { locate, type DebugGraph, type DebugPass } from './locate'
export { parseDebugOutput } from './parse'
export type { DebugKind, DebugLine, LocatedDebugLine } from './types'
