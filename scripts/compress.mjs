// @ts-check
/**
 * Writes NAME.br and NAME.gz beside the files of dist that compress, for hosts that send such files (scripts/serve/encodings.mjs,
 * nginx's gzip_static). A host that does not know them sends the files themselves.
 */
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TYPES = new Set(['.css', '.html', '.js', '.json', '.mjs', '.py', '.ttf', '.txt', '.wasm'])
/** Smaller files fit into one packet as they are. In bytes. */
const SMALLEST = 1400
/** Quality 11 saves a twelfth more and takes 25 times as long; above this size 9 is slow too, in bytes. */
const LARGE = 12e6

/** @param {string} file @returns {Promise<void>} */
async function compress(file) {
  const bytes = await readFile(file)
  if (bytes.length < SMALLEST) return
  const [quality, level] = bytes.length > LARGE ? [4, 6] : [9, 9]
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const made = { br: await promisify(brotliCompress)(bytes, { params }), gz: await promisify(gzip)(bytes, { level }) }
  for (const [ending, compressed] of Object.entries(made))
    if (compressed.length < 0.9 * bytes.length) await writeFile(`${file}.${ending}`, compressed)
}

/** @param {string} dist a fresh build */
export async function compressFiles(dist) {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => TYPES.has(extname(name)))
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let name = files.pop(); name !== undefined; name = files.pop()) await compress(join(dist, name))
    }),
  )
}
