import { compress, init } from '@bokuweb/zstd-wasm'
import { beforeAll, expect, test } from 'vitest'
import { fillIn, leftOut, sortList, type HeapAddresses } from './compact_heap'
import { DATA_BYTES } from './memory_delta'
import { pack, packSnapshot, unpack } from './pack'

beforeAll(() => init())

const STR = 3222768
const LIST = 1000
const BEGIN = 128

/** A memory with the links of three collected objects, and strings. */
function memoryOf(texts: readonly string[]): { memory: Uint32Array<ArrayBuffer>; object: number; strings: number[] } {
  const memory = new Uint32Array((DATA_BYTES + 262144) / 4)
  const nodes = [LIST, DATA_BYTES + 160, DATA_BYTES + 80, DATA_BYTES + 320]
  nodes.forEach((at, i) => {
    memory[at / 4] = nodes[(i + 1) % nodes.length]! | (i % 2)
    memory[at / 4 + 1] = nodes.at(i - 1)! | (i % 3)
  })
  const strings = texts.map((text, i) => {
    const at = DATA_BYTES + 1024 + 256 * i
    const latin = [...text].every((c) => c < '\x80')
    memory.set([1, STR, text.length, 0xffffffff, latin ? 0x64 : 0x28], at / 4)
    const units = new Uint8Array(memory.buffer, at + (latin ? 20 : 28))
    for (const [j, c] of [...text].entries()) {
      if (latin) units[j] = c.charCodeAt(0)
      else new DataView(memory.buffer, units.byteOffset).setUint16(2 * j, c.charCodeAt(0), true)
    }
    return at / 4 + 3
  })
  return { memory, object: nodes[1]! + 8, strings }
}

/** Behind a header, as Pyodide's. */
function snapshotOf(memory: Uint32Array): Uint8Array {
  const snapshot = new Uint8Array(BEGIN + 4 * memory.length)
  new DataView(snapshot.buffer).setUint32(4, BEGIN, true)
  snapshot.set(new Uint8Array(memory.buffer), BEGIN)
  return snapshot
}

const compressed = (part: Uint8Array): Uint8Array => compress(part, 1)

const addressesOf = (memory: Uint32Array, object: number): HeapAddresses => ({ str: STR, ...sortList(memory, object)! })

test("the collector's list is in the order of addresses and keeps its flags", () => {
  const { memory, object } = memoryOf([])
  expect(sortList(memory, object)).toEqual({ list: LIST, first: DATA_BYTES + 80 })
  const nodes = [LIST, DATA_BYTES + 80, DATA_BYTES + 160, DATA_BYTES + 320]
  nodes.forEach((at, i) => {
    expect(memory[at / 4]! & ~3).toBe(nodes[(i + 1) % 4])
    expect(memory[at / 4 + 1]! & ~3).toBe(nodes.at(i - 1))
  })
  expect([LIST, DATA_BYTES + 160, DATA_BYTES + 80, DATA_BYTES + 320].map((at) => memory[at / 4]! & 3)).toEqual([
    0, 1, 0, 1,
  ])
})

test('another layout is no list', () => {
  expect(sortList(new Uint32Array(64), 128)).toBeNull()
  const { memory, object } = memoryOf([])
  memory[(DATA_BYTES + 80) / 4] = 0xfffffffc
  expect(sortList(memory, object)).toBeNull()
})

test('hashes that follow from their strings are left out and come back', () => {
  const { memory, object, strings } = memoryOf(['abc', 'torch', 'é→', 'unhashed'])
  const addresses = addressesOf(memory, object)
  // Of Pyodide's Python, started with PYTHONHASHSEED=0.
  ;[-1600925533, -397407951, -1195493748, -1].forEach((hash, i) => (memory[strings[i]!] = hash))
  const { left, marks } = leftOut(memory, addresses)!
  expect(strings.map((at) => left[at])).toEqual([0, 0, 0, 0xffffffff])
  fillIn(left, marks)
  expect(Buffer.compare(new Uint8Array(left.buffer), new Uint8Array(memory.buffer))).toBe(0)
})

test('a hash that is like one that was left out stays', () => {
  const { memory, object, strings } = memoryOf(['abc', 'torch'])
  memory[strings[0]!] = 0
  memory[strings[1]!] = -397407951
  const { left, marks } = leftOut(memory, addressesOf(memory, object))!
  expect(strings.map((at) => left[at])).toEqual([0, 1])
  fillIn(left, marks)
  expect(strings.map((at) => left[at])).toEqual([0, -397407951 >>> 0])
})

test('a memory with which something else would come back is packed as it is', () => {
  const { memory, object } = memoryOf([])
  const addresses = addressesOf(memory, object)
  memory[addresses.first / 4 + 1] = 0
  expect(leftOut(memory, addresses)).toBeNull()
  const snapshot = snapshotOf(memory)
  const packed = packSnapshot(snapshot, addresses, compressed)
  expect(packed).toEqual(pack(snapshot, compressed))
  expect(Buffer.compare(unpack(packed), snapshot)).toBe(0)
})

test('a packed snapshot is unpacked with what was left out', () => {
  const { memory, object, strings } = memoryOf(['abc'])
  const addresses = addressesOf(memory, object)
  memory[strings[0]!] = -1600925533 >>> 0
  const snapshot = snapshotOf(memory)
  const packed = packSnapshot(snapshot, addresses, compressed)
  expect(Buffer.compare(packed, pack(snapshot, compressed))).not.toBe(0)
  expect(Buffer.compare(unpack(packed), snapshot)).toBe(0)
})
