// @ts-check
/**
 * The imports between the Python files below src/python/lib, for the rule that they have no circles. Python imports the packages
 * around a module before the module, so an import of `torch.fx.node` while a file loads depends on `torch/fx/__init__.py` too. An
 * import inside a function finds its packages loaded: it depends on the module alone.
 */
import { posix } from 'node:path'

/** @typedef {import('./sources.mjs').Source} Source */
/** @typedef {import('./sources.mjs').Import} Import */

const LIB = 'python/lib/'
const IMPORT = /^([ \t]*)(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#]+))/gm

/** @param {string} names `a, b as c  # why` @returns {string[]} the imported names */
const namesIn = (names) =>
  names
    .replace(/#[^\n]*/g, '')
    .split(/[(),\n]+/)
    .map((each) => each.trim().split(/\s+as\s+/)[0] ?? '')
    .filter((each) => each !== '')

/** @param {readonly string[]} lines @param {number} at @returns {boolean} whether the line is in a function */
function isInFunction(lines, at) {
  let indent = /^ */.exec(lines[at] ?? '')?.[0].length ?? 0
  for (let i = at - 1; i >= 0 && indent > 0; i--) {
    const line = lines[i] ?? ''
    const own = /^ */.exec(line)?.[0].length ?? 0
    if (line.trim() === '' || own >= indent) continue
    if (/^ *(?:async )?def /.test(line)) return true
    // The last line of a signature over several lines.
    if (/^ *\)/.test(line)) continue
    indent = own
  }
  return false
}

/**
 * @param {string} file below src
 * @param {string} text
 * @param {ReadonlySet<string>} files all Python files
 * @param {boolean} loading the imports that run while the file loads, with the packages around; false: all imports
 * @returns {Import[]}
 */
function importsOf(file, text, files, loading) {
  const bare = text.replace(/"""[^]*?"""/g, (quoted) => quoted.replace(/[^\n]/g, ' '))
  const lines = bare.split('\n')
  /** @param {string} path @returns {string | undefined} */
  const moduleAt = (path) => [`${path}.py`, `${path}/__init__.py`].find((f) => files.has(f))
  return [...bare.matchAll(IMPORT)].flatMap(([whole, , from, names, plain], i, all) => {
    const line = bare.slice(0, bare.indexOf(whole, all[i]?.index)).split('\n').length
    if (loading && isInFunction(lines, line - 1)) return []
    const paths = plain
      ? namesIn(plain).map((name) => LIB + name.replaceAll('.', '/'))
      : namesIn(names ?? '').map((name) => {
          const base = baseOf(file, from ?? '')
          return moduleAt(`${base}/${name}`) ? `${base}/${name}` : base
        })
    const around = loading ? paths.flatMap((path) => packagesAround(path)) : []
    return [...new Set([...paths, ...around])].flatMap((path) => {
      const target = moduleAt(path) ?? null
      return target === null || target === file || (around.includes(path) && contains(path, file))
        ? []
        : [{ specifier: path.slice(LIB.length).replaceAll('/', '.'), line, target }]
    })
  })
}

/** @param {string} file @param {string} from `torch.fx`, `..graph` @returns {string} the path that it names */
function baseOf(file, from) {
  const dots = /^\.*/.exec(from)?.[0].length ?? 0
  const rest = from.slice(dots).replaceAll('.', '/')
  if (dots === 0) return LIB + rest
  const up = posix.join(posix.dirname(file), ...Array.from({ length: dots - 1 }, () => '..'))
  return rest === '' ? up : `${up}/${rest}`
}

/** @param {string} path @returns {string[]} the packages around a module */
function packagesAround(path) {
  const around = posix.dirname(path)
  return around.startsWith(LIB) ? [...packagesAround(around), around] : []
}

/** @param {string} folder @param {string} file */
const contains = (folder, file) => file.startsWith(`${folder}/`)

/**
 * The Python files of the library with their imports.
 * @param {readonly Source[]} sources
 * @param {boolean} loading
 * @returns {Source[]}
 */
export function pythonImports(sources, loading) {
  const own = sources.filter(({ file }) => file.startsWith(LIB) && file.endsWith('.py'))
  const files = new Set(own.map(({ file }) => file))
  return own.map(({ file, text }) => ({ file, text, imports: importsOf(file, text, files, loading) }))
}
