// @ts-check
import { copyFileSync, createReadStream, mkdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/**
 * Files that Pyodide fetches from its indexURL; the app serves them as `pyodide/<name>`.
 * @type {Readonly<Record<string, string>>}
 */
export const PYODIDE_FILES = {
  'pyodide.asm.mjs': 'text/javascript',
  'pyodide.asm.wasm': 'application/wasm',
  'python_stdlib.zip': 'application/zip',
  'pyodide-lock.json': 'application/json',
}

/**
 * Serves Pyodide's own files in dev, and copies them into the build.
 * @returns {import('vite').Plugin}
 */
export function pyodideFiles() {
  const source = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))
  let outDir = 'dist'
  return {
    name: 'fusescope-pyodide-files',
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
      if (process.env.FUSESCOPE_TEST_PAGES === '1') return
      const target = join(outDir, 'pyodide')
      mkdirSync(target, { recursive: true })
      for (const name of Object.keys(PYODIDE_FILES)) copyFileSync(join(source, name), join(target, name))
    },
  }
}

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
