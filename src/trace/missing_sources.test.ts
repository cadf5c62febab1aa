import { expect, test } from 'vitest'
import { Graph } from '../fx'
import { MissingSources } from './missing_sources'

const node = (graph: Graph, name: string) => graph.createNode('placeholder', name, [], new Map(), name)

test('lists the sources of a node in the order of its inputs', () => {
  const graph = new Graph()
  const [a, b, sum, again] = ['a', 'b', 'sum', 'again'].map((n) => node(graph, n))
  const missing = new MissingSources()
  missing.addSource(a!, [a!])
  missing.addSource(b!, [b!])
  missing.addDependent(sum!, [b!, a!])
  missing.addDependent(again!, [sum!, a!])
  expect([...missing.sourcesOf(sum!)!]).toEqual([b, a])
  expect(missing.size).toBe(4)
  expect(missing.sourcesOf(node(graph, 'known'))).toBeUndefined()
  // A set that adds nothing is not copied.
  expect(missing.sourcesOf(again!)).toBe(missing.sourcesOf(sum!))
})
