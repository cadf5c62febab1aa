/** Gives Pyodide its files inside the worker: it asks for them with fetch, and the page has sent them. */
import type { LateLibrary } from '../../python/start/late_library'
import { LATER } from '../../python/start/load'
import { unpack } from '../../python/start/pack'
import type { PythonAssets } from '../../python/types'
import type { PythonBytes, PythonFiles } from './wire'

/**
 * Replaces `fetch` and `WebAssembly.instantiateStreaming`, which Pyodide calls and the lockdown removes.
 * @param bytes rejects if the page could not load them
 * @param library the standard library, which follows
 */
export function assetsOf(
  { indexURL, packs }: PythonFiles,
  bytes: Promise<PythonBytes>,
  library: LateLibrary,
  lib: PythonAssets['lib'],
): PythonAssets {
  const answers: Record<string, () => Promise<BodyInit | null>> = {
    // Its module is taken from `bytes`.
    [`${indexURL}pyodide.asm.wasm`]: async () => null,
    [`${indexURL}${LATER}`]: async () => null,
    [`${indexURL}python_stdlib.zip`]: async () => {
      const { snapshot } = await bytes
      if (snapshot instanceof Blob) return snapshot
      // The snapshot could not be loaded.
      await library.arrived
      return library.bytes as Uint8Array<ArrayBuffer>
    },
    [`${indexURL}pyodide-lock.json`]: async () => (await bytes).lock,
  }
  self.fetch = async (url) => {
    const answer = answers[String(url)]
    if (!answer) throw new TypeError(`${String(url)} is not a file of Python`)
    return new Response(await answer())
  }
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = (await bytes).wasm
    return { module, instance: await WebAssembly.instantiate(module, imports) }
  }
  const snapshot = async (): Promise<Uint8Array> => {
    const { snapshot } = await bytes
    if (snapshot instanceof Blob) throw new Error('it could not be loaded')
    return unpacked(await snapshot.bytes.arrayBuffer(), snapshot.packed)
  }
  const module = async () => (await import(/* @vite-ignore */ `${indexURL}pyodide.asm.mjs`)).default
  return { indexURL, module, lib, ...(packs !== null && { snapshot, late: library }) }
}

/** @throws Error if the file is damaged */
export function unpacked(bytes: ArrayBuffer, packed: boolean): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(bytes)
  return packed ? unpack(content) : content
}
