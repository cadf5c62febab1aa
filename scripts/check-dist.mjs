// @ts-check
/** Checks that dist is complete, and searches its text for loads from other hosts. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib.mjs'
import { PYODIDE_FILES } from './vite/pyodide.mjs'

const NEEDED = [
  'index.html',
  'embed.html',
  'docs.html',
  'box.html',
  'load.html',
  'load.js',
  'open.html',
  'open.js',
  '_headers',
  'manifest.webmanifest',
  'sw.js',
  'kept.txt',
  'bases/index.json',
  'examples/index.json',
]

/** Patterns of loads from another host, by file type. A link is not a load. @type {Record<string, RegExp>} */
const LOADS = {
  '.html': /<(?:script|link|img|iframe|source|video|audio)\b[^>]*\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\/[^"'>\s]*/gi,
  '.css': /(?:url\(\s*["']?|@import\s+["'])(?:https?:)?\/\/[^"')\s]*/gi,
  '.js':
    /\b(?:import|fetch|importScripts|Worker|SharedWorker|WebSocket|EventSource)\s*\(\s*["'`](?:https?|wss?):\/\/[^"'`]*|\bfrom\s*["']https?:\/\/[^"']*/g,
}

/** @param {string} dist @returns {string[]} faults, one line each */
export function distFaults(dist) {
  const faults = NEEDED.filter((name) => !existsSync(join(dist, name))).map((name) => `dist/${name} is missing`)
  const assets = join(dist, 'assets')
  const folder = existsSync(assets) && readdirSync(assets).find((name) => /^pyodide-\w+$/.test(name))
  for (const name of Object.keys(PYODIDE_FILES))
    if (!folder || !existsSync(join(assets, folder, name))) faults.push(`dist/assets/pyodide-…/${name} is missing`)
  for (const part of ['python', 'stdlib'])
    if (!existsSync(assets) || !readdirSync(assets).some((name) => new RegExp(`^${part}-\\w+\\.bin$`).test(name)))
      faults.push(`dist/assets/${part}-….bin is missing`)
  const index = join(dist, 'index.html')
  if (existsSync(index)) {
    const html = readFileSync(index, 'utf8')
    if (!/http-equiv="Content-Security-Policy"/.test(html))
      faults.push('dist/index.html has no Content-Security-Policy')
    for (const [, path] of html.matchAll(/\b(?:src|href)="(\/[^"]*)"/g))
      faults.push(`dist/index.html loads ${path}: not relative, so it works from the root of a host only`)
    if (/<script(?![^>]*\bsrc=)[^>]*>/i.test(html))
      faults.push('dist/index.html has an inline script, which its policy refuses')
  }
  for (const name of readdirSync(dist, { recursive: true }).map(String)) {
    const pattern = LOADS[extname(name) === '.mjs' ? '.js' : extname(name)]
    const file = join(dist, name)
    if (!pattern || !statSync(file).isFile()) continue
    for (const [load] of readFileSync(file, 'utf8').matchAll(pattern))
      faults.push(`dist/${name}: ${load.slice(0, 160)}`)
  }
  return faults
}

/** Prints the faults. @returns {boolean} true when there are none */
export function checkDist() {
  const faults = distFaults(join(root, 'dist'))
  for (const fault of faults) console.error(fault)
  console.log(
    faults.length === 0 ? 'dist is complete and loads nothing from another host.' : `${faults.length} faults in dist.`,
  )
  return faults.length === 0
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(checkDist() ? 0 : 1)
