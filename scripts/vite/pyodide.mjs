// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, createReadStream, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { root } from '../lib.mjs'

/** The pages that only tests open start no Python of their own (vite.config.ts). */
const isTestPages = process.env.FUSESCOPE_TEST_PAGES === '1'

/**
 * Files that Pyodide fetches from its indexURL; the dev server serves them as `pyodide/<name>`.
 * @type {Readonly<Record<string, string>>}
 */
export const PYODIDE_FILES = {
  'pyodide.asm.mjs': 'text/javascript',
  'pyodide.asm.wasm': 'application/wasm',
  'python_stdlib.zip': 'application/zip',
}

/**
 * The folder of Pyodide's files in the build. Its name contains their hash, so that hosts may call them immutable: a
 * browser that asks again whether a .wasm file has changed drops its compiled code.
 * @param {string} source
 */
function folderOf(source) {
  const hash = createHash('sha256')
  for (const name of Object.keys(PYODIDE_FILES)) hash.update(readFileSync(join(source, name)))
  return `assets/pyodide-${hash.digest('hex').slice(0, 12)}/`
}

/**
 * Serves Pyodide's own files in dev, and copies them into the build.
 * @returns {import('vite').Plugin}
 */
export function pyodideFiles() {
  const source = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))
  let outDir = 'dist'
  let folder = 'pyodide/'
  return {
    name: 'fusescope-pyodide-files',
    config(_config, { command }) {
      if (command === 'build') folder = folderOf(source)
      return { define: { __PYODIDE_FOLDER__: JSON.stringify(folder) } }
    },
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    configureServer(server) {
      server.middlewares.use((req, res, next) => {
        const name = /^\/pyodide\/([\w.-]+)(?:\?.*)?$/.exec(req.url ?? '')?.[1]
        const type = name && PYODIDE_FILES[name]
        if (!name || !type) return next()
        const file = join(source, name)
        res.writeHead(200, { 'content-type': type, 'content-length': statSync(file).size, 'cache-control': 'no-cache' })
        createReadStream(file).pipe(res)
      })
    },
    writeBundle() {
      if (isTestPages) return
      const target = join(outDir, folder)
      mkdirSync(target, { recursive: true })
      for (const name of Object.keys(PYODIDE_FILES)) copyFileSync(join(source, name), join(target, name))
    },
  }
}

/**
 * Puts the memory snapshot of Python and the standard library (src/python/start/pack.ts) into the build, under names that contain
 * their hash. They are made while the page is bundled. Dev starts Python cold, so that an edit of our Python files needs no new snapshot.
 * @returns {import('vite').Plugin}
 */
export function pythonPack() {
  /** @type {readonly string[]} */
  let files = []
  /** @type {Promise<void>} */
  let made = Promise.resolve()
  return {
    name: 'fusescope-python-pack',
    async config(_config, { command }) {
      if (command === 'build' && !isTestPages) [files, made] = await makePack()
      return { define: { __PYTHON_PACK__: JSON.stringify(files.map(assetOf)) } }
    },
    async generateBundle() {
      await made
      for (const file of files) this.emitFile({ type: 'asset', fileName: assetOf(file), source: readFileSync(file) })
    },
  }
}

/** @returns {Promise<[files: string[], made: Promise<void>]>} their paths, which are known at once */
async function makePack() {
  const args = ['--import', 'tsx', join(root, 'src/python/node_build_pack.ts')]
  if (process.env.FUSESCOPE_QUICK_PACK === '1') args.push('--quick')
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const made = once(child, 'close').then(([status]) => {
    if (status !== 0) throw new Error(`Python's pack was not made (exit ${status}).`)
  })
  const [paths] = await Promise.race([once(child.stdout, 'data'), made.then(() => [''])])
  // Its failure is reported where the pack is needed.
  made.catch(() => {})
  return [String(paths).trim().split('\n'), made]
}

/** Not called .zst, which some hosts would send with a content encoding. @param {string} file */
const assetOf = (file) => `assets/${basename(file, '.pack')}.bin`

/**
 * Pyodide imports Node's modules where it runs in Node. A browser never reaches those lines: they stay unchanged
 * instead of being bundled as empty modules, each with a warning.
 * @returns {import('vite').Plugin}
 */
export function pyodideInBrowser() {
  return {
    name: 'fusescope-pyodide-in-browser',
    enforce: 'pre',
    resolveId(id, importer) {
      return id.startsWith('node:') && importer?.includes('pyodide') ? { id, external: true } : null
    },
  }
}
