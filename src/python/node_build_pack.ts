/**
 * Makes the files that the page loads of Python (start/pack.ts). Prints their paths at once and makes them where one is missing, which
 * takes 20 seconds: `node --import tsx src/python/node_build_pack.ts`.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compress, init } from '@bokuweb/zstd-wasm'
import { nodeAssets, packFiles } from './node_assets'
import { makeSnapshot, storedStdlib } from './start/load'
import { pack, packSnapshot, withLib } from './start/pack'

/** Level 19 of 22: those above take as long again for 2 %. */
const LEVEL = 19

const assets = nodeAssets()
const files = packFiles(assets)
console.log(`${files.snapshot}\n${files.stdlib}`)
if (!existsSync(files.snapshot) || !existsSync(files.stdlib)) {
  await assets.snapshot!()
  const stdlib = await storedStdlib(assets)
  const zip = join(dirname(files.stdlib), `stdlib-${process.pid}.zip`)
  writeFileSync(zip, stdlib)
  // Its memory holds the directory of this zip: the page need not read it.
  const { bytes, addresses } = await makeSnapshot(assets, zip)
  rmSync(zip)
  await init()
  const compress19 = (part: Uint8Array): Uint8Array => compress(part, LEVEL)
  for (const [file, packed] of [
    [files.snapshot, packSnapshot(bytes, addresses, compress19)],
    [files.stdlib, pack(withLib(stdlib, assets.lib()), compress19)],
  ] as const) {
    writeFileSync(`${file}.${process.pid}`, packed)
    renameSync(`${file}.${process.pid}`, file)
  }
}
