/**
 * Writes the exported script of each graph of each capture, for ../examples/record_exports.py.
 *
 *     npx tsx conformance/captures/export_scripts.ts FOLDER [NAME…]
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readCapture } from '../../src/engine/capture/read'
import { runsOf } from '../../src/engine/capture/runs'
import { workspaceOfCapture } from '../../src/engine/capture/workspace'
import { createSession } from '../../src/engine/session/session'
import { nodeAssets } from '../../src/python/node_assets'

const [folder, ...names] = process.argv.slice(2)
if (!folder) throw new Error('export_scripts.ts FOLDER [NAME…]')
const captures = new URL('.', import.meta.url).pathname
const END = '.fusescope.gz'
const all = readdirSync(captures).flatMap((f) => (f.endsWith(END) ? [f.slice(0, -END.length)] : []))
mkdirSync(folder, { recursive: true })
const session = createSession(nodeAssets())
await session.ready
for (const name of names.length > 0 ? names : all) {
  const text = gunzipSync(readFileSync(join(captures, name + END))).toString()
  const capture = readCapture(text, `${name}.fusescope`)
  if (!capture.ok) throw new Error(capture.error.message)
  for (const { run } of runsOf(capture.value)) {
    session.analyze(workspaceOfCapture(capture.value, text, run))
    const script = session.exported('script')
    writeFileSync(join(folder, `${name}.${run}.py`), script.text)
    console.log([`${name}.${run}: ${script.text.length} characters`, ...script.notes.slice(1)].join('\n  '))
  }
}
