// @ts-check
/**
 * The command line as one file, cli/main.mjs in the cache folder, made when it is missing or older than its sources: from one file
 * it starts in a tenth of the time that the TypeScript sources take.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cacheFolder } from './cache-folder.mjs'
import { root } from './lib.mjs'
import { withLock } from './lock.mjs'

const SOURCES = ['src', 'package-lock.json', 'scripts/cli-bundle.mjs']

/** Names, sizes and times of the sources: reading a thousand files would take longer than the command. @returns {string} */
function stampOf() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const files = /\.\w+$/.test(source) ? [''] : readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
    for (const file of files.sort()) {
      if (source === 'src' && !/\.(?:ts|txt|json)$/.test(file)) continue
      const { mtimeMs, size } = statSync(join(root, source, file))
      hash.update(`${source}/${file} ${mtimeMs} ${size}\n`)
    }
  }
  return hash.digest('hex')
}

/**
 * Builds the bundle if necessary.
 * @returns {Promise<string | null>} its URL; null where it cannot be written
 */
export async function cliBundle() {
  const cache = cacheFolder()
  if (cache === null) return null
  // Read by src/python/node_assets.ts and src/cli/box/rights.ts.
  if (cache !== join(root, '.cache')) process.env.FUSESCOPE_CACHE = cache
  const folder = join(cache, 'cli')
  const stamp = stampOf()
  const target = join(folder, stamp.slice(0, 20))
  const main = pathToFileURL(join(target, 'main.mjs')).href
  const isBuilt = () => {
    try {
      return readFileSync(join(target, 'stamp'), 'utf8') === stamp
    } catch {
      return false
    }
  }
  if (isBuilt()) return main
  try {
    // Without the lock, commands that start at the same time remove each other's bundle, and run user code without a box.
    return await withLock(join(cache, 'cli.lock'), async () => {
      if (isBuilt()) return main
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(target, { recursive: true })
      await bundle(target)
      writeFileSync(join(target, 'stamp'), stamp)
      return main
    })
  } catch {
    return null
  }
}

/** @param {string} outDir */
async function bundle(outDir) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    publicDir: false,
    plugins: [ownUrls()],
    ssr: { noExternal: true, external: ['pyodide'] },
    build: {
      ssr: 'src/cli/main.ts',
      outDir,
      target: 'node20',
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'main.mjs' } },
    },
  })
}

/**
 * `import.meta.url` stays the URL of the source, beside which the files lie that it names.
 * @returns {import('vite').Plugin}
 */
function ownUrls() {
  return {
    name: 'fusescope-own-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.url')) return null
      return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null }
    },
  }
}
