/**
 * Writes the exported script of each example, for record_exports.py.
 *
 *     npx tsx conformance/examples/export_scripts.ts FOLDER [ID…]
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSession } from '../../src/engine/session/session'
import { nodeAssets } from '../../src/python/node_assets'
import type { Workspace } from '../../src/workspace/types'

const [folder, ...ids] = process.argv.slice(2)
if (!folder) throw new Error('export_scripts.ts FOLDER [ID…]')
const examples = new URL('../../public/examples/', import.meta.url).pathname
const all = readdirSync(examples, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? [e.name] : []))
mkdirSync(folder, { recursive: true })
const session = createSession(nodeAssets())
await session.ready
for (const id of ids.length > 0 ? ids : all) {
  const workspace = JSON.parse(readFileSync(join(examples, id, 'workspace.json'), 'utf8')) as Workspace
  session.analyze(workspace)
  const { text, notes } = session.exported('script')
  writeFileSync(join(folder, `${id}.py`), text)
  console.log([`${id}: ${text.length} characters`, ...notes].join('\n  '))
}
