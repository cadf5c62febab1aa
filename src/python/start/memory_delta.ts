/**
 * A memory snapshot as its difference to the memory with which WebAssembly begins: the data of Pyodide's code is in its
 * .wasm file, and need not be loaded twice (1.2 of 7.8 MB compressed).
 */
import type { PyodideConfig } from 'pyodide'
import type { PythonAssets } from '../types'

/** What Pyodide gives its module before it starts, as far as it is used here. */
interface Settings {
  preRun: ((module: { HEAPU8: Uint8Array }) => void)[]
}

/** The part of the memory that is compared: the data of Pyodide's code (3.3 MB) lies in it. In bytes. */
const DATA_BYTES = 4 << 20

/** For loadPyodide: calls `act` with the memory before any of Pyodide's code has run. */
export const withFirstMemory =
  ({ module }: PythonAssets, act: (memory: Uint8Array) => void): NonNullable<PyodideConfig['createPyodideModule']> =>
  async (settings) => {
    const { preRun } = settings as unknown as Settings
    preRun.unshift(({ HEAPU8 }) => act(HEAPU8))
    return (await module())(settings)
  }

/**
 * Replaces the memory in a snapshot of Pyodide by its difference to `first`, or the other way around.
 * @param first the memory of a Pyodide of the same files before any of its code has run
 */
export function exchangeDelta(snapshot: Uint8Array, first: Uint8Array): void {
  // The second word of Pyodide's header: where the memory begins.
  const begin = new DataView(snapshot.buffer, snapshot.byteOffset).getUint32(4, true)
  const end = Math.min(DATA_BYTES, first.length, snapshot.length - begin)
  for (let i = 0; i < end; i++) snapshot[begin + i]! ^= first[i]!
}
