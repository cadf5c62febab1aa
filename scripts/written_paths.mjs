// @ts-check
/** Finds the files that a page of the repository names in backticks and that do not exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PATH = /^(?:\.\.?\/)?[\w.@-]+(?:\/[\w.@*-]+)*\/?$/
const FILE = /\.(?:ts|tsx|mjs|py|md|json|html|txt|jsonl)$/
/** Capitals stand for what the reader chooses. */
const CHOSEN = /(?:^|[/_])[A-Z]{2,}(?:[/._]|$)/
/** Files of other projects, and of the user. */
const FOREIGN = /^(?:torch|vllm|\.\.)\/|^\.fusescope/
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|\.cache|dist|test-results)(?:\/|$)/

/** All files and folders of the repository, each as `/path/` or `/path`. @param {string} root */
export function placesOf(root) {
  /** @type {string[]} */
  const places = ['/dist/']
  const walk = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (SKIPPED.test(path)) continue
      places.push(entry.isDirectory() ? `${path}/` : path)
      if (entry.isDirectory()) walk(path)
    }
  }
  walk('')
  return places
}

/**
 * The paths in backticks that are the end of no place: a page may leave out the folders that it is about.
 * @param {string} root the repository
 * @param {string} page its file
 * @param {readonly string[]} places
 * @returns {string[]} `line: path`
 */
export function missingPaths(root, page, places) {
  const missing = []
  for (const [i, line] of readFileSync(join(root, page), 'utf8').split('\n').entries())
    for (const [, code] of line.matchAll(/`([^`]+)`/g)) {
      const path = String(code)
        .replace(/[:#].*$/, '')
        .replace(/^\.\//, '')
      if (!PATH.test(path) || CHOSEN.test(path) || FOREIGN.test(path)) continue
      if ((FILE.test(path) || path.endsWith('/')) && !places.some((place) => ends(place, path)))
        missing.push(`${i + 1}: ${path}`)
    }
  return missing
}

/** @param {string} place @param {string} path a star stands for any characters of one name */
function ends(place, path) {
  if (!path.includes('*')) return place.endsWith(`/${path}`)
  const pattern = path.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*')
  return new RegExp(`/${pattern}$`).test(place)
}

/** A name and the file that has it: "`Reason` in `src/explain/reasons/reason.ts`", "`WhyNotCase` in …", "`Kernel` (`…`)". */
const NAMED = /`([A-Za-z_]\w+)`(?: and (?:to )?`([A-Za-z_]\w+)`)? (?:in |\()`([\w./-]+\.(?:ts|tsx|mjs))`/g

/**
 * Names that a page says are in a file, and that the file lacks.
 * @param {string} root the repository
 * @param {string} page its file
 * @param {readonly string[]} places
 * @returns {string[]} `path: name`
 */
export function missingNames(root, page, places) {
  const text = readFileSync(join(root, page), 'utf8').replace(/\s+/g, ' ')
  return [...text.matchAll(NAMED)].flatMap(([, first, second, path]) => {
    const files = places.filter((place) => ends(place, String(path)))
    const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
    const names = [first, second].filter((name) => name !== undefined)
    return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)).map((name) => `${path}: ${name}`)
  })
}
