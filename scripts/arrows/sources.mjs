// @ts-check
/** Reads the TypeScript and Python files below src/; of TypeScript, with the modules that each file imports. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

/**
 * @typedef {object} Import
 * @property {string} specifier as written
 * @property {number} line from 1
 * @property {string | null} target the file of src/ it names; null for a package, a style sheet or a missing file
 *
 * @typedef {object} Source
 * @property {string} file relative to src/, with forward slashes
 * @property {string} text
 * @property {readonly Import[]} imports
 */

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/gm

/** @param {string} text @returns {{ specifier: string, line: number }[]} the modules a file names, types included */
export function importsOf(text) {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '))
  return [...bare.matchAll(IMPORT)].map((m) => {
    const specifier = m[1] ?? m[2] ?? ''
    return { specifier, line: bare.slice(0, (m.index ?? 0) + m[0].indexOf(specifier)).split('\n').length }
  })
}

/** @param {string} file */
export const isTest = (file) => /\.test\.tsx?$/.test(file)

/** @param {ReadonlyMap<string, string>} texts file → text @returns {Source[]} */
export function sourcesOf(texts) {
  /** @param {string} file @param {string} specifier */
  const targetOf = (file, specifier) => {
    if (!specifier.startsWith('.')) return null
    const path = posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ''))
    return (
      [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`].find((f) => texts.has(f)) ?? null
    )
  }
  return [...texts].map(([file, text]) => ({
    file,
    text,
    imports: importsOf(text).map((i) => ({ ...i, target: targetOf(file, i.specifier) })),
  }))
}

/** @param {string} src a folder @param {RegExp} extension @returns {Map<string, string>} file → text */
function textsBelow(src, extension) {
  const files = readdirSync(src, { recursive: true })
    .map(String)
    .filter((name) => extension.test(name) && statSync(join(src, name)).isFile())
    .sort()
  return new Map(files.map((name) => [name.split(sep).join('/'), readFileSync(join(src, name), 'utf8')]))
}

/** @param {string} src a folder @returns {Source[]} */
export const readSources = (src) => sourcesOf(textsBelow(src, /\.tsx?$/))

/** Python files, without their imports: for the rules about sizes. @param {string} src a folder @returns {Source[]} */
export const readPython = (src) => [...textsBelow(src, /\.py$/)].map(([file, text]) => ({ file, text, imports: [] }))
