import { describe, expect, it } from 'vitest'
import { changeText, tableChanges, tableRows } from './table'
import type { FolderCounts, FolderResult } from './types'

const counts = (passes: Record<string, number | string>): FolderCounts => ({
  passes: Object.entries(passes).map(([pass, n]) => ({
    pass,
    patterns: 2,
    count: typeof n === 'number' ? n : null,
    unshaped: 0,
    error: typeof n === 'string' ? n : null,
  })),
  failure: null,
  notes: [],
  uncalled: [],
})
const failed: FolderCounts = { passes: [], failure: 'no', notes: [], uncalled: [] }
const GRAPHS = ['g', 'h']
const table = (...found: (FolderCounts | null)[]) => {
  const results: FolderResult[] = [{ folder: 'f', counts: found }]
  return { graphs: GRAPHS, rows: tableRows(results) }
}
const texts = (before: ReturnType<typeof table>, after: ReturnType<typeof table>): string[] =>
  tableChanges(before, after).map((c) => `${c.pass} ${c.graph} ${changeText(c)}`)

describe('the table', () => {
  it('has a row for each pass of any graph, and a failure in each cell that has no count', () => {
    expect(table(counts({ a: 1 }), counts({ a: 2, b: 'raised' })).rows.map((r) => [r.pass, ...r.cells])).toEqual([
      ['a', { count: 1, unshaped: 0, failure: null }, { count: 2, unshaped: 0, failure: null }],
      [
        'b',
        { count: null, unshaped: 0, failure: 'No pass of this name is registered for this graph.' },
        { count: null, unshaped: 0, failure: 'raised' },
      ],
    ])
    expect(table(failed, null).rows).toEqual([
      { folder: 'f', pass: null, patterns: 0, cells: [{ count: null, unshaped: 0, failure: 'no' }, null] },
    ])
  })

  it('lists counts that grew and fell, cells that fail or run again, and passes that come and go', () => {
    const before = table(counts({ a: 1, b: 3, c: 2 }), counts({ a: 0, b: 'no', c: 0 }))
    const after = table(counts({ a: 4, b: 2, d: 5 }), counts({ a: 'no', b: 1, d: 0 }))
    expect(texts(before, after)).toEqual([
      'a g +3',
      'a h newly failing',
      'b g −1',
      'b h runs again',
      'd g new: 5',
      'c g gone',
    ])
    expect(texts(after, after)).toEqual([])
  })

  it('compares no cell that has not run in both', () => {
    expect(texts(table(counts({ a: 1 }), null), table(null, counts({ a: 2 })))).toEqual([])
    const other = { graphs: ['x', 'h'], rows: table(counts({ a: 1 }), counts({ a: 1 })).rows }
    expect(texts(other, table(counts({ a: 9 }), counts({ a: 1 })))).toEqual([])
  })

  it('compares a folder that failed as a whole with the passes that it has now', () => {
    expect(texts(table(failed, failed), table(counts({ a: 1 }), counts({ a: 0 })))).toEqual(['a g new: 1'])
  })
})
