/**
 * Points Python at the trampoline of this runtime after a start from a snapshot. On WebAssembly, CPython calls C functions
 * through a trampoline that adapts the number of arguments: a tiny module where the runtime has WebAssembly GC, otherwise
 * JavaScript, which makes each call several times slower. Pyodide stores its index in Python's memory and then loads the
 * snapshot over it, whose index is from the runtime that made it (Node 20: none).
 */

/** The parts of Pyodide's Emscripten module that are used; none is documented (pyodide 314.0). */
export interface TrampolineModule {
  HEAPU8: Uint8Array
  wasmTable: WebAssembly.Table
  __PyRuntime: number
  /** The address of the index's offset in _PyRuntime. */
  __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: number
}

/** @returns whether the runtime has the WebAssembly trampoline */
export function connectTrampoline(module: TrampolineModule): boolean {
  const { HEAPU8, wasmTable, __PyRuntime: runtime, __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: offsetAt } = module
  const heap = new Int32Array(HEAPU8.buffer)
  const last = wasmTable.length - 1
  const found = isTrampoline(wasmTable.get(last) as unknown)
  heap[(runtime + heap[offsetAt / 4]!) / 4] = found ? last : 0
  return found
}

/** Pyodide adds it last. A WebAssembly function has its index as its name; this one is alone in its module. */
const isTrampoline = (entry: unknown): boolean =>
  typeof entry === 'function' && entry.name === '0' && entry.length === 5
