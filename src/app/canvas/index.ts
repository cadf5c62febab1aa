export { GraphCanvas } from './GraphCanvas'
export type { Picture } from './picture/types'
export type { PicturePart } from './types'
export type { CanvasGroup, GroupKind, Framing, GraphCanvasHandle, GraphCanvasProps, Mark } from './types'
