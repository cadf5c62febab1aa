import { expect, test } from 'vitest'
import { joinParts, splitParts } from './pack'

test('parts are joined and split; a file that is cut is an error', () => {
  const parts = { snapshot: new Uint8Array([1, 2, 3]), stdlib: new Uint8Array([4, 5]) }
  const joined = joinParts(parts)
  expect(splitParts(joined)).toEqual(parts)
  for (const length of [0, 3, 4, 7]) expect(() => splitParts(joined.subarray(0, length))).toThrow('its file is cut')
})
