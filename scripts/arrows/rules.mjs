// @ts-check
/** The rules of the arrow checker. Each takes the sources and returns its faults, one line of text each. */
import { posix } from 'node:path'
import {
  ARROWS,
  BELOW_FEATURES,
  CONSTANT_CLASSES,
  FEATURES,
  MAX_FILES,
  MAX_LINES,
  mayUseNode,
  PACKAGES,
  VARIABLES,
} from './allowed.mjs'
import { cyclesOf, shortestCycle } from './cycles.mjs'
import { pythonImports } from './python.mjs'
import { isTest } from './sources.mjs'

/** @typedef {import('./sources.mjs').Source} Source */
/** @typedef {Record<string, Record<string, string>>} Edges */

const ALLOWED = 'scripts/arrows/allowed.mjs'

/** @param {string} specifier @returns {string} `@scope/name` or `name` */
const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** @param {string} file */
const folderOf = (file) => file.split('/')[0] ?? ''

/** @param {string} file @returns {string | null} the feature of src/app that the file belongs to */
const featureOf = (file) => /^app\/features\/([^/]+)\//.exec(file)?.[1] ?? null

/** @param {string} file @returns {string | null} the folder of src/app that the file is in */
const partOf = (file) => /^app\/([^/]+)\//.exec(file)?.[1] ?? null

/**
 * The fault of one import, or null.
 * @param {string} file inside src, with forward slashes
 * @param {string} specifier
 */
export function judge(file, specifier) {
  const from = folderOf(file)
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(file), specifier)
    if (target.startsWith('..')) return isTest(file) ? null : `${specifier} leaves src`
    if (/\.(ts|tsx|js)$/.test(specifier)) return `${specifier} has a file extension; imports inside src have none`
    const to = folderOf(target)
    if (from === 'base' && to !== 'base') return `${from} imports no other folder of src/`
    if (to === from || to === 'base' || !file.includes('/') || ARROWS[from]?.[to]) return null
    return `${from} → ${to} is not an edge of the design (${ALLOWED})`
  }
  const name = packageOf(specifier)
  if (isTest(file)) return null
  if (name.startsWith('node:')) return mayUseNode(file) ? null : `${name} outside cli/ and node_*.ts`
  if (PACKAGES[name]?.includes(from)) return null
  return `package ${name} is not for ${from}/ (${ALLOWED})`
}

/** @param {readonly Source[]} sources imports that go against the arrows */
export const arrows = (sources) =>
  sources.flatMap(({ file, imports }) =>
    imports.flatMap(({ specifier, line }) => {
      const fault = judge(file, specifier)
      return fault ? [`src/${file}:${line}: ${fault}`] : []
    }),
  )

/** @param {readonly Source[]} sources groups of files that import each other */
export const cycles = (sources) => {
  const own = sources.filter(({ file }) => !isTest(file))
  return groupsOf(own)
}

/** @param {readonly Source[]} sources */
const groupsOf = (sources) =>
  cyclesOf(sources).map(
    (group) => `${group.length} files import each other: ${shortestCycle(group, sources).join(' → ')}`,
  )

/** @param {readonly Source[]} sources groups of Python files that import each other, while they load or in functions */
export const pythonCycles = (sources) => [
  ...groupsOf(pythonImports(sources, true)),
  ...groupsOf(pythonImports(sources, false)),
]

/**
 * Edges between features that are not in the table.
 * @param {readonly Source[]} sources
 * @param {Edges} [features]
 */
export const features = (sources, features = FEATURES) => {
  /** @type {Map<string, string>} */
  const faults = new Map()
  for (const { file, imports } of sources) {
    const from = featureOf(file)
    if (from === null || isTest(file)) continue
    for (const { target, line } of imports) {
      const to = target === null ? null : featureOf(target)
      if (to === null || to === from || features[from]?.[to] || faults.has(`${from} ${to}`)) continue
      faults.set(`${from} ${to}`, `src/${file}:${line}: features/${from} → features/${to} is not listed (${ALLOWED})`)
    }
  }
  return [...faults.values()]
}

/** @param {readonly Source[]} sources imports of features and of the shell by what is below the features */
export const contracts = (sources) =>
  sources.flatMap(({ file, imports }) => {
    const part = partOf(file)
    if (part === null || isTest(file) || !BELOW_FEATURES.includes(part)) return []
    return imports.flatMap(({ target, line }) => {
      const to = target === null ? null : partOf(target)
      if (to !== 'features' && to !== 'shell') return []
      return [`src/${file}:${line}: app/${part} is below the features (${ALLOWED}), and imports ${target}`]
    })
  })

