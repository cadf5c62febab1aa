/**
 * A memory snapshot as the difference to WebAssembly's initial memory: the data of Pyodide's code is in its .wasm file, and need
 * not be loaded twice (1.2 of 7.8 MB compressed).
 */
import type { PyodideConfig } from 'pyodide'
import type { PythonAssets } from '../types'

/** The part of Pyodide's module, before it starts, that is used here. */
interface Settings {
  preRun: ((module: FirstModule) => void)[]
}

/** Pyodide's module before any of its code has run. */
export interface FirstModule {
  readonly HEAPU8: Uint8Array
  memory: WebAssembly.Memory
  /** Recreates HEAPU8 and similar views for the current memory. */
  _emscripten_notify_memory_growth(index: number): void
}

/** The part of the memory that is compared: the data of Pyodide's code (3.3 MB) lies in it. In bytes. */
export const DATA_BYTES = 4 << 20

/** For loadPyodide: calls `act` with the module before any of Pyodide's code has run. */
export const withFirstModule =
  ({ module }: PythonAssets, act: (module: FirstModule) => void): NonNullable<PyodideConfig['createPyodideModule']> =>
  async (settings) => {
    const { preRun } = settings as unknown as Settings
    preRun.unshift(act)
    return (await module())(settings)
  }

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 65536

/** The second word of Pyodide's header: the offset of the memory. */
export const beginOf = (snapshot: Uint8Array): number =>
  new DataView(snapshot.buffer, snapshot.byteOffset).getUint32(4, true)

/** Cuts unused memory from the end of a snapshot, because memory grows by more than requested. @param used bytes of the used part */
export const cutUnused = (snapshot: Uint8Array, used: number): Uint8Array =>
  snapshot.subarray(0, beginOf(snapshot) + Math.ceil(used / PAGE) * PAGE)

/**
 * Makes the memory as large as the snapshot's, because Pyodide copies the snapshot into the existing memory, which begins with 30
 * MB.
 */
export function growFor(snapshot: Uint8Array, module: FirstModule): void {
  const missing = snapshot.length - beginOf(snapshot) - module.HEAPU8.length
  if (missing <= 0) return
  module.memory.grow(Math.ceil(missing / PAGE))
  module._emscripten_notify_memory_growth(0)
}

/**
 * Replaces the memory in a snapshot of Pyodide by its difference to `first`, or the other way around.
 * @param first the memory of a Pyodide of the same files before any of its code has run
 */
export function exchangeDelta(snapshot: Uint8Array, first: Uint8Array): void {
  const begin = beginOf(snapshot)
  const end = Math.min(DATA_BYTES, first.length, snapshot.length - begin)
  // Compares word by word if both are aligned: byte by byte would take a tenth of the start.
  const words = (snapshot.byteOffset + begin) % WORD === 0 && first.byteOffset % WORD === 0 ? end >> 2 : 0
  const [target, source] = [wordsOf(snapshot, begin, words), wordsOf(first, 0, words)]
  for (let i = 0; i < words; i++) target[i]! ^= source[i]!
  for (let i = words * WORD; i < end; i++) snapshot[begin + i]! ^= first[i]!
}

const WORD = 4
const wordsOf = ({ buffer, byteOffset }: Uint8Array, from: number, words: number): Uint32Array =>
  words > 0 ? new Uint32Array(buffer, byteOffset + from, words) : new Uint32Array()
