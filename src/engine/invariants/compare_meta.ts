/** Compares the metadata of two values. A property that either side lacks counts as equal. */
import { formatVal, type Device, type Dim, type TensorMeta, type Val } from '../../fx'
import { subDims } from '../../ops/sym'

/** A difference, with both sides as print_readable writes them. */
export interface Difference {
  what: 'dtype' | 'shape' | 'stride' | 'device' | 'kind'
  was: string
  is: string
}

/** The first certain difference, or null. */
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

/** The stride of a dimension of size 1 is never used, and an empty tensor has no elements. */
function strideMatters(was: TensorMeta, is: TensorMeta): boolean {
  if (was.shape.includes(0)) return false
  return was.shape.some((size, i) => size !== 1 && differ(was.stride![i]!, is.stride![i]!))
}

/** `cuda` means the current device. */
const otherDevice = (a: Device, b: Device): boolean =>
  a.type !== b.type || (a.index !== null && b.index !== null && a.index !== b.index)

/** A data-dependent symbol (`u0`) may be any number; a quotient or a maximum may be equal by value. */
const UNDECIDED = /\bu\d|\/\/|\bM\w+\(/

/** True for two different numbers, or for two expressions that cannot be equal. */
function differ(a: Dim, b: Dim): boolean {
  if (a === b) return false
  if (typeof a === 'number' && typeof b === 'number') return true
  if (UNDECIDED.test(String(a)) || UNDECIDED.test(String(b))) return false
  return subDims(a, b) !== 0
}
