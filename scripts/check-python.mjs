// @ts-check
/**
 * Checks our Python files (src/python) with ruff: format, lint, and the annotations of our own public functions.
 *
 *   node scripts/check-python.mjs            every rule; exit status 1 if a rule has a fault
 *   node scripts/check-python.mjs --write    formats the files
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { readPython } from './arrows/sources.mjs'
import { bin, root } from './lib.mjs'

// V8 takes six times as long to optimize ruff as ruff takes for all files.
setFlagsFromString('--no-wasm-dynamic-tiering')
setFlagsFromString('--no-wasm-tier-up')
const { PositionEncoding, Workspace } = await import('@astral-sh/ruff-wasm-nodejs')

/** Exported scripts contain parts of these files, which run on the Python of any PyTorch. Lines are as wide as in the rest. */
const OPTIONS = {
  'line-length': 120,
  'target-version': 'py310',
  lint: {
    select: ['E4', 'E7', 'E9', 'F', 'ANN001', 'ANN002', 'ANN003', 'ANN201', 'ANN205', 'ANN206'],
    'flake8-annotations': { 'allow-star-arg-any': true },
  },
}

const SRC = join(root, 'src')

/** @typedef {import('./arrows/sources.mjs').Source} Source */

/** The files of one exported script name each other's functions. @param {string} file @param {string | null} code */
const isKnown = (file, code) => code === 'F821' && file.startsWith('python/lib/_fusescope/exported/')

/** Our own modules; the other packages have the signatures of the projects that they stand for, and scripts have `exported/`. */
const isOwn = (/** @type {string} */ file) => /^python\/lib\/_fusescope\/(?!exported\/)/.test(file)

/**
 * Whether other modules may use the definition at or above a line: it is not in a function, and neither it nor a class around it
 * has a leading underscore.
 * @param {readonly string[]} lines
 * @param {number} row from 1
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

/** @typedef {import('@astral-sh/ruff-wasm-nodejs').Diagnostic} Diagnostic */

/**
 * @param {import('@astral-sh/ruff-wasm-nodejs').Workspace} ruff @param {Source} source
 * @returns {string[]} what the rules find, among it public functions of ours whose types are not written
 */
function faultsOf(ruff, { file, text }) {
  const lines = text.split('\n')
  /** @type {Diagnostic[]} */
  const found = ruff.check(text)
  return found
    .filter(({ code, start_location: { row } }) =>
      code?.startsWith('ANN') ? isOwn(file) && isPublic(lines, row) : !isKnown(file, code),
    )
    .map(({ code, message, start_location: { row } }) => `src/${file}:${row}: ${code ?? 'syntax'}: ${message}`)
}

const newRuff = () => new Workspace(OPTIONS, PositionEncoding.Utf16)

/** @param {string} text */
export const formatPython = (text) => newRuff().format(text)

/** Hashes of the files that had no fault, a line each; `npm ci` removes it. */
const PASSED = join(root, 'node_modules', '.cache', 'check-python.txt')

const sha = (/** @type {string[]} */ ...parts) => createHash('sha256').update(parts.join('\0')).digest('hex')

/** A file that passed is not checked again by the same rules of the same ruff. @returns {Set<string>} */
function readPassed() {
  try {
    return new Set(readFileSync(PASSED, 'utf8').split('\n'))
  } catch {
    return new Set()
  }
}

/** @param {boolean} write formats the files instead of reporting them @returns {boolean} true if no rule has a fault */
export function checkPython(write = false) {
  const rules = sha(
    readFileSync(fileURLToPath(import.meta.url), 'utf8'),
    readFileSync(bin('@astral-sh/ruff-wasm-nodejs/package.json'), 'utf8'),
  )
  const sources = readPython(SRC).filter(({ file }) => file.startsWith('python/'))
  const passed = readPassed()
  const ruff = newRuff()
  const faults = []
  const good = []
  for (const source of sources) {
    const key = sha(rules, source.file, source.text)
    const found = passed.has(key) ? [] : faultsOf(ruff, source)
    const formatted = passed.has(key) ? source.text : ruff.format(source.text)
    if (formatted !== source.text) {
      if (write) writeFileSync(join(SRC, source.file), formatted)
      else found.push(`src/${source.file}: not formatted; \`npm run format\` does it`)
    } else if (found.length === 0) good.push(key)
    faults.push(...found)
  }
  mkdirSync(dirname(PASSED), { recursive: true })
  writeFileSync(PASSED, good.join('\n'))
  if (faults.length > 0) console.error([`${faults.length} faults in Python files:`, ...faults].join('\n  '))
  console.log(`${sources.length} Python files, ${faults.length === 0 ? 'no faults' : 'see the faults above'}.`)
  return faults.length === 0
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exit(checkPython(process.argv.includes('--write')) ? 0 : 1)
