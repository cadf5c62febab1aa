import { expect, test } from 'vitest'
import { cutUnused, exchangeDelta, growFor, type FirstModule } from './memory_delta'

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

test('a snapshot holds whole pages up to the last used byte, and the memory grows to hold it', () => {
  const PAGE = 65536
  const whole = new Uint8Array(8 + 5 * PAGE)
  new DataView(whole.buffer).setUint32(4, 8, true)
  const snapshot = cutUnused(whole, 2 * PAGE + 1)
  expect(snapshot.length).toBe(8 + 3 * PAGE)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const module = {
    memory,
    HEAPU8: new Uint8Array(memory.buffer),
    _emscripten_notify_memory_growth: () => (module.HEAPU8 = new Uint8Array(memory.buffer)),
  }
  for (let again = 0; again < 2; again++) {
    growFor(snapshot, module as FirstModule)
    expect(module.HEAPU8.length).toBe(3 * PAGE)
  }
})
