/** The modules of bundled packages that files import, and the modules that those import. */

/** Python files by path inside site-packages. */
type Library = Readonly<Record<string, string>>

/** Bundled, but not part of a project: the installed PyTorch and pytest are used. */
const NEVER = /^(?:torch|pytest|_fusescope\/exported)(?:\/|\.py$)/

/**
 * @param texts the user's files
 * @param own modules that the user's files define
 * @param more modules that the script itself imports
 */
export function bundledModules(
  library: Library,
  texts: readonly string[],
  own: ReadonlySet<string>,
  more: readonly string[],
): Record<string, string> {
  const found = new Map<string, string>()
  const add = (name: string): void => {
    const parts = name.split('.')
    // A module's parents are imported before it.
    for (let n = 1; n <= parts.length; n++) {
      const module = parts.slice(0, n).join('.')
      const path = pathOf(library, module)
      if (path === null || found.has(path) || own.has(module)) continue
      found.set(path, library[path]!)
      for (const imported of importsOf(library[path]!, module, path)) add(imported)
    }
  }
  for (const text of texts) for (const name of importsOf(text, '', '')) add(name)
  if (found.size > 0) for (const name of more) add(name)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function pathOf(library: Library, module: string): string | null {
  const path = module.replaceAll('.', '/')
  const file = [`${path}/__init__.py`, `${path}.py`].find((p) => p in library)
  return file === undefined || NEVER.test(file) ? null : file
}

/** Names of modules that a text imports or that its strings name; a name imported from a package may itself be a module. */
function importsOf(text: string, module: string, path: string): string[] {
  const names: string[] = []
  const pack = path.endsWith('/__init__.py') ? module : module.split('.').slice(0, -1).join('.')
  for (const [, list] of text.matchAll(/^[ \t]*import[ \t]+([^#\n]+)/gm))
    for (const item of list!.split(',')) names.push(item.trim().split(/\s+/)[0]!)
  for (const [, from, many, few] of text.matchAll(
    /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^#\n]+))/gm,
  )) {
    const base = absolute(from!, pack)
    names.push(base)
    for (const item of (many ?? few!).split(',')) {
      const name = item.replace(/#.*$/gm, '').trim().split(/\s+/)[0]
      if (name) names.push(`${base}.${name}`)
    }
  }
  for (const [, name] of text.matchAll(/["'](\w+(?:\.\w+)+)["']/g)) names.push(name!)
  return names.filter((n) => /^[A-Za-z_][\w.]*$/.test(n))
}

/** `..fx_utils` inside `vllm.compilation.passes.utility` → `vllm.compilation.passes.fx_utils`. */
function absolute(from: string, pack: string): string {
  const dots = /^\.*/.exec(from)![0].length
  if (dots === 0) return from
  const parts = pack.split('.')
  const base = parts.slice(0, parts.length - (dots - 1)).join('.')
  return [base, from.slice(dots)].filter(Boolean).join('.')
}
