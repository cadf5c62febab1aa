import { describe, expect, it } from 'vitest'
import { drawnGraph } from '../../fold/drawn'
import { structureOf } from '../../fold/grouping'
import { layeredView } from '../../fold/testing/layered_view'
import { layoutGraph, toLayoutInput } from '../../layout'
import { itemsOfNodes } from '../regions'
import type { CanvasGroup } from '../types'
import { foundIn } from '../useMarked'
import { entryOf } from './entry'
import { framesOf, labelOf, labelsOf, type DrawnFrame } from './frames'
import { divideGroups, tallyText } from './tallies'

const view = layeredView(8)
const drawn = drawnGraph(view, structureOf(view), new Set(['0/3', '2/3']))
const group = (id: string, kind: CanvasGroup['kind'], ...nodes: string[]): CanvasGroup => ({
  ...{ id, nodes, color: 0, letter: 'A', label: '', kind },
})

describe('blocks', () => {
  it('count the groups inside them; a group with drawn nodes is drawn', () => {
    const groups = [0, 1, 2, 3].map((k) => group(`m${k}`, 'match', `c${k}`, `d${k}`))
    const found = divideGroups(drawn, [...groups, group('n', 'nearMiss', 'a5'), group('o', 'match', 'd2', 'c3')])
    expect(found.drawn.map((g) => g.id)).toEqual(['m3', 'o'])
    const [before, after] = [drawn.indexOf.get('c0')!, drawn.indexOf.get('c7')!]
    expect(found.tallies.get(before)!.map(tallyText)).toEqual(['3 matches'])
    expect(found.tallies.get(after)!.map(tallyText)).toEqual(['1 near miss'])
    expect(found.tallies.get(before)![0]!.group).toBe('m0')
  })

  it('count what Find found in them', () => {
    const marks = new Map([
      ['a5', 'found' as const],
      ['b6', 'found' as const],
      ['c7', 'added' as const],
      ['c3', 'found' as const],
    ])
    expect([...foundIn(drawn, marks)]).toEqual([[drawn.indexOf.get('a5')!, 2]])
  })

  it('are entered by the arrow keys along an edge', () => {
    const block = drawn.blocks.get(drawn.indexOf.get('a5')!)!
    expect(entryOf(drawn, block, 'd3', 'down')).toBe('a4')
    expect(entryOf(drawn, block, 'end', 'up')).toBe('d7')
    expect(entryOf(drawn, block, null, 'up')).toBe('d7')
  })
})

it('frames surround what an open instance draws', () => {
  const layout = layoutGraph(toLayoutInput(drawn))
  const itemsOf = drawn.nodes.map((_, n) => layout.items.flatMap((item, i) => (item.node === n ? [i] : [])))
  const [layer, mlp] = framesOf(drawn, layout, itemsOf)
  expect([layer!.title, mlp!.title]).toEqual(['▾ layer 3', '▾ MLP'])
  const items = itemsOfNodes({ layout, itemsOf } as never, new Set([drawn.indexOf.get('c3')!]))
  for (const i of items) {
    const [box, item] = [mlp!.boxes[0]!, layout.items[i]!]
    expect(item.x > box.x && item.y > box.y && item.x + item.w < box.x + box.w).toBe(true)
  }
  expect(mlp!.boxes[0]!.w).toBeLessThan(layer!.boxes[0]!.w)
  expect(labelOf(layer!, 0.1)!.size).toBeGreaterThan(labelOf(layer!, 1)!.size)
})

it('drops the labels of frames that would overlap in the overview: outer frames have priority', () => {
  const frame = (instance: number, level: number, y: number): DrawnFrame => ({
    ...{ instance, level, title: '▾ layer 3' },
    boxes: [{ x: 0, y, w: 200, h: 90 }],
  })
  const frames = [frame(0, 0, 0), frame(1, 1, 10), frame(2, 0, 100), frame(3, 0, 900)]
  const shown = (zoom: number): number[] => labelsOf(frames, zoom).map((l) => l.frame.instance)
  expect(shown(1)).toEqual([0, 2, 3, 1])
  expect(shown(0.05)).toEqual([0, 3, 1])
})
