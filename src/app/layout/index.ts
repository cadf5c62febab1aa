export { layoutGraph } from './layout'
export { toLayoutInput, NODE_WIDTH, NODE_HEIGHT, COMPACT_HEIGHT } from './input'
export { createLayoutClient, type LayoutClient } from './client'
export * from './types'
