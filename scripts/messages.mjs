// @ts-check
/**
 *   npm run messages    prints the texts that the page can show, from the source: JSX text, titles, labels, toasts and
 *                       sentences of the engine, each once, with the files that hold it; `…` stands for a value
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseAst } from 'vite'
import { root } from './lib.mjs'

const FOLDERS = ['app', 'engine', 'explain', 'gpu', 'workspace', 'fx', 'matcher', 'trace']
/** A text for a reader: words with a space between them, no class names, paths or code. */
const READS = /^[A-Z“…][^{};=<>]*\s\S|\S\s[^{};=<>]*\s[^{};=<>]*[.…:]$/

/** @type {Map<string, Set<string>>} */
const messages = new Map()
for (const folder of FOLDERS)
  for (const name of readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' }))
    if (/\.tsx?$/.test(name) && !/\.test\.|testing|docs\//.test(name)) read(join(root, 'src', folder, name))
for (const [text, files] of [...messages].sort(([a], [b]) => a.localeCompare(b)))
  console.log(`${text}\t${[...files].join(' ')}`)

/** @param {string} file */
function read(file) {
  /** @param {string} text */
  const add = (text) => {
    const line = text.replace(/\s+/g, ' ').trim()
    if (!READS.test(line)) return
    const files = messages.get(line) ?? new Set()
    messages.set(line, files.add(relative(join(root, 'src'), file)))
  }
  visit(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }), add)
}

/** @param {any} node @param {(text: string) => void} add */
function visit(node, add) {
  if (node === null || typeof node !== 'object') return
  if (Array.isArray(node)) return node.forEach((n) => visit(n, add))
  if (node.type === 'ImportDeclaration') return
  if ((node.type === 'Literal' && typeof node.value === 'string') || node.type === 'JSXText') add(node.value)
  if (node.type === 'TemplateLiteral') add(node.quasis.map((/** @type {any} */ q) => q.value.cooked ?? '').join('…'))
  for (const child of Object.values(node)) visit(child, add)
}
