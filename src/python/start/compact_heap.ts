/**
 * Removes data from a memory snapshot that follows from the rest and does not compress (a tenth of the packed file): the hashes of
 * strings, and the links of the list of objects that the garbage collector skips (gc.freeze in boot.ts). The layout is that of
 * 32-bit CPython 3.14. A string is a reference count, its type, its length, its hash, its form and then its characters, or two more
 * words before them; a collected object is preceded by the addresses of the next and the previous object, with flags in their two
 * low bits.
 */
import { DATA_BYTES } from './memory_delta'

/** Addresses in Python's memory. */
export interface HeapAddresses {
  /** The class `str`. */
  str: number
  /** The head of the collector's list, and its first object's links. */
  list: number
  first: number
}

/** The data that `fillIn` needs. */
export interface HeapMarks extends HeapAddresses {
  /** Replaces a hash that is left out. */
  blank: number
}

const FLAGS = 3

/**
 * Sorts the collector's list by address, which has no visible effect, because Python never walks this list.
 * @param object the address of one of its objects
 * @returns the marks of the list; null if its layout differs from the one described here
 */
export function sortList(memory: Uint32Array, object: number): Omit<HeapAddresses, 'str'> | null {
  const start = object - 8
  const nodes: number[] = []
  for (let at = start; at !== start || nodes.length === 0; at = memory[at / 4]! & ~FLAGS) {
    if (nodes.length > memory.length || !(at + 4 < memory.length * 4)) return null
    nodes.push(at)
  }
  // The head is in the data of Python's code, before the heap.
  const [list, ...sorted] = nodes.sort((a, b) => a - b) as [number, ...number[]]
  if (sorted.length === 0 || list >= DATA_BYTES || sorted[0]! < DATA_BYTES) return null
  sorted.forEach((at, i) => link(memory, sorted[i - 1] ?? list, at))
  link(memory, sorted.at(-1)!, list)
  return { list, first: sorted[0]! }
}

function link(memory: Uint32Array, from: number, to: number): void {
  memory[from / 4] = (memory[from / 4]! & FLAGS) | to
  memory[to / 4 + 1] = (memory[to / 4 + 1]! & FLAGS) | from
}

/** @returns the memory without the data that `fillIn` restores; null if it would not restore it exactly */
export function leftOut(
  memory: Uint32Array,
  addresses: HeapAddresses,
): { left: Uint32Array<ArrayBuffer>; marks: HeapMarks } | null {
  const left = memory.slice()
  const hashes = new Set<number>()
  eachString(memory, addresses.str, (hash) => hashes.add(memory[hash]!))
  let blank = 0
  while (hashes.has(blank)) blank++
  const marks = { ...addresses, blank }
  for (let at = marks.first; at !== marks.list;) {
    const next = memory[at / 4]! & ~FLAGS
    // An object's distance to the next object repeats; its address does not.
    left[at / 4] = (memory[at / 4]! & FLAGS) | (next === marks.list ? 0 : next - at)
    left[at / 4 + 1]! &= FLAGS
    at = next
  }
  eachString(memory, marks.str, (hash, computed) => {
    if (memory[hash] === computed) left[hash] = blank
  })
  const whole = left.slice()
  fillIn(whole, marks)
  return whole.every((word, i) => word === memory[i]) ? { left, marks } : null
}

export function fillIn(memory: Uint32Array, marks: HeapMarks): void {
  for (let at = marks.first, before = marks.list; ;) {
    const gap = memory[at / 4]! & ~FLAGS
    const next = gap === 0 ? marks.list : at + gap
    memory[at / 4] = (memory[at / 4]! & FLAGS) | next
    memory[at / 4 + 1]! |= before
    if (gap === 0) break
    before = at
    at = next
  }
  eachString(memory, marks.str, (hash, computed) => {
    if (memory[hash] === marks.blank) memory[hash] = computed
  })
}

/**
 * Maximum length of a string whose hash is left out, in bytes: a longer candidate is another kind of data that resembles a string.
 */
const LONGEST = 65536

/**
 * Calls `visit` with the index of each string's hash, and the hash that Python will compute; includes words that only resemble a
 * string.
 */
function eachString(memory: Uint32Array, str: number, visit: (hash: number, computed: number) => void): void {
  const end = memory.length - LONGEST / 4
  for (let i = DATA_BYTES / 4; i < end; i++) {
    if (memory[i] !== str) continue
    const form = memory[i + 3]!
    const bytes = memory[i + 1]! * ((form >> 2) & 7)
    if (form & 0x20 && bytes > 0 && bytes < LONGEST) visit(i + 2, hashOf(memory, i + (form & 0x40 ? 4 : 6), bytes))
  }
}

/** CPython's hash of bytes in 32 bits (Fowler, Noll and Vo, by words and the last one by bytes), unsigned. Its secret is 0: see PYTHONHASHSEED in load.ts. */
function hashOf(memory: Uint32Array, at: number, bytes: number): number {
  const rest = bytes % 4 || 4
  const last = at + (bytes - rest) / 4
  let hash = (memory[at]! & 0xff) << 7
  for (let i = at; i < last; i++) hash = Math.imul(1000003, hash) ^ memory[i]!
  for (let bit = 0; bit < rest * 8; bit += 8) hash = Math.imul(1000003, hash) ^ ((memory[last]! >>> bit) & 0xff)
  hash ^= bytes
  return (hash === -1 ? -2 : hash) >>> 0
}
