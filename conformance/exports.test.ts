import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
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
