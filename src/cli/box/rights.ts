/** The rights of a boxed process: to read Fusescope's files and the paths on its command line, and nothing else. */
import { existsSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFiles } from '../folders'
import { startFolder, statOf } from '../input'
import { isLogged } from '../output'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Limit of Python's memory: 2 GiB, in pages of 64 KiB. Beyond it, Python raises MemoryError. */
const WASM_PAGES = 32_768

/** Environment variables that a boxed process keeps; user code that escapes Python finds no secrets in it. */
const KEPT = ['INIT_CWD', 'FUSESCOPE_CACHE', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'NO_COLOR', 'TERM', 'SystemRoot']

/** Node options for a boxed process. @param paths that it may read, including everything below them */
export function boxedFlags(paths: readonly string[]): string[] {
  // Node's permission model lost its experimental name in 23.5 and 22.13.
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
  return [
    flag,
    ...grants([root, ...cacheFolder(), ...paths].map((path) => resolve(path))).map(
      (grant) => `--allow-fs-read=${grant}`,
    ),
    '--disallow-code-generation-from-strings',
    `--wasm-max-mem-pages=${WASM_PAGES}`,
  ]
}

/** The folder of the program's bundle and Python's snapshot, if it is outside `root`. */
const cacheFolder = (): string[] => (process.env.FUSESCOPE_CACHE === undefined ? [] : [process.env.FUSESCOPE_CACHE])

/**
 * Unique paths, without those inside another path: Node 20 fails an assertion on them. It also refuses a folder next to a path that
 * begins with its name (llama/, llama.txt); only a wildcard permits both.
 */
export function grants(paths: readonly string[]): string[] {
  // The permission model reads a star as a wildcard.
  const unique = [...new Set(paths)].filter((path) => !path.includes('*'))
  const apart = unique.filter((path) => !unique.some((other) => path.startsWith(other + sep)))
  const wide = apart.filter((path) => apart.some((other) => other !== path && other.startsWith(path)))
  const roots = apart.filter((path) => !wide.some((other) => other !== path && path.startsWith(other)))
  return roots.map((path) => (wide.includes(path) ? `${path}*` : path))
}

/** The environment of a boxed process. */
export function boxedEnvironment(kind: string): NodeJS.ProcessEnv {
  const kept = KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  const logged = isLogged() ? { FUSESCOPE_LOGGED: '1' } : {}
  return { ...Object.fromEntries(kept), ...logged, INIT_CWD: startFolder(), NODE_NO_WARNINGS: '1', FUSESCOPE_BOX: kind }
}

/** The paths that arguments may name: files, folders, `FILE@N`, and the folder of a glob. */
export function pathsIn(args: readonly string[]): string[] {
  return args.flatMap((arg) => {
    const value = arg.startsWith('--') && arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : arg
    if (value === '' || value.startsWith('--') || value.includes('\0')) return []
    const path = resolve(startFolder(), value)
    const wildcard = path.search(/[*?]/)
    if (wildcard >= 0 && !existsSync(path)) return withPackages(dirname(`${path.slice(0, wildcard)}x`))
    const plain = path.replace(/@\d+$/, '')
    return plain === path ? withPackages(path) : [path, plain]
  })
}

/** Python files of a folder are named from the outermost package around it. */
const withPackages = (path: string): string[] =>
  statOf(path)?.isDirectory() ? [path, ...packageFiles(path).slice(1)] : [path]
