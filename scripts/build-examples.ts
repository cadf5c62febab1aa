/**
 * `npm run examples`: writes public/examples/index.json and each example's workspace.json and report.json, the report
 * made by the engine, so that the first screen needs no Python.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXAMPLE_IDS, exampleIndex, examplesDir, exampleWorkspace, stableReport } from './examples'

const write = (path: string, value: unknown) => {
  const text = `${JSON.stringify(value)}\n`
  mkdirSync(join(examplesDir, path, '..'), { recursive: true })
  writeFileSync(join(examplesDir, path), text)
  console.log(`${path}: ${(text.length / 1024).toFixed(0)} KiB`)
}

write('index.json', exampleIndex())
for (const id of EXAMPLE_IDS) write(`${id}/workspace.json`, exampleWorkspace(id))
if (!process.argv.includes('--no-reports')) {
  // Imported late: the workspaces can be written before the engine can run.
  const { createSession } = await import('../src/engine/session')
  const { nodeAssets } = await import('../src/python/node_assets')
  const session = createSession(nodeAssets())
  await session.ready
  for (const id of EXAMPLE_IDS) {
    const { report } = session.analyzeWhole(exampleWorkspace(id))
    if (report.python) throw new Error(`${id}: ${report.python.traceback}`)
    write(`${id}/report.json`, stableReport(report))
    for (const pass of report.passes) console.log(`  ${pass.name}: ${pass.entries.length} entries, ${pass.count} fired`)
  }
}
