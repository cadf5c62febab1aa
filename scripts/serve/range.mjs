// @ts-check
/** The part of a file that a Range header asks for (RFC 9110, section 14). */

/**
 * @param {string | undefined} header
 * @param {number} size of the file, in bytes
 * @returns {{ start: number, end: number } | 'all' | 'none'} the first and the last byte; `all`: no header, or one that may
 * be ignored (several ranges, another unit); `none`: a range outside of the file
 */
export function rangeOf(header, size) {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header?.replace(/\s+/g, '') ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return 'all'
  const [, first, last] = found
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'all'
  return start >= size ? 'none' : { start, end }
}
