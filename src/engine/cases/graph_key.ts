/** The key of a graph's texts. */
import { hashText } from '../../base/hash'
import type { GraphFile } from '../../workspace/types'

/** Equal keys mean equal texts. */
export const graphKey = ({ text, shapes, inputShapes }: GraphFile): string =>
  hashText([text, shapes?.text ?? '', ...(inputShapes ? [JSON.stringify(inputShapes)] : [])].join('\u0000'))
