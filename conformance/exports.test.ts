import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readCapture } from '../src/engine/capture/read'
import { nameOfPass, runsOf } from '../src/engine/capture/runs'
import type { Report } from '../src/engine/protocol'
import { EXAMPLE_IDS } from '../scripts/examples'

type Counts = Record<string, Record<string, number>>
const json = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as T
const recorded = json<{ counts: Record<string, Counts> }>('examples/exports.json')

it.each(EXAMPLE_IDS)('%s: the exported script counts on PyTorch what the page shows', (id) => {
  const report = json<Report>(`../public/examples/${id}/report.json`)
  const { graph } = json<{ graph: { name: string } }>(`../public/examples/${id}/workspace.json`)
  const shown: Counts = { [graph.name]: Object.fromEntries(report.passes.map((p) => [p.name, p.count])) }
  for (const column of report.columns ?? [])
    shown[column.graph] = Object.fromEntries(
      report.passes.map((p, i) => [p.name, column.fired[i]!.reduce((sum, n) => sum + n, 0)]),
    )
  expect(recorded.counts[id]).toEqual(shown)
})

const exported = Object.entries(json<{ counts: Record<string, Counts> }>('captures/exports.json').counts)

it.each(exported)('%s: the exported script of a capture counts what PyTorch recorded', (name, counts) => {
  const [capture, run] = name.split('.') as [string, string]
  const file = new URL(`captures/${capture}.fusescope.gz`, import.meta.url)
  const read = readCapture(gunzipSync(readFileSync(file)).toString(), capture)
  if (!read.ok) throw new Error(read.error.message)
  const { applications } = read.value
  expect(runsOf(read.value).map((r) => r.run)).toContain(Number(run))
  const names = new Map<number, string>()
  const recordedCounts: Record<string, number> = {}
  for (const a of applications.filter((x) => x.run === Number(run))) {
    if (!names.has(a.pass)) names.set(a.pass, nameOfPass(read.value, a.pass, names))
    const pass = names.get(a.pass)!
    recordedCounts[pass] = (recordedCounts[pass] ?? 0) + a.count!
  }
  expect(counts).toEqual({ 'captured_graph.py.txt': recordedCounts })
})
