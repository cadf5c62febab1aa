import { expect, it } from 'vitest'
import { useWorkspace } from '../session/workspace_store'
import { fused, graph } from '../../engine/queries/testing/report_fixture'
import { highlightOf } from './highlight'
import { rewriteMap } from './rewrite_map'

const before = graph(`
    x placeholder
    a aten.relu.default x
    b aten.neg.default a
    c aten.exp.default b
    out output c`)
const after = graph(`
    x placeholder
    abc my.abc.default x
    out output abc`)

it('follows what a pass added and a later one replaced', () => {
  const map = rewriteMap(before, after, [
    { nodes: ['a', 'b'], added: ['ab'] },
    { nodes: ['ab', 'c'], added: ['abc'] },
  ])
  expect(['a', 'b', 'c', 'x'].map((n) => map.before.get(n))).toEqual([['abc'], ['abc'], ['abc'], undefined])
  expect(map.after.get('abc')).toEqual(['a', 'b', 'c'])
})

it('lights what replaced a selected node, and the nodes that a selected one replaced', () => {
  const report = fused()
  const lit = (side: 'before' | 'after', name: string): string[][] => {
    const h = highlightOf({ kind: 'node', side, name }, report, report.graph, useWorkspace.getState().workspace)
    return [[...h.before], [...h.after]]
  }
  expect(lit('before', 'relu')).toEqual([['relu'], ['fused']])
  expect(lit('after', 'fused')).toEqual([['relu', 'neg'], ['fused']])
  expect(lit('before', 'x')).toEqual([['x'], ['x']])
})
