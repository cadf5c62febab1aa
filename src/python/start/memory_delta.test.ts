import { expect, test } from 'vitest'
import { exchangeDelta } from './memory_delta'

test('a snapshot becomes its difference to the first memory, and a snapshot again', () => {
  const snapshot = new Uint8Array(8 + 6)
  new DataView(snapshot.buffer).setUint32(4, 8, true)
  snapshot.set([1, 2, 3, 4, 5, 6], 8)
  const whole = snapshot.slice()
  const first = new Uint8Array([1, 2, 3, 0])
  exchangeDelta(snapshot, first)
  expect([...snapshot.subarray(8)]).toEqual([0, 0, 0, 4, 5, 6])
  exchangeDelta(snapshot, first)
  expect(snapshot).toEqual(whole)
})

test('damaged bytes, whose memory begins beyond their end, stay as they are', () => {
  const damaged = new Uint8Array(16).fill(255)
  exchangeDelta(damaged, new Uint8Array([1, 2]))
  expect(damaged).toEqual(new Uint8Array(16).fill(255))
})
