import { describe, expect, it } from 'vitest'
import type { GraphView, NodeView } from '../../engine/protocol'
import { sketchOf } from './sketch'

const node = (name: string, op: string, inputs: number[], users: number[]): NodeView =>
  ({ name, op, target: name, inner: null, family: 'elementwise', inputs, users }) as unknown as NodeView

describe('sketchOf', () => {
  it('draws calls from left to right, without inputs, and keeps the edges between them', () => {
    const graph: GraphView = {
      nodes: [
        node('x', 'placeholder', [], [1, 2]),
        node('a', 'call_function', [0], [3]),
        node('b', 'call_function', [0], [3]),
        node('c', 'call_function', [1, 2], [4]),
        node('output', 'output', [3], []),
      ],
      problems: [],
    }
    const sketch = sketchOf(graph)!
    expect(sketch.nodes.map((n) => [n.x, n.y])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0.5],
    ])
    expect(sketch.edges).toEqual([
      [0, 2],
      [1, 2],
    ])
    expect([sketch.width, sketch.height]).toEqual([2, 2])
  })
  it('is null for a graph without calls', () => {
    expect(sketchOf({ nodes: [node('x', 'placeholder', [], [])], problems: [] })).toBeNull()
  })
})
