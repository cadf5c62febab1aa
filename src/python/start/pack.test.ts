import { compress, init } from '@bokuweb/zstd-wasm'
import { beforeAll, expect, test } from 'vitest'
import { Arriving, fromLibrary, pack, unpack, withLib } from './pack'

beforeAll(() => init())

const LEVEL = 1
const file = Uint8Array.from({ length: (5 << 20) + 3 }, (_, i) => (i * i) >> 7)
const packed = (): Uint8Array => pack(file, (part) => compress(part, LEVEL))

test('a file is unpacked whole, or while it arrives', () => {
  expect(Buffer.compare(unpack(packed()), file)).toBe(0)
  for (const size of [1, 3, 65536]) {
    const arriving = new Arriving()
    const bytes = packed().subarray(0)
    for (let at = 0; at < bytes.length; at += at < 20 ? size : 65536)
      arriving.push(bytes.subarray(at, at < 20 ? at + size : at + 65536))
    expect(arriving.size).toBe(bytes.length)
    expect(Buffer.compare(arriving.whole(), file)).toBe(0)
  }
})

test('a small file is one part', () => {
  const small = Uint8Array.of(1, 2, 3)
  expect(unpack(pack(small, (part) => compress(part, LEVEL)))).toEqual(small)
})

test('a file that ends early is an error', () => {
  const bytes = packed()
  for (const end of [0, 4, 100, bytes.length - 9]) expect(() => unpack(bytes.subarray(0, end))).toThrow()
})

test('the library holds the texts of our files behind the zip', () => {
  const { zip, lib } = fromLibrary(withLib(Uint8Array.of(80, 75), { 'a.py': 'é' }))
  expect([...zip]).toEqual([80, 75])
  expect(lib()).toEqual({ 'a.py': 'é' })
})
