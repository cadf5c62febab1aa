export { GraphCanvas } from './GraphCanvas'
export type { CanvasGroup, GraphCanvasHandle, GraphCanvasProps, Direction, Mark } from './types'
