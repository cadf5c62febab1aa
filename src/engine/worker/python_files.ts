/**
 * Python's files, which the page loads for the engine's worker: the worker may not connect to anything (box_frame.ts).
 * They are kept, so that the next worker starts without the network; WebAssembly is compiled once for all workers.
 */
import type { PythonBytes, PythonFiles } from './wire'

let loaded: Promise<PythonBytes> | null = null

/** @throws Error with the file that cannot be loaded; the next call tries again */
export function pythonBytes(files: PythonFiles): Promise<PythonBytes> {
  loaded ??= load(files).catch((error: unknown) => {
    loaded = null
    throw error
  })
  return loaded
}

async function load({ indexURL, snapshotURL }: PythonFiles): Promise<PythonBytes> {
  const blob = async (url: string): Promise<Blob> => (await fetched(url)).blob()
  const [wasm, stdlib, lock, snapshot] = await Promise.all([
    WebAssembly.compileStreaming(fetched(`${indexURL}pyodide.asm.wasm`)),
    blob(`${indexURL}python_stdlib.zip`),
    blob(`${indexURL}pyodide-lock.json`),
    // Without it, Python starts cold.
    snapshotURL === null ? null : blob(snapshotURL).catch(() => null),
  ])
  return { wasm, stdlib, lock, snapshot }
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: status ${response.status}`)
  return response
}
