/** Two values' metadata side by side. Silence where either side does not say. */
import { formatVal, type Device, type Dim, type TensorMeta, type Val } from '../../fx'
import { subDims } from '../../ops/sym'

/** What differs, and both sides in the words of print_readable. */
export interface Difference {
  what: 'dtype' | 'shape' | 'stride' | 'device' | 'kind'
  was: string
  is: string
}

/** The first difference that is certain, or null. */
export function difference(was: Val | null | undefined, is: Val | null | undefined): Difference | null {
  if (!was || !is) return null
  if (was.kind === 'tensor' && is.kind === 'tensor') return tensorDifference(was, is)
  if (was.kind === 'vals' && is.kind === 'vals') {
    if (was.items.length !== is.items.length)
      return { what: 'kind', was: `${was.items.length} values`, is: `${is.items.length} values` }
    for (const [i, item] of was.items.entries()) {
      const found = difference(item, is.items[i])
      if (found) return found
    }
    return null
  }
  if (was.kind === is.kind || was.kind === 'scalar' || is.kind === 'scalar') return null
  return {
    what: 'kind',
    was: was.kind === 'vals' ? 'several values' : formatVal(was),
    is: is.kind === 'vals' ? 'several values' : formatVal(is),
  }
}

function tensorDifference(was: TensorMeta, is: TensorMeta): Difference | null {
  const plain = (what: Difference['what']): Difference => ({ what, was: formatVal(was), is: formatVal(is) })
  if (was.dtype !== is.dtype) return plain('dtype')
  if (was.shape.length !== is.shape.length || was.shape.some((d, i) => differ(d, is.shape[i]!))) return plain('shape')
  if (was.device && is.device && otherDevice(was.device, is.device)) {
    const format = { device: true }
    return { what: 'device', was: formatVal(was, format), is: formatVal(is, format) }
  }
  if (was.stride && is.stride && strideMatters(was, is)) {
    const format = { stride: true }
    return { what: 'stride', was: formatVal(was, format), is: formatVal(is, format) }
  }
  return null
}

/** A dimension of size 1 is never stepped along, and nothing is in an empty tensor. */
function strideMatters(was: TensorMeta, is: TensorMeta): boolean {
  if (was.shape.includes(0)) return false
  return was.shape.some((size, i) => size !== 1 && differ(was.stride![i]!, is.stride![i]!))
}

/** `cuda` stands for whichever is current. */
const otherDevice = (a: Device, b: Device): boolean =>
  a.type !== b.type || (a.index !== null && b.index !== null && a.index !== b.index)

/** Symbols that data decides (`u0`) may be any number; a quotient or a maximum may come out alike. */
const UNDECIDED = /\bu\d|\/\/|\bM\w+\(/

/** The two are different numbers, or different expressions that nothing makes equal. */
function differ(a: Dim, b: Dim): boolean {
  if (a === b) return false
  if (typeof a === 'number' && typeof b === 'number') return true
  if (UNDECIDED.test(String(a)) || UNDECIDED.test(String(b))) return false
  return subDims(a, b) !== 0
}
