/** Gives Pyodide its files inside the worker: it asks for them with fetch, and the page has sent them. */
import { splitParts, unpack, type PythonParts } from '../../python/start/pack'
import type { PythonAssets } from '../../python/types'
import type { PythonBytes, PythonFiles } from './wire'

/**
 * Replaces `fetch` and `WebAssembly.instantiateStreaming`, which Pyodide calls and the lockdown removes.
 * @param bytes rejects if the page could not load them
 */
export function assetsOf(
  { indexURL, packURL }: PythonFiles,
  bytes: Promise<PythonBytes>,
  lib: PythonAssets['lib'],
): PythonAssets {
  const parts = bytes.then(unpacked)
  // Without a snapshot, only Pyodide asks for it.
  parts.catch(() => {})
  const answers: Record<string, () => Promise<BodyInit | null>> = {
    // Its module is taken from `bytes`.
    [`${indexURL}pyodide.asm.wasm`]: async () => null,
    [`${indexURL}python_stdlib.zip`]: async () => (await parts).stdlib,
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
    const { snapshot } = await parts
    if (!snapshot) throw new Error('it could not be loaded')
    return snapshot
  }
  const module = async () => (await import(/* @vite-ignore */ `${indexURL}pyodide.asm.mjs`)).default
  return { indexURL, module, lib, ...(packURL !== null && { snapshot }) }
}

/** @throws Error if the file is damaged */
async function unpacked({
  parts,
}: PythonBytes): Promise<PythonParts<Uint8Array<ArrayBuffer>> | { snapshot: null; stdlib: Blob }> {
  if (parts instanceof Blob) return { snapshot: null, stdlib: parts }
  const bytes = new Uint8Array(await parts.bytes.arrayBuffer())
  return splitParts(parts.packed ? unpack(bytes) : bytes)
}
