/** PyTorch's pattern matcher log: parseDebugOutput reads it, locate places it on a graph. */
export { locate, type DebugGraph, type DebugPass } from './locate'
export { parseDebugOutput } from './parse'
export type { DebugKind, DebugLine, LocatedDebugLine } from './types'
