import { describe, expect, it } from 'vitest'
import { carriedMisses } from '../features/share/carried_misses'
import { highlightOf } from '../report/highlight'
import { statusText } from '../../engine/queries/report_text'
import { snapshotSchema } from '../../workspace'
import type { ReportSummary } from '../../workspace/types'
import { reportOf, summaryOf } from './summary'
import { fused, WORKSPACE } from '../../engine/queries/testing/report_fixture'

describe('a link’s summary', () => {
  it('is made from a report', () => {
    expect(summaryOf(fused())).toEqual({
      nodesBefore: 4,
      nodesAfter: 3,
      passes: [
        {
          name: 'patterns',
          count: 1,
          entries: 3,
          fired: [{ entry: 0, title: 'Fuse', count: 1, letter: 'A1', colour: 0 }],
        },
      ],
      matches: [{ pass: 'patterns', index: 0, entry: 0, node: 'neg', nodes: ['relu', 'neg'] }],
      notes: ['size is 1 in the graph, 2 in the pattern'],
    })
  })
  it('is shown as a report: its matches, and the number of patterns that did not fire', () => {
    const r = reportOf(summaryOf(fused()), WORKSPACE)
    expect(statusText(r)).toBe('1 match')
    expect(r.passes[0]!.entries.map((e) => e.fired)).toEqual([1, 0, 0])
    expect([...highlightOf({ kind: 'match', pass: 'patterns', index: 0 }, r, fused().graph, WORKSPACE).before]).toEqual(
      ['relu', 'neg'],
    )
  })

  /** As a link stores and parses it. */
  const sent = (summary: ReportSummary): ReportSummary => {
    const view = { selection: null, mode: 'before', panel: 'whynot', openFile: 'a.py' }
    const text = JSON.stringify({ v: 1, workspace: WORKSPACE, view, summary })
    return snapshotSchema.parse(JSON.parse(text)).summary!
  }

  it('carries near misses: the selection, its place, both sides and the badge are the sender’s', () => {
    const from = fused()
    const selection = { kind: 'nearMiss', pass: 'patterns', index: 0 } as const
    const summary = sent(summaryOf(from, carriedMisses(from, selection)))
    const to = reportOf(summary, WORKSPACE, from.graph)
    const [there, here] = [from, to].map((r) => highlightOf(selection, r, from.graph, WORKSPACE))
    expect([here!.before, here!.culprit, here!.place]).toEqual([there!.before, there!.culprit, there!.place])
    expect(to.passes[0]!.nearMisses[0]).toMatchObject({
      sentence: 'size is 1 in the graph, 2 in the pattern',
      causes: [{ argument: 'size', expected: '2', found: '1', stage: 'specific' }],
    })
    expect(to.passes[0]!.entries[1]).toMatchObject({ title: 'Fuse', bindings: { key: 'b', size: '1' }, fired: 0 })
  })

  it('leaves out near misses of an unknown form, and keeps the rest', () => {
    const summary = summaryOf(fused(), carriedMisses(fused(), null))
    const wrong = JSON.parse(JSON.stringify(summary)) as { passes: { nearMisses: { anchors: unknown }[] }[] }
    wrong.passes[0]!.nearMisses[0]!.anchors = 'neg'
    const read = sent(wrong as unknown as ReportSummary)
    expect(read.passes[0]).toMatchObject({ count: 1, entries: 3 })
    expect(read.passes[0]!.nearMisses).toBeUndefined()
  })
})
