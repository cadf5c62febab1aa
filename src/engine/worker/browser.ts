/** Starts the engine's worker in a browser. */
import { createClient, type EngineClient, type EnginePort } from './client'
import workerUrl from './engine.worker?worker&url'

/**
 * The worker is started from a blob: URL whose text imports the real one: a worker loaded from a URL obeys only its own
 * response headers, while a blob: worker inherits the page's Content-Security-Policy on any host.
 */
function startWorker(): EnginePort {
  const url = new URL(workerUrl, document.baseURI).href
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)}`], { type: 'text/javascript' }))
  // Never revoked: the worker reads it later, and it is one line long.
  return new Worker(blob, { type: 'module', name: 'fusescope engine' }) as unknown as EnginePort
}

/** The path of Python's memory snapshot in the build; empty in dev (scripts/vite/pyodide.mjs). */
declare const __PYTHON_SNAPSHOT__: string

export function createEngineClient(onReady?: (ms: number) => void): EngineClient {
  const files = {
    indexURL: new URL('pyodide/', document.baseURI).href,
    snapshotURL: __PYTHON_SNAPSHOT__ === '' ? null : new URL(__PYTHON_SNAPSHOT__, document.baseURI).href,
  }
  return createClient({ start: startWorker, files, onReady })
}
