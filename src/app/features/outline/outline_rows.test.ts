import { expect, it } from 'vitest'
import { structureOf } from '../../fold/grouping'
import { layeredView } from '../../fold/testing/layered_view'
import { treeMove } from '../../commands/tree_keys'
import { countsOf, outlineRows } from './outline_rows'

const view = layeredView(3)
const [layer, ...parts] = view.outline!
const differs = [{ instance: 1, what: 'has no add', nodes: [] }]
const grouping = structureOf({ ...view, outline: [{ ...layer!, differs }, ...parts] })!

it('lists groups and instances, and what is inside an open one', () => {
  const labels = (toggled: string[]): string[] =>
    outlineRows(grouping, new Set(toggled)).map((r) => `${'  '.repeat(r.depth)}${r.label}`)
  expect(labels([])).toEqual(['Layer × 3', '  layer 0', '  layer 1', '  layer 2'])
  expect(labels(['0/1'])).toEqual(['Layer × 3', '  layer 0', '  layer 1', '    attention', '    MLP', '  layer 2'])
  expect(labels(['0@'])).toEqual(['Layer × 3'])
  expect(outlineRows(grouping, new Set()).map((r) => r.differs)).toEqual(['1 of 3 differ', null, 'has no add', null])
})

it('counts in an instance and in those around it', () => {
  const at = (name: string): number => view.nodes.findIndex((n) => n.name === name)
  const counts = countsOf(grouping, [at('a1'), at('c1'), at('x'), undefined])
  const byLabel = outlineRows(grouping, new Set(['0/1'])).map((r) => counts[r.instances[0]!])
  expect(byLabel).toEqual([0, 0, 2, 1, 1, 0])
})

it('moves by the keys of a tree', () => {
  const rows = outlineRows(grouping, new Set(['0/1']))
  expect(treeMove(rows, '0@', 'ArrowRight')).toEqual({ go: '0/0' })
  expect(treeMove(rows, '0/0', 'ArrowRight')).toEqual({ toggle: '0/0' })
  expect(treeMove(rows, '0/1', 'ArrowLeft')).toEqual({ toggle: '0/1' })
  expect(treeMove(rows, '1/1', 'ArrowLeft')).toEqual({ go: '0/1' })
  expect(treeMove(rows, '0@', 'End')).toEqual({ go: '0/2' })
  expect(treeMove(rows, '0/2', 'ArrowDown')).toBeNull()
})
