/**
 * Makes the memory snapshot that the app loads, and prints the path of its gzip file:
 * `node --import tsx src/python/node_build_snapshot.ts`.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { nodeAssets, snapshotFile } from './node_assets'

const assets = nodeAssets()
const file = snapshotFile(assets).replace(/bin$/, 'gz')
if (!existsSync(file)) writeFileSync(file, gzipSync(await assets.snapshot!(), { level: 9 }))
console.log(file)
