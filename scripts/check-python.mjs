// @ts-check
/**
 * Checks our Python files (src/python) with ruff: format, lint, and the annotations of our own public functions.
 *
 *   node scripts/check-python.mjs            every rule; exit status 1 if a rule has a fault
 *   node scripts/check-python.mjs --write    formats the files
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs'
import { readPython } from './arrows/sources.mjs'
import { root } from './lib.mjs'

/** Exported scripts have parts of these files: they run on the Python of any PyTorch. Lines are as wide as in the rest. */
const OPTIONS = {
  'line-length': 120,
  'target-version': 'py310',
  lint: { select: ['E4', 'E7', 'E9', 'F'] },
}

const SRC = join(root, 'src')

/** @typedef {import('./arrows/sources.mjs').Source} Source */

/** The files of one exported script name each other's functions. @param {string} file @param {string | null} code */
const isKnown = (file, code) => code === 'F821' && file.startsWith('python/lib/_fusescope/exported/')

/** @typedef {import('@astral-sh/ruff-wasm-nodejs').Diagnostic} Diagnostic */

/** @param {Workspace} ruff @param {Source} source @returns {Diagnostic[]} */
const diagnostics = (ruff, { text }) => ruff.check(text)

/** @param {Source} source @param {Diagnostic} found */
const faultOf = ({ file }, { code, message, start_location: { row } }) =>
  `src/${file}:${row}: ${code ?? 'syntax'}: ${message}`

/** @param {Workspace} ruff @param {Source} source @returns {string[]} */
const lintFaults = (ruff, source) =>
  diagnostics(ruff, source)
    .filter(({ code }) => !isKnown(source.file, code))
    .map((found) => faultOf(source, found))

/** Our own modules; the other packages have the signatures of the projects that they stand for, and scripts have `exported/`. */
const isOwn = (/** @type {string} */ file) => /^python\/lib\/_fusescope\/(?!exported\/)/.test(file)

/** Annotations of arguments and results. */
const ANNOTATIONS = {
  ...OPTIONS,
  lint: {
    select: ['ANN001', 'ANN002', 'ANN003', 'ANN201', 'ANN205', 'ANN206'],
    'flake8-annotations': { 'allow-star-arg-any': true },
  },
}

/**
 * Whether the definition at or above a line is one that other modules use: not in a function, and without a leading underscore, as
 * the classes around it.
 * @param {readonly string[]} lines @param {number} row from 1
 */
function isPublic(lines, row) {
  let indent = Infinity
  for (let at = row - 1; at >= 0; at--) {
    const [, space = '', kind, name = ''] = /^( *)(?:async )?(def|class) (\w+)/.exec(lines[at] ?? '') ?? []
    if (!kind || space.length >= indent) continue
    if (name.startsWith('_') || (kind === 'def' && indent !== Infinity)) return false
    indent = space.length
    if (indent === 0) break
  }
  return true
}

/** @param {Workspace} ruff @param {Source} source @returns {string[]} public functions of ours whose types are not written */
function annotationFaults(ruff, source) {
  if (!isOwn(source.file)) return []
  const lines = source.text.split('\n')
  return diagnostics(ruff, source)
    .filter(({ start_location: { row } }) => isPublic(lines, row))
    .map((found) => faultOf(source, found))
}

/** @param {string} text */
export const formatPython = (text) => new Workspace(OPTIONS, PositionEncoding.Utf16).format(text)

/** @param {boolean} write formats the files instead of reporting them @returns {boolean} true if no rule has a fault */
export function checkPython(write = false) {
  const ruff = new Workspace(OPTIONS, PositionEncoding.Utf16)
  const annotations = new Workspace(ANNOTATIONS, PositionEncoding.Utf16)
  const sources = readPython(SRC).filter(({ file }) => file.startsWith('python/'))
  const faults = []
  for (const source of sources) {
    const formatted = ruff.format(source.text)
    if (formatted !== source.text) {
      if (write) writeFileSync(join(SRC, source.file), formatted)
      else faults.push(`src/${source.file}: not formatted; \`npm run format\` does it`)
    }
    faults.push(...lintFaults(ruff, source), ...annotationFaults(annotations, source))
  }
  if (faults.length > 0) console.error([`${faults.length} faults in Python files:`, ...faults].join('\n  '))
  console.log(`${sources.length} Python files, ${faults.length === 0 ? 'no faults' : 'see the faults above'}.`)
  return faults.length === 0
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exit(checkPython(process.argv.includes('--write')) ? 0 : 1)
