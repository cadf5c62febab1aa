/** The keys by which the page and the engine keep graphs. */
import { expect, it } from 'vitest'
import { hashText } from '../../base/hash'
import { graphKey } from './graph_key'

/** A search of 13 s on one core found them. */
const COLLIDING = ['# 332b8fdf3977e', '# 1e3aac4010655d'] as const

it('differ for two texts that were made to have one hash of 53 bits', () => {
  const [a, b] = COLLIDING
  expect(hashText(a)).toBe(hashText(b))
  expect(graphKey({ name: 'a', text: a })).not.toBe(graphKey({ name: 'b', text: b }))
})
