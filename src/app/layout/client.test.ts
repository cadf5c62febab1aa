import { expect, it } from 'vitest'
import { layeredView } from '../fold/testing/layered_view'
import { createLayoutClient } from './client'

it('lays a structure out once: an equal graph, or a return to one, takes the known layout', async () => {
  const client = createLayoutClient()
  const first = await client.layout(layeredView(3), 1.6)
  const other = await client.layout(layeredView(4), 1.6)
  expect(other).not.toBe(first)
  expect(await client.layout(layeredView(3), 1.6)).toBe(first)
  expect(await client.layout(layeredView(3), 1.1)).not.toBe(first)
  client.dispose()
})
