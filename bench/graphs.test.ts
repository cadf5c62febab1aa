/** The graphs of the benches have the outline that their figures are of. */
import { expect, it } from 'vitest'
import { indexedOutlineOf } from '../src/fx'
import { chain, vllmLike32 } from './graphs'

it('three chained models are three periods of 32 layers each, the last one of each included', () => {
  const groups = indexedOutlineOf(chain(vllmLike32().graph, 3))
  expect(groups.slice(0, 2).map((g) => [g.times, g.nodes])).toEqual([
    [3, 1352],
    [96, 42],
  ])
})
