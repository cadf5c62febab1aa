/** The Python files of a folder or of a glob on the command line, with the paths under which they import each other. */
import { basename, dirname, join, relative, resolve } from 'node:path'
import { err, ok, type Result } from '../base/result'
import { count, listed } from '../base/english'
import { textKind } from '../fx'
import { entriesOf, isInside, readText, startFolder, statOf } from './input'
import { complain } from './output'

export const PATTERN_EXPECTED = 'a Python file that registers patterns, or a folder or a glob of such'

export interface PythonPath {
  path: string
  /** The file's path in the workspace, from its outermost package on; null for a file that is named directly. */
  module: string | null
}

const SKIPPED = /^(\.|__pycache__$|node_modules$|venv$)/
const WILDCARD = /[*?]/

/** @param name a file, a folder, or a glob with `*`, `**` and `?` */
export function pythonFilesAt(name: string): Result<PythonPath[]> {
  const path = resolve(startFolder(), name)
  if (!statOf(name) && WILDCARD.test(name)) return globbed(name, path)
  if (statOf(name)?.isDirectory() !== true) return ok([{ path: name, module: null }])
  const files = pythonFilesOf(name, path)
  return files.length > 0 ? ok(files.map((f) => inPackage(f, path))) : nothing(name, 'the folder has no Python files')
}

function globbed(name: string, path: string): Result<PythonPath[]> {
  const parts = path.split('/')
  const base =
    parts
      .slice(
        0,
        parts.findIndex((p) => WILDCARD.test(p)),
      )
      .join('/') || '/'
  const pattern = new RegExp(`^${regexOf(relative(base, path))}$`)
  const files = pythonFilesOf(name, base).filter((f) => pattern.test(relative(base, f)))
  return files.length > 0 ? ok(files.map((f) => inPackage(f, base))) : nothing(name, 'no Python file has such a name')
}

const nothing = (name: string, message: string): Result<never> =>
  err({
    file: name,
    line: 1,
    column: 1,
    message: `${message}; expected ${PATTERN_EXPECTED}.`,
    expected: PATTERN_EXPECTED,
  })

/** `**` matches folders, `*` and `?` match inside a name. */
const regexOf = (glob: string): string =>
  glob
    .replaceAll(/[.+^${}()|\\[\]]/g, '\\$&')
    .replaceAll(/\*\*\/|\*\*|\*|\?/g, (w) =>
      w === '**/' ? '(?:.*/)?' : w === '**' ? '.*' : w === '*' ? '[^/]*' : '[^/]',
    )

/** The Python files below a folder. A printed sentence says which links lead out of it: they are not followed. */
function pythonFilesOf(name: string, folder: string): string[] {
  const links: string[] = []
  const files = pythonFilesIn(folder, (path) => {
    const inside = isInside(folder, path)
    if (!inside) links.push(relative(folder, path))
    return inside
  })
  if (links.length > 0)
    complain(
      `${name}: ${count(links.length, 'link')} out of the folder ${links.length === 1 ? 'is' : 'are'} not followed: ${listed(links, 5)}.`,
    )
  return files
}

/**
 * @param inside the folder that links must stay in: anybody can put links into a folder that others run; links to folders are not
 * followed
 */
function pythonFilesIn(folder: string, inside: (link: string) => boolean): string[] {
  const entries = entriesOf(folder).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((e) => {
    if (SKIPPED.test(e.name)) return []
    const path = join(folder, e.name)
    if (e.isDirectory()) return pythonFilesIn(path, inside)
    const isPython = e.name.endsWith('.py')
    if (!e.isSymbolicLink()) return isPython ? [path] : []
    const isFolder = statOf(path)?.isDirectory() === true
    return (isPython || isFolder) && inside(path) && !isFolder ? [path] : []
  })
}

/** The `__init__.py` of a folder and of the packages around it; the list ends with the first one that does not exist. */
export function packageFiles(folder: string): string[] {
  const files = [join(folder, '__init__.py')]
  for (let root = folder; statOf(files.at(-1)!) && dirname(root) !== root;) {
    root = dirname(root)
    files.push(join(root, '__init__.py'))
  }
  return files
}

/** Named from the parent of the outermost package that contains the folder, or from the folder itself. */
function inPackage(file: string, folder: string): PythonPath {
  const root = dirname(packageFiles(folder).at(-1)!)
  return { path: file, module: relative(root, file).replaceAll('\\', '/') || basename(file) }
}

/** True for a file that contains a printed graph, whatever its name: PyTorch and vLLM write `fx_graph_readable.py`. */
export function isGraphFile(name: string): boolean {
  const text = statOf(name)?.isFile() ? readText(name, PATTERN_EXPECTED) : null
  return text?.ok === true && textKind(text.value).kind === 'graph'
}
