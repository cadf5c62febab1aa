/** Gives Pyodide its files inside the worker: it asks for them with fetch, and the page has sent them. */
import type { PythonAssets } from '../../python/types'
import type { PackedSnapshot, PythonBytes, PythonFiles } from './wire'

/**
 * Replaces `fetch` and `WebAssembly.instantiateStreaming`, which Pyodide calls and the lockdown removes.
 * @param bytes rejects if the page could not load them
 */
export function assetsOf(
  { indexURL, snapshotURL }: PythonFiles,
  bytes: Promise<PythonBytes>,
  lib: PythonAssets['lib'],
): PythonAssets {
  const answers: Record<string, (b: PythonBytes) => Response> = {
    // Its module is taken from `bytes`.
    [`${indexURL}pyodide.asm.wasm`]: () => new Response(null),
    [`${indexURL}python_stdlib.zip`]: (b) => new Response(b.stdlib),
    [`${indexURL}pyodide-lock.json`]: (b) => new Response(b.lock),
  }
  self.fetch = async (url) => {
    const answer = answers[String(url)]
    if (!answer) throw new TypeError(`${String(url)} is not a file of Python`)
    return answer(await bytes)
  }
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = (await bytes).wasm
    return { module, instance: await WebAssembly.instantiate(module, imports) }
  }
  const snapshot = async (): Promise<Uint8Array> => unpacked((await bytes).snapshot)
  const module = async () => (await import(/* @vite-ignore */ `${indexURL}pyodide.asm.mjs`)).default
  return { indexURL, module, lib, ...(snapshotURL !== null && { snapshot }) }
}

/** @throws Error if there is no snapshot or it is not gzip */
async function unpacked(snapshot: PackedSnapshot | null): Promise<Uint8Array> {
  if (!snapshot) throw new Error('it could not be loaded')
  const { bytes, gzip } = snapshot
  if (!gzip) return new Uint8Array(await bytes.arrayBuffer())
  const stream = bytes.stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
