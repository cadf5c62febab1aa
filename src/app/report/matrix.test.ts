import { expect, it } from 'vitest'
import type { Workspace } from '../../workspace/types'
import { entry, pass, report, WORKSPACE } from '../../engine/queries/testing/report_fixture'
import { firedOn, matrixOf, matrixSentence } from './matrix'

const graphs = ['b.txt', 'c.txt'].map((name) => ({ name, text: '' }))
const workspace: Workspace = { ...WORKSPACE, graph: { name: 'a.txt', text: '' }, graphs, graphAt: 1 }

/** Three patterns on the graphs b, a and c. */
const matrix = (fired: number[][], known = fired.length) => {
  const entries = [128, 64].map((n, i) => entry(i, 'Quant', { bindings: { key: `kDynamic${n}` }, axes: ['key'] }))
  const passes = [pass({ name: 'p', entries: [...entries, entry(2, 'Other')] })]
  const columns = fired.map((f, i) => ({ graph: ['b.txt', 'a.txt', 'c.txt'][i]!, fired: [f], problem: null }))
  return matrixOf(report({ passes, columns }), workspace, known)
}

it('lists the graphs in order, marks the shown one, and labels rows by their differences', () => {
  const { rows, columns } = matrix(
    [
      [1, 0, 0],
      [0, 2, 0],
    ],
    1,
  )
  expect(columns.map((c) => [c.label, c.shown, c.old, c.fired])).toEqual([
    ['b', false, false, [1, 0, 0]],
    ['a', true, true, [0, 2, 0]],
    ['c', false, false, [null, null, null]],
  ])
  expect(rows.map((r) => r.short)).toEqual(['…128', '…64', 'Other'])
})

it('summarizes the table in one sentence', () => {
  const sentence = (fired: number[][]): string => matrixSentence(matrix(fired))
  expect(sentence([[1, 0, 0]])).toBe('1 of 3 graphs counted so far.')
  expect(
    sentence([
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 1],
    ]),
  ).toBe('3 patterns on 3 graphs: each graph fires exactly one pattern, each a different one.')
  expect(
    sentence([
      [1, 1, 0],
      [0, 1, 0],
      [0, 0, 0],
    ]),
  ).toBe('3 patterns on 3 graphs: 1 fires one pattern, 1 fires several, 1 fires none. 1 pattern fires on none.')
})

it('counts places that match if the missing shapes allow apart from matches', () => {
  const columns = [
    { graph: 'b.txt', fired: [[0, 1]], unshaped: [[2, 0]], problem: null },
    { graph: 'a.txt', fired: [[0, 1]], problem: null },
  ]
  const passes = [pass({ name: 'p', entries: [entry(0, 'One'), entry(1, 'Two')] })]
  expect(matrixOf(report({ passes, columns }), workspace, 2).columns.map((c) => c.unshaped)).toEqual([
    [2, 0],
    [0, 0],
    [0, 0],
  ])
  expect(['b.txt', 'a.txt'].map((g) => firedOn(columns, g))).toEqual([
    ' (1 match, 2 if the shapes allow)',
    ' (1 match)',
  ])
})
