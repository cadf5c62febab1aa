/**
 * `npm run examples`: writes public/examples/index.json, the bases of links (public/bases), and workspace.json and
 * report.json of each example, so that the first screen needs no Python. `npm run examples -- ID…` makes only these
 * reports, `--no-reports` makes none.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeSnapshot } from '../src/workspace/link'
import { baseHash } from '../src/workspace/link_v2'
import {
  basesDir,
  EXAMPLE_IDS,
  exampleIndex,
  examplesDir,
  exampleSnapshot,
  exampleWorkspace,
  stableReport,
} from './examples'
import { reportedFailures } from './reported'

const named = process.argv.slice(2).filter((a) => !a.startsWith('-'))
const unknown = named.find((id) => !EXAMPLE_IDS.includes(id))
if (unknown) throw new Error(`public/examples/${unknown} has no about.json`)
const ids = named.length > 0 ? named : EXAMPLE_IDS

const write = (path: string, value: unknown) => {
  const text = `${JSON.stringify(value)}\n`
  writeFileSync(join(examplesDir, path), text)
  console.log(`${path}: ${(text.length / 1024).toFixed(0)} KiB`)
}

for (const id of ids) write(`${id}/workspace.json`, exampleWorkspace(id))
if (!process.argv.includes('--no-reports')) {
  // Imported late: the workspaces can be written before the engine can run.
  const { createSession } = await import('../src/engine/session/session')
  const { nodeAssets } = await import('../src/python/node_assets')
  const session = createSession(nodeAssets())
  await session.ready
  for (const id of ids) {
    const { report } = session.analyzeWhole(exampleWorkspace(id))
    if (report.python) throw new Error(`${id}: ${report.python.traceback}`)
    write(`${id}/report.json`, stableReport(report))
    for (const pass of report.passes) console.log(`  ${pass.name}: ${pass.entries.length} entries, ${pass.count} fired`)
  }
}
// Links made with an older base need that base forever: bases are added, and never removed once published.
mkdirSync(basesDir, { recursive: true })
const bases: Record<string, string> = {}
for (const id of EXAMPLE_IDS) {
  const link = await encodeSnapshot(exampleSnapshot(id))
  bases[id] = baseHash(link)
  writeFileSync(join(basesDir, `${bases[id]}.txt`), link)
}
writeFileSync(join(basesDir, 'index.json'), `${JSON.stringify(bases, null, 1)}\n`)
write('index.json', exampleIndex())
write('../reported.json', reportedFailures())
