// @ts-check
/**
 * Holds the direction of imports inside src/: an edge between two folders, or from a folder to a package, exists only
 * when it is listed here with its reason. A new edge is a decision: write it in ARCHITECTURE.md too.
 * (dependency-cruiser would do this, but it reads TypeScript through the compiler's JavaScript API, which
 * TypeScript 7 does not have.)
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib.mjs'

/** Folder → folder. app, cli → engine → explain, gpu, python, workspace → matcher → trace → ops → fx → base; every folder may use base. @type {Record<string, Record<string, string>>} */
export const ARROWS = {
  ops: { fx: 'schemas and shape rules speak of values, dtypes and nodes' },
  trace: { ops: 'each traced call asks for its operator', fx: 'a trace is a Graph' },
  matcher: {
    trace: 'the specific attempt re-traces; a replacement is traced with real shapes',
    ops: 'schemas: default arguments, mutation, normalised kwargs',
    fx: 'it walks and edits Graphs',
  },
  explain: {
    matcher: 'attempts and mismatches are what it explains',
    trace: 'a verified fix re-traces the edited pattern',
    ops: 'operator names and schemas in sentences',
    fx: 'it names nodes',
  },
  gpu: { ops: 'kernels are of operators', fx: 'programs are made of Graph nodes' },
  python: {
    matcher: 'it implements PatternHost and hands registrations over',
    trace: 'every operator call of the user goes to the tracer',
    ops: 'schemas of operators that Python asks for',
    fx: 'values, Problems, source lines',
  },
  workspace: { fx: 'Problem and Result' },
  engine: {
    explain: 'causes and near misses of a report',
    gpu: 'the programs to run for a match',
    python: 'the host',
    workspace: 'what is analysed',
    matcher: 'passes are applied here',
    trace: 'the tracer is made here',
    ops: 'families of operators',
    fx: 'reading and printing',
  },
  app: {
    engine: 'the client and the report',
    workspace: 'links, files, storage',
    gpu: 'the Run panel drives the device from the page: a worker of the engine has no canvas to share it with',
    fx: 'Problem and SourceRef, as types',
  },
  cli: {
    engine: 'the same engine as the page',
    python: 'Pyodide from node_modules, and our Python files from disk (assets.node)',
    workspace: 'workspace files',
    fx: 'print and read need no Python',
  },
}

/** Packages, by the folders that may know them. @type {Record<string, string[]>} */
const PACKAGES = {
  react: ['app'],
  'react-dom': ['app'],
  'react-resizable-panels': ['app'],
  '@xyflow/react': ['app'],
  zustand: ['app'],
  cmdk: ['app'],
  'monaco-editor': ['app'],
  pyodide: ['python'],
  zod: ['workspace', 'engine'],
}

/** Node's own modules: the terminal, what tests share, and files whose name says so (node_assets.ts). @param {string} file */
const mayUseNode = (file) => file.startsWith('cli/') || /\/testing\/|(?:\.node|\/node_\w+)\.ts$/.test(file)

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/gm

/** @param {string} text @returns {{ specifier: string, line: number }[]} every module a file names, types included */
export function importsOf(text) {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '))
  return [...bare.matchAll(IMPORT)].map((m) => {
    const specifier = m[1] ?? m[2] ?? ''
    return { specifier, line: bare.slice(0, (m.index ?? 0) + m[0].indexOf(specifier)).split('\n').length }
  })
}

/** @param {string} specifier @returns {string} `@scope/name` or `name` */
const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/**
 * What is wrong with one import, or null.
 * @param {string} file inside src, with forward slashes
 * @param {string} specifier
 */
export function judge(file, specifier) {
  const from = file.split('/')[0] ?? ''
  const isTest = /\.test\.tsx?$/.test(file)
  if (specifier.startsWith('.')) {
    const target = posix.normalize(posix.join(dirname(file).split(sep).join('/'), specifier))
    if (target.startsWith('..')) return isTest ? null : `${specifier} leaves src`
    if (/\.(ts|tsx|js)$/.test(specifier)) return `${specifier} has a file extension; imports inside src have none`
    const to = target.split('/')[0] ?? ''
    if (from === 'base' && to !== 'base') return `${from} imports nothing of ours`
    if (to === from || to === 'base' || !file.includes('/') || ARROWS[from]?.[to]) return null
    return `${from} → ${to} is not an edge of the design (scripts/check-arrows.mjs)`
  }
  const name = packageOf(specifier)
  if (isTest) return null
  if (name.startsWith('node:')) return mayUseNode(file) ? null : `${name} outside cli/ and node_*.ts`
  if (PACKAGES[name]?.includes(from)) return null
  return `package ${name} is not for ${from}/ (scripts/check-arrows.mjs)`
}

/** @returns {{ files: number, faults: string[] }} */
export function checkArrows() {
  const src = join(root, 'src')
  const files = readdirSync(src, { recursive: true })
    .map(String)
    .filter((name) => /\.tsx?$/.test(name) && statSync(join(src, name)).isFile())
  const faults = files.flatMap((name) => {
    const file = name.split(sep).join('/')
    return importsOf(readFileSync(join(src, name), 'utf8')).flatMap(({ specifier, line }) => {
      const fault = judge(file, specifier)
      return fault ? [`src/${file}:${line}: ${fault}`] : []
    })
  })
  return { files: files.length, faults }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { files, faults } = checkArrows()
  for (const fault of faults) console.error(fault)
  console.log(
    faults.length === 0
      ? `${files} files, every import follows the arrows.`
      : `${faults.length} imports against the arrows.`,
  )
  process.exit(faults.length === 0 ? 0 : 1)
}
