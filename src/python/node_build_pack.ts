/**
 * Makes the file that the page loads of Python (start/pack.ts). Prints its path at once and makes it where it is missing, which
 * takes 20 seconds: `node --import tsx src/python/node_build_pack.ts`.
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { compress, init } from '@bokuweb/zstd-wasm'
import { nodeAssets, snapshotFile } from './node_assets'
import { storedStdlib } from './start/load'
import { joinParts } from './start/pack'

/** Level 19 of 22: those above take as long again for 2 %. */
const LEVEL = 19

const assets = nodeAssets()
const file = snapshotFile(assets).replace(/bin$/, 'pack')
console.log(file)
if (!existsSync(file)) {
  const parts = { snapshot: await assets.snapshot!(), stdlib: await storedStdlib(assets) }
  await init()
  writeFileSync(`${file}.${process.pid}`, compress(joinParts(parts), LEVEL))
  renameSync(`${file}.${process.pid}`, file)
}
