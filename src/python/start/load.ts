/** Loads Pyodide with our library: from a memory snapshot if there is one, otherwise cold, which takes seconds. */
import { loadPyodide, type PyodideAPI } from 'pyodide'
import { messageOf } from '../../base/error_message'
import { removeUnsafeModules, type WasmModule } from '../box/c_modules'
import { PREPARE, READ_STDLIB } from './boot'
import { sortList, type HeapAddresses } from './compact_heap'
import { beginOf, cutUnused, exchangeDelta, growFor, withFirstModule } from './memory_delta'
import { connectTrampoline, type TrampolineModule } from './trampoline'
import type { PythonAssets } from '../types'

/** The texts of our Python files as JSON. After a start from a snapshot, they are provided on demand (file_tree.ts). */
const FILES = '/fusescope.json'

/**
 * Stands for the standard library that arrives later (late_library.ts): a name beside Pyodide's files, under which PythonAssets has
 * an empty file.
 */
export const LATER = 'later.zip'

/** A Python and, if it was started from a snapshot, the bytes of that memory, which are no longer needed. */
export interface Loaded {
  pyodide: PyodideAPI
  spare: Uint8Array | null
}

export async function loadPython(assets: PythonAssets): Promise<Loaded> {
  const snapshot = assets.snapshot?.()
  if (snapshot)
    try {
      // Pyodide awaits it after its own files, and before it makes its module.
      let bytes: Uint8Array = new Uint8Array()
      const read = snapshot.then((b) => (bytes = b))
      read.catch(() => {})
      const createPyodideModule = withFirstModule(assets, (first) => {
        exchangeDelta(bytes, first.HEAPU8)
        growFor(bytes, first)
      })
      const pyodide = await loadPyodide({
        ...options(assets),
        ...(assets.late && { stdLibURL: `${assets.indexURL}${LATER}` }),
        _loadSnapshot: read,
        createPyodideModule,
      })
      if (!assets.late) pyodide.runPython(READ_STDLIB)
      pyodide.FS.writeFile(FILES, '')
      connectTrampoline((pyodide as unknown as { _module: TrampolineModule })._module)
      return { pyodide, spare: bytes.subarray(beginOf(bytes)) }
    } catch (e) {
      console.warn(`Fusescope: Python starts without its memory snapshot (${messageOf(e)}).`)
    }
  const pyodide = await loadPyodide(options(assets))
  await assets.loadLib?.()
  prepare(pyodide, assets, false)
  return { pyodide, spare: null }
}

/** `addresses`: null if the memory layout differs from the one described in compact_heap.ts. */
export interface Snapshot {
  bytes: Uint8Array
  addresses: HeapAddresses | null
}

/**
 * The memory of a Python that has imported our library, for PythonAssets.snapshot (memory_delta.ts).
 * @param stdlib the path of the standard library's zip, whose directory the memory holds; absent: Pyodide's own
 */
export async function makeSnapshot(assets: PythonAssets, stdlib?: string): Promise<Snapshot> {
  let first: Uint8Array = new Uint8Array()
  const createPyodideModule = withFirstModule(assets, ({ HEAPU8 }) => (first = HEAPU8.slice()))
  const pyodide = await loadPyodide({
    ...options(assets),
    ...(stdlib !== undefined && { stdLibURL: stdlib }),
    _makeSnapshot: true,
    createPyodideModule,
  })
  prepare(pyodide, assets, true)
  const { _module } = pyodide as unknown as { _module: Allocator }
  const [str, object] = JSON.parse(pyodide.runPython(ADDRESSES) as string) as [number, number]
  clearFreeMemory(_module)
  const list = sortList(new Uint32Array(_module.HEAPU8.buffer), object)
  const whole = (pyodide as unknown as { makeMemorySnapshot(): Uint8Array }).makeMemorySnapshot()
  const bytes = cutUnused(whole, _module._sbrk(0))
  exchangeDelta(bytes, first)
  return { bytes, addresses: list && { str, ...list } }
}

/** Addresses of `str`, and of an object in the list of gc.freeze. */
const ADDRESSES = `str([id(str), id(__import__('sys').modules)])`

/** The zip of the standard library without compression. */
export async function storedStdlib(assets: PythonAssets): Promise<Uint8Array> {
  const pyodide = await loadPyodide(options(assets))
  pyodide.runPython(STORE_STDLIB)
  return pyodide.FS.readFile(STORED) as Uint8Array
}

const STORED = '/stored.zip'
const STORE_STDLIB = `
import sys, zipfile
packed = next(p for p in sys.path if p.endswith('.zip'))
with zipfile.ZipFile(packed) as source, zipfile.ZipFile('${STORED}', 'w', zipfile.ZIP_STORED) as target:
    for info in source.infolist():
        target.writestr(zipfile.ZipInfo(info.filename, info.date_time), source.read(info))
`

interface Allocator {
  HEAPU8: Uint8Array
  _malloc(bytes: number): number
  _free(pointer: number): void
  _sbrk(bytes: number): number
}

/** Part of the snapshot's name: a snapshot of the same files that is created differently has another name. */
export const SNAPSHOT_FORM =
  'free memory is zero, data of the code is left out, the library is apart with the texts of ours, code that is not imported is bytes, no columns, two frames, no hashes and links'

/**
 * Writes zeros over memory used by the start's texts and trees: half a megabyte of the compressed snapshot. Allocates free blocks,
 * from large to small, until the allocator asks for new memory, once per size.
 */
function clearFreeMemory(module: Allocator): void {
  const taken: number[] = []
  for (let size = 16384; size >= 16; size /= 2)
    for (let end = module._sbrk(0); module._sbrk(0) === end;) {
      const block = module._malloc(size)
      // Not kept in a variable: the memory may have grown.
      module.HEAPU8.fill(0, block, block + size)
      taken.push(block)
    }
  for (const block of taken) module._free(block)
}

/** Replaces Pyodide's list of packages, because none is loaded; Pyodide does not start from a list of another version. */
const NO_PACKAGES = JSON.stringify({ info: { abi_version: '2026_0' }, packages: {} })

const options = (assets: PythonAssets): NonNullable<Parameters<typeof loadPyodide>[0]> => ({
  indexURL: assets.indexURL,
  lockFileContents: NO_PACKAGES,
  jsglobals: Object.create(null) as object,
  stdin: () => null,
  // Fixes the order of sets in every run.
  env: { PYTHONHASHSEED: '0' },
})

function prepare(pyodide: PyodideAPI, assets: PythonAssets, compileAll: boolean): void {
  pyodide.FS.writeFile(FILES, JSON.stringify(assets.lib()))
  pyodide.runPython(PREPARE.replaceAll('FILES', FILES).replaceAll('COMPILE', compileAll ? 'True' : 'False'))
  removeUnsafeModules((pyodide as unknown as { _module: WasmModule })._module)
}
