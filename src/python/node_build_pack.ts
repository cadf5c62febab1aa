/**
 * Makes the files that the page loads of Python (start/pack.ts). Prints their paths at once and makes them where one is missing, which
 * takes 20 seconds: `node --import tsx src/python/node_build_pack.ts`.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compress, init } from '@bokuweb/zstd-wasm'
import { nodeAssets, packFiles } from './node_assets'
import { makeSnapshot, storedStdlib } from './start/load'
import { pack, withLib } from './start/pack'

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
  const snapshot = await makeSnapshot(assets, zip)
  rmSync(zip)
  await init()
  for (const [file, bytes] of [
    [files.snapshot, snapshot],
    [files.stdlib, withLib(stdlib, assets.lib())],
  ] as const) {
    writeFileSync(
      `${file}.${process.pid}`,
      pack(bytes, (part) => compress(part, LEVEL)),
    )
    renameSync(`${file}.${process.pid}`, file)
  }
}
