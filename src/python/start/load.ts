/** Loads Pyodide with our library: from a memory snapshot if there is one, otherwise cold, which takes seconds. */
import { loadPyodide, type PyodideAPI } from 'pyodide'
import { messageOf } from '../../base/error_message'
import { removeUnsafeModules, type WasmModule } from '../box/c_modules'
import { PREPARE } from './boot'
import { connectTrampoline, type TrampolineModule } from './trampoline'
import type { PythonAssets } from '../types'

const FILES = '/fusescope.json'

export async function loadPython(assets: PythonAssets): Promise<PyodideAPI> {
  const snapshot = assets.snapshot?.()
  if (snapshot)
    try {
      // Pyodide awaits it after its own files.
      snapshot.catch(() => {})
      const pyodide = await loadPyodide({ ...options(assets), _loadSnapshot: snapshot })
      connectTrampoline((pyodide as unknown as { _module: TrampolineModule })._module)
      return pyodide
    } catch (e) {
      console.warn(`Fusescope: Python starts without its memory snapshot (${messageOf(e)}).`)
    }
  const pyodide = await loadPyodide(options(assets))
  prepare(pyodide, assets, false)
  return pyodide
}

/**
 * The memory of a Python that has imported our library, for PythonAssets.snapshot. It must not grow beyond the 30 MB with
 * which Pyodide's memory begins: a larger one cannot be loaded.
 */
export async function makeSnapshot(assets: PythonAssets): Promise<Uint8Array> {
  const pyodide = await loadPyodide({ ...options(assets), _makeSnapshot: true })
  prepare(pyodide, assets, true)
  clearFreeMemory((pyodide as unknown as { _module: Allocator })._module)
  return (pyodide as unknown as { makeMemorySnapshot(): Uint8Array }).makeMemorySnapshot()
}

interface Allocator {
  HEAPU8: Uint8Array
  _malloc(bytes: number): number
  _free(pointer: number): void
  _sbrk(bytes: number): number
}

/** Part of the snapshot's name: a snapshot of the same files that is made in another way is another one. */
export const SNAPSHOT_FORM = 'free memory is zero'

/**
 * Writes zeros where the texts and trees of the start have been: half a megabyte of the compressed snapshot. Takes free blocks, from
 * large to small, until the allocator asks for new memory.
 */
function clearFreeMemory({ HEAPU8: memory, _malloc, _free, _sbrk }: Allocator): void {
  const taken: number[] = []
  for (let size = 65536; size >= 16; size /= 2)
    for (let end = _sbrk(0); _sbrk(0) === end;) {
      const block = _malloc(size)
      memory.fill(0, block, block + size)
      taken.push(block)
    }
  for (const block of taken) _free(block)
}

const options = (assets: PythonAssets): NonNullable<Parameters<typeof loadPyodide>[0]> => ({
  indexURL: assets.indexURL,
  jsglobals: Object.create(null) as object,
  stdin: () => null,
  // The order of sets is the same in every run.
  env: { PYTHONHASHSEED: '0' },
})

function prepare(pyodide: PyodideAPI, assets: PythonAssets, compileAll: boolean): void {
  pyodide.FS.writeFile(FILES, JSON.stringify(assets.lib()))
  pyodide.runPython(PREPARE.replaceAll('FILES', FILES).replace('COMPILE', compileAll ? 'True' : 'False'))
  removeUnsafeModules((pyodide as unknown as { _module: WasmModule })._module)
}
