/** The key of a graph's texts. */
import { sha256 } from '../../base/sha256'
import type { GraphFile } from '../../workspace/types'

/** Equal keys mean equal texts. */
export const graphKey = ({ text, shapes, inputShapes }: GraphFile): string =>
  sha256([text, shapes?.text ?? '', ...(inputShapes ? [JSON.stringify(inputShapes)] : [])].join('\u0000'))
