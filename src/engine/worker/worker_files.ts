/** Provides Pyodide's files inside the worker: Pyodide requests them with fetch, and the page has sent them. */
import type { LateLibrary } from '../../python/start/late_library'
import { LATER } from '../../python/start/load'
import { Arriving, unpack } from '../../python/start/pack'
import type { PythonAssets } from '../../python/types'
import type { PythonBytes, PythonFiles } from './wire'

/** The files that arrive after the start. */
interface Late {
  readonly library: LateLibrary
  lib: PythonAssets['lib']
  loadLib(): Promise<void>
}

/** The files that the page sends for the start. */
export class StartFiles {
  /** Rejects if the page could not load them. */
  readonly bytes: Promise<PythonBytes>
  private settle!: (bytes: PythonBytes | string) => void
  private readonly arriving = new Arriving()
  private damaged = false

  constructor() {
    this.bytes = new Promise<PythonBytes>((resolve, reject) => {
      this.settle = (sent) => (typeof sent === 'string' ? reject(new Error(sent)) : resolve(sent))
    })
  }

  /** A part of the packed snapshot, which is unpacked while the rest arrives. */
  push(chunk: Uint8Array): void {
    try {
      this.arriving.push(chunk)
    } catch {
      this.damaged = true
    }
  }

  receive(bytes: PythonBytes | string): void {
    this.settle(bytes)
  }

  /** @throws Error if it could not be loaded */
  async snapshot(): Promise<Uint8Array> {
    const { snapshot } = await this.bytes
    if (snapshot instanceof Blob) throw new Error('it could not be loaded')
    const { bytes, packed } = snapshot
    if (packed && !this.damaged && this.arriving.size === bytes.size) return this.arriving.whole()
    return unpacked(await bytes.arrayBuffer(), packed)
  }
}

/**
 * Replaces `fetch` and `WebAssembly.instantiateStreaming`, which Pyodide calls and the lockdown removes.
 */
export function assetsOf({ indexURL, packs }: PythonFiles, files: StartFiles, late: Late): PythonAssets {
  const { bytes } = files
  const { library } = late
  // Its code is loaded and compiled separately.
  const code = import(/* @vite-ignore */ `${indexURL}pyodide.asm.mjs`)
  // The start reports the error.
  code.catch(() => {})
  const answers: Record<string, () => Promise<BodyInit | null>> = {
    // Its module comes from `bytes`.
    [`${indexURL}pyodide.asm.wasm`]: async () => null,
    [`${indexURL}${LATER}`]: async () => null,
    [`${indexURL}python_stdlib.zip`]: async () => {
      const { snapshot } = await bytes
      if (snapshot instanceof Blob) return snapshot
      // The snapshot could not be loaded.
      await library.arrived
      return library.bytes as Uint8Array<ArrayBuffer>
    },
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
  const module = async () => (await code).default
  const snapshot = packs && { snapshot: () => files.snapshot(), late: library }
  return { indexURL, module, lib: () => late.lib(), loadLib: () => late.loadLib(), ...snapshot }
}

/** @throws Error if the file is damaged */
export function unpacked(bytes: ArrayBuffer, packed: boolean): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(bytes)
  return packed ? unpack(content) : content
}
