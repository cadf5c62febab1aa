// @ts-check
/** The compressed forms of a file that the build has made (scripts/compress.mjs). */
import { lstatSync } from 'node:fs'

/** Content encodings with the ending of their files, the best first. */
const ENCODINGS = /** @type {const} */ ([
  ['br', '.br'],
  ['gzip', '.gz'],
])

/** @param {string} file */
function exists(file) {
  try {
    return lstatSync(file).isFile()
  } catch {
    return false
  }
}

/** True if the header accepts the encoding (RFC 9110, section 12.5.3). @param {string} header @param {string} name */
const accepts = (header, name) =>
  header.split(',').some((part) => {
    const [coding, ...weights] = part.split(';').map((p) => p.trim().toLowerCase())
    return coding === name && !weights.some((w) => /^q=0(?:\.0*)?$/.test(w))
  })

/**
 * @param {string} file
 * @param {string} header Accept-Encoding
 * @returns {{ file: string, headers: Record<string, string> }} the file to send
 */
export function encodingOf(file, header) {
  const made = ENCODINGS.filter(([, ending]) => exists(file + ending))
  if (made.length === 0) return { file, headers: {} }
  const vary = { vary: 'accept-encoding' }
  const best = made.find(([name]) => accepts(header, name))
  return best ? { file: file + best[1], headers: { ...vary, 'content-encoding': best[0] } } : { file, headers: vary }
}