/**
 * Entries of the tables that no import uses.
 * @param {readonly Source[]} sources
 * @param {{ arrows?: Edges, features?: Edges, packages?: Record<string, string[]> }} [tables]
 */
export const stale = (sources, { arrows = ARROWS, features = FEATURES, packages = PACKAGES } = {}) => {
  const used = new Set()
  for (const { file, imports } of sources)
    for (const { specifier, target } of imports) {
      if (!specifier.startsWith('.')) used.add(`${packageOf(specifier)} in ${folderOf(file)}`)
      if (target === null) continue
      used.add(`${folderOf(file)} → ${folderOf(target)}`)
      if (!isTest(file)) used.add(`features/${featureOf(file)} → features/${featureOf(target)}`)
    }
  const edges = [
    ...Object.entries(arrows).flatMap(([from, to]) => Object.keys(to).map((t) => `${from} → ${t}`)),
    ...Object.entries(features).flatMap(([from, to]) => Object.keys(to).map((t) => `features/${from} → features/${t}`)),
    ...Object.entries(packages).flatMap(([name, folders]) => folders.map((f) => `${name} in ${f}`)),
  ]
  return edges.filter((edge) => !used.has(edge)).map((edge) => `${edge} is allowed and no import uses it (${ALLOWED})`)
}

/** @param {readonly Source[]} sources folders with too many source files */
export const folders = (sources) => {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { file } of sources) {
    if (isTest(file)) continue
    const folder = posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, n]) => n > MAX_FILES)
    .map(([folder, n]) => `src/${folder} has ${n} source files; the limit is ${MAX_FILES}`)
}

/** @param {readonly Source[]} sources long files, tests too, whose head comment or docstring gives no `Reason for length:` */
export const lengths = (sources) =>
  sources.flatMap(({ file, text }) => {
    const lines = text.split('\n').length - 1
    if (lines <= MAX_LINES || hasReason(text)) return []
    return [`src/${file} has ${lines} lines; the limit is ${MAX_LINES}, or \`Reason for length:\` in its head comment`]
  })

/**
 * Variables of modules that are not in the table, entries of the table without any variable, and other mutable parts of a module of
 * src/app.
 * @param {readonly Source[]} sources
 */
export const variables = (sources, allowed = VARIABLES) => {
  const own = sources.filter(({ file }) => !isTest(file))
  const found = own.filter(({ text }) => /^(?:export )?let /m.test(text)).map((s) => s.file)
  return [
    ...found
      .filter((file) => !(file in allowed))
      .map((file) => `src/${file} has a variable of the module (${ALLOWED})`),
    ...own
      .filter(({ file }) => file.startsWith('app/') && !/\/testing\/|^app\/session\/scope\.ts$/.test(file))
      .flatMap(({ file, text }) =>
        changing(text).map(
          (name) => `src/${file}: ${name} can change; keep it in a store or a scope (app/session/scope.ts)`,
        ),
      ),
    ...Object.keys(allowed)
      .filter((file) => !found.includes(file))
      .map((file) => `${file} may have a variable of the module and has none (${ALLOWED})`),
  ]
}

const MADE = /^(export )?const (\w+)(: [^\n]*?)? = (?:(?:once\(\(\) => )?new (\w+)|(once\(\(\) => (?:\(\{|\[))|\[|\{)/gm
const WRITE = String.raw`(?:\.(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear)\(|(?:\.\w+|\[[^\]\n]*\])+ [-+*/|&?]{0,2}=(?!=))`

/**
 * Mutable constants of a module: objects that it writes to, collections that others could write to, instances.
 * @param {string} text
 */
const changing = (text) =>
  [...text.matchAll(MADE)].flatMap(([, exported, name = '', type, instance, once]) => {
    const isCollection = /^(?:Weak)?(?:Map|Set)$/.test(instance ?? '')
    const isOther = instance !== undefined && !isCollection && !CONSTANT_CLASSES.includes(instance)
    const isOpen = isCollection && exported !== undefined && type === undefined
    const isWritten = new RegExp(`\\b${name}(?:\\(\\))?${WRITE}`).test(text)
    return isOther || isOpen || once || (isWritten && !CONSTANT_CLASSES.includes(instance ?? '')) ? [name] : []
  })

/** @param {string} text */
const hasReason = (text) =>
  /^\s*(?:\/\*\*[^]*?\*\/|"""[^]*?""")/.exec(text)?.[0].includes('Reason for length:') ?? false
