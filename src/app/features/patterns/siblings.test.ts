import { describe, expect, it } from 'vitest'
import type { EntryReport, PassReport } from '../../../engine/protocol'
import { entry, graph } from '../../../engine/queries/testing/report_fixture'
import { axisFacts, effectSentence, initialPatterns, neighborsOf, sharingInitial, sideText } from './siblings'

/** group_size reaches both sides, e8m0 the pattern alone, fast the replacement alone, name neither. */
function pass(): PassReport {
  const entries: EntryReport[] = []
  for (const group of ['128', '64'])
    for (const e8m0 of ['True', 'False'])
      for (const fast of ['True', 'False'])
        for (const name of ['a', 'b']) {
          const pattern = graph(
            `x placeholder\nq quant x\n${e8m0 === 'True' ? 'r round q\nout output r' : 'out output q'}`,
          )
          const replacement = graph('x placeholder\nf fused x\nout output f')
          pattern.nodes[1]!.kwargs = [['group_size', group]]
          replacement.nodes[1]!.kwargs = [
            ['group_size', group],
            ['fast', fast],
          ]
          const bindings = { group, e8m0, fast, name }
          const axes = ['group', 'e8m0', 'fast', 'name']
          entries.push(entry(entries.length, 'P', { bindings, axes, pattern, replacement, text: `e8m0 ${e8m0}` }))
        }
  return { name: 'p', entries } as PassReport
}

describe('siblings', () => {
  it('reports the effect of each axis, and lints axes that change one side only', () => {
    const found = axisFacts(pass(), 'P')
    expect(found.map((a) => [a.name, a.values.length, a.effect])).toEqual([
      ['group', 2, 'both'],
      ['e8m0', 2, 'pattern'],
      ['fast', 2, 'replacement'],
      ['name', 2, 'nothing'],
    ])
    expect(found.map((a) => effectSentence(a)?.slice(0, 46) ?? null)).toEqual([
      null,
      'e8m0 changes the pattern but not the replaceme',
      'fast changes the replacement but not the patte',
      'name changes neither the pattern nor the repla',
    ])
  })
  it('has no lint for an axis whose replacement could not be traced', () => {
    const p = pass()
    for (const e of p.entries) e.replacement = null
    expect(axisFacts(p, 'P').map((a) => a.effect)).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
  })
  it('lists the differences to the nearest leaf along each axis, the innermost first', () => {
    const p = pass()
    const found = neighborsOf(p, p.entries[0]!)
    expect(found.map((n) => [n.axis, n.entry.index, sideText(n.pattern)])).toEqual([
      ['name', 1, ''],
      ['fast', 2, ''],
      ['e8m0', 4, 'round'],
      ['group', 8, 'group_size=128'],
    ])
  })
  it('counts distinct initial patterns, and lists the entries that share one', () => {
    const p = pass()
    expect(initialPatterns(p, 'P')).toBe(2)
    expect(sharingInitial(p, p.entries[0]!).map((e) => e.index)).toEqual([1, 2, 3, 8, 9, 10, 11])
  })
})
