// @ts-check
/**
 * Writes NAME.br and NAME.gz beside the files of dist that compress, for hosts that send such files (scripts/serve/encodings.mjs,
 * nginx's gzip_static). A host that does not know them sends the files themselves.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TYPES = new Set(['.css', '.html', '.js', '.json', '.mjs', '.py', '.ttf', '.txt', '.wasm'])
/** Smaller files fit into one packet without compression. In bytes. */
const SMALLEST = 1400
/**
 * Brotli's quality 11 saves a ninth more than 9 and takes 25 times as long; 5 takes a quarter, for 3 % more bytes. Above this size
 * 9 is slow too, in bytes.
 */
const LARGE = 12e6
/** Code of the page and the engine, which builds for hosts compress at quality 11. */
const CODE = /[\\/]assets[\\/].*\.(?:js|css)$/
/** Files of Pyodide, which are the same in each build: their best form is kept. */
const KEPT = /[\\/]pyodide-\w+[\\/]pyodide\.asm\.(?:wasm|mjs)$/

/** @param {Buffer} bytes @param {number} quality @param {number} window as a power of two */
const brotli = (bytes, quality, window) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

/**
 * At the best quality: a minute for 10 MB.
 * @param {Buffer} bytes @param {string} folder of the kept forms @param {boolean} make absent from the folder, it is made
 * @returns {Promise<Buffer | null>}
 */
async function keptBrotli(bytes, folder, make) {
  const kept = join(folder, `${createHash('sha256').update(bytes).digest('hex').slice(0, 20)}.br`)
  try {
    return await readFile(kept)
  } catch {
    if (!make) return null
    const made = await brotli(bytes, 11, 24)
    await mkdir(folder, { recursive: true })
    await writeFile(kept, made)
    return made
  }
}

/** @param {string} file @param {string} folder of the kept forms @param {boolean} best as compressFiles @returns {Promise<void>} */
async function compress(file, folder, best) {
  const bytes = await readFile(file)
  if (bytes.length < SMALLEST) return
  const [quality, level] = bytes.length > LARGE ? [4, 6] : best ? [CODE.test(file) ? 11 : 9, 9] : [5, 6]
  const kept = KEPT.test(file) ? await keptBrotli(bytes, folder, best) : null
  const made = { br: kept ?? (await brotli(bytes, quality, 22)), gz: await promisify(gzip)(bytes, { level }) }
  for (const [ending, compressed] of Object.entries(made))
    if (compressed.length < 0.9 * bytes.length) await writeFile(`${file}.${ending}`, compressed)
}

/**
 * @param {string} dist a fresh build
 * @param {string} folder keeps what is the same in each build
 * @param {boolean} best a build for a host: its visitors wait for bytes, whoever runs `npm start` waits for the build
 */
export async function compressFiles(dist, folder, best) {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => TYPES.has(extname(name)))
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let name = files.pop(); name !== undefined; name = files.pop())
        await compress(join(dist, name), folder, best)
    }),
  )
}
