export { GraphCanvas } from './GraphCanvas'
export type { CanvasGroup, Framing, GraphCanvasHandle, GraphCanvasProps, Direction, Mark } from './types'
