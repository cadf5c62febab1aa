/** Our Python files and Pyodide's from disk, with a memory snapshot in the cache folder that the first start makes. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { version } from 'pyodide'
import { UNSAFE_MODULES } from './box/c_modules'
import { CONNECT, PREPARE } from './start/boot'
import { makeSnapshot, SNAPSHOT_FORM } from './start/load'
import { packNames, unpack } from './start/pack'
import type { PythonAssets } from './types'

// Node 20 crashes ("unreachable code" in V8's deoptimizer) after some thousand calls from here into Python, once its
// compiler has inlined the call into WebAssembly.
setFlagsFromString('--no-turbo-inline-js-wasm-calls')
// Functions of Pyodide are optimized where they run long: a short command takes a fifth less processor time, a long run no more.
setFlagsFromString('--wasm-tiering-budget=50000000')

const root = fileURLToPath(new URL('./lib', import.meta.url))
const usual = fileURLToPath(new URL('../../.cache', import.meta.url))
/** scripts/cache-folder.mjs names another folder if the usual one is not writable. */
const cache = join(process.env.FUSESCOPE_CACHE ?? usual, 'python')

/** Only in the package, where the command line shares Pyodide and its memory snapshot with the page (scripts/cli-bundle.mjs). */
declare const __BUILT_PAGE__: string | undefined
const built = typeof __BUILT_PAGE__ === 'undefined' ? null : fileURLToPath(new URL(__BUILT_PAGE__, import.meta.url))
const inPage = (folder: string, name: RegExp): string =>
  join(
    folder,
    readdirSync(folder).find((n) => name.test(n))!,
  )

/** Loads our Python files and Pyodide's from disk. */
export function nodeAssets(): PythonAssets {
  const pyodide = built ? inPage(built, /^pyodide-/) : dirname(createRequire(import.meta.url).resolve('pyodide'))
  const cold: PythonAssets = {
    indexURL: `${pyodide}/`,
    module: async () => (await import(pathToFileURL(join(pyodide, 'pyodide.asm.mjs')).href)).default,
    lib: pythonFiles,
  }
  return { ...cold, snapshot: () => snapshotOf(cold) }
}

function pythonFiles(): Record<string, string> {
  const lib: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    if (entry.endsWith('.py')) lib[entry.replaceAll('\\', '/')] = readFileSync(join(root, entry), 'utf8')
  return lib
}

/** What a snapshot depends on, as a hash: Pyodide, our Python files, and the code that starts them. */
function snapshotKey({ lib }: PythonAssets): string {
  const hash = createHash('sha256')
    .update(version)
    .update(PREPARE)
    .update(CONNECT)
    .update(SNAPSHOT_FORM)
    .update([...UNSAFE_MODULES].join())
  for (const [path, text] of Object.entries(lib()).sort()) hash.update(`${path}\0${text}\0`)
  return hash.digest('hex').slice(0, 20)
}

export const snapshotFile = (assets: PythonAssets): string => join(cache, `python-${snapshotKey(assets)}.bin`)

/** From the build: the page's memory snapshot and standard library. @param isQuick true to pack faster, with larger files */
export function packFiles(assets: PythonAssets, isQuick: boolean): { snapshot: string; stdlib: string } {
  const { snapshot, stdlib } = packNames(snapshotKey(assets) + (isQuick ? '_quick' : ''))
  return { snapshot: join(cache, `${snapshot}.pack`), stdlib: join(cache, `${stdlib}.pack`) }
}

/** Called instead of creating a snapshot that cannot be kept; null: it is created. */
let missing: (() => Promise<never>) | null = null

/** For processes without write access. @param handler called if there is no snapshot */
export function setMissingSnapshot(handler: () => Promise<never>): void {
  missing = handler
}

async function snapshotOf(assets: PythonAssets): Promise<Uint8Array> {
  const file = snapshotFile(assets)
  try {
    return await readFile(file)
  } catch {
    if (missing) return missing()
    const snapshot = built ? unpack(readFileSync(inPage(built, /^python-/))) : (await makeSnapshot(assets)).bytes
    keep(file, snapshot)
    return snapshot
  }
}

/** Replaces the snapshots of other versions. If the folder is not writable, the next start creates it again. */
function keep(file: string, bytes: Uint8Array): void {
  try {
    mkdirSync(cache, { recursive: true })
    // Another process may have created those of this version.
    const own = basename(file, '.bin').replace('python-', '')
    for (const old of readdirSync(cache))
      if (/^(?:python|stdlib)-\w+\.(?:bin|pack)$/.test(old) && !old.includes(own)) rmSync(join(cache, old))
    // Other processes see either the whole file or none.
    writeFileSync(`${file}.${process.pid}`, bytes)
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    return
  }
}
