/**
 * Creates the files that the page loads for Python (start/pack.ts). Prints their paths at once and creates them if one is missing,
 * which takes 20 seconds: `node --import tsx src/python/node_build_pack.ts`. `--quick`: half of the time, for files that are an
 * eighth larger.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compress, init } from '@bokuweb/zstd-wasm'
import { nodeAssets, packFiles } from './node_assets'
import { makeSnapshot, storedStdlib } from './start/load'
import { pack, packSnapshot, withLib } from './start/pack'

const isQuick = process.argv.includes('--quick')
/** Compression level, of 22: levels above 19 take as long again for 2 %. */
const LEVEL = isQuick ? 9 : 19

const assets = nodeAssets()
const files = packFiles(assets, isQuick)
console.log(`${files.snapshot}\n${files.stdlib}`)
if (!existsSync(files.snapshot) || !existsSync(files.stdlib)) {
  const stdlib = await storedStdlib(assets)
  mkdirSync(dirname(files.stdlib), { recursive: true })
  const zip = join(dirname(files.stdlib), `stdlib-${process.pid}.zip`)
  writeFileSync(zip, stdlib)
  // Its memory holds the directory of this zip: the page need not read it.
  const { bytes, addresses } = await makeSnapshot(assets, zip)
  rmSync(zip)
  await init()
  const compressed = (part: Uint8Array): Uint8Array => compress(part, LEVEL)
  for (const [file, packed] of [
    [files.snapshot, packSnapshot(bytes, addresses, compressed)],
    [files.stdlib, pack(withLib(stdlib, assets.lib()), compressed)],
  ] as const) {
    writeFileSync(`${file}.${process.pid}`, packed)
    renameSync(`${file}.${process.pid}`, file)
  }
}
