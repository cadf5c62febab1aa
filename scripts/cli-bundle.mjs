// @ts-check
/**
 * The command line as one file, from which it starts in a tenth of the time that the TypeScript sources take: in the package
 * cli/main.mjs, in a checkout a file in the cache folder, made when it is missing or older than its sources. Beside it, there,
 * lessons.mjs plays lessons: what runs in the box of user code is a bundle.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cacheFolder } from './cache-folder.mjs'
import { isPackage, root } from './lib.mjs'
import { withLock } from './lock.mjs'

const SOURCES = ['src', 'scripts', 'package-lock.json']

/** Names, sizes and times of the sources: reading a thousand files would take longer than the command. @returns {string} */
function stampOf() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const files = /\.\w+$/.test(source) ? [''] : readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
    for (const file of files.sort()) {
      if (file !== '' && !/\.(?:ts|mjs|txt|json)$/.test(file)) continue
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
  // Read by src/python/node_assets.ts and src/cli/box/rights.ts.
  if (cache !== null && cache !== join(root, '.cache')) process.env.FUSESCOPE_CACHE = cache
  if (isPackage) return pathToFileURL(join(root, 'cli/main.mjs')).href
  if (cache === null) return null
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
      await bundle(target, { lessons: 'scripts/play-lessons.ts' })
      writeFileSync(join(target, 'stamp'), stamp)
      return main
    })
  } catch {
    return null
  }
}

/**
 * The bundle of the package: `outDir`/main.mjs, and the library and its worker beside it. It finds its files from its own place, and Python in the built page.
 * @param {string} outDir a folder of the package's root
 */
export const packedBundle = (outDir) =>
  bundle(
    join(root, outDir),
    { library: 'src/library/index.ts', worker: 'src/library/node_worker.ts' },
    {
      urlOf: (file) =>
        `new URL(${JSON.stringify(`../${relative(root, file).replaceAll('\\', '/')}`)},import.meta.url).href`,
      define: { __BUILT_PAGE__: '"../../dist/assets/"' },
    },
  )

/**
 * @param {string} outDir
 * @param {Record<string, string>} more entries beside main
 * @param {{ urlOf?: (file: string) => string, define?: Record<string, string> }} [options] `urlOf`: the expression of the URL
 * of a source, beside which the files lie that it names
 */
async function bundle(outDir, more, { urlOf = (file) => JSON.stringify(pathToFileURL(file).href), define = {} } = {}) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    publicDir: false,
    plugins: [ownUrls(urlOf)],
    define,
    // Vite makes the bundle, and is not part of it.
    ssr: { noExternal: true, external: ['vite'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: true,
      rolldownOptions: {
        input: { main: 'src/cli/main.ts', ...more },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
}

/**
 * `import.meta.url` stays the URL of the source.
 * @param {(file: string) => string} urlOf
 * @returns {import('vite').Plugin}
 */
function ownUrls(urlOf) {
  return {
    name: 'fusescope-own-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!/^(?:src|scripts)[/\\]/.test(relative(root, id)) || !code.includes('import.meta.url')) return null
      return { code: code.replaceAll('import.meta.url', urlOf(id)), map: null }
    },
  }
}
