/** Starts the engine's worker in a browser. */
import { messageOf } from '../../base/error_message'
import { startInBox } from './box_frame'
import { createClient, type EngineClient, type EngineClientOptions, type EnginePort } from './client'
import type { HearLoading } from './loading'
import { requireNeeds } from './needs'
import { isUnpackedKept, keepUnpacked, pythonBytes, pythonLibrary } from './python_files'
import type { PythonFiles, WireEvent, WireRequest } from './wire'
import workerUrl from './engine.worker?worker&url'
import KeepParts from './keep_parts.worker?worker'

const onHost = (path: string): string => new URL(path, document.baseURI).href

async function libraryBytes(files: PythonFiles): Promise<{ bytes: ArrayBuffer; packed: boolean } | null> {
  const library = await pythonLibrary(files)
  return library && { packed: library.packed, bytes: await library.bytes.arrayBuffer() }
}

/** A worker that starts once its frame has loaded; earlier messages wait. */
class BoxedWorker implements EnginePort {
  onmessage: EnginePort['onmessage'] = null
  onerror: EnginePort['onerror'] = null
  private worker: Worker | null = null
  private waiting: WireRequest[] = []
  private ended = false

  /**
   * @param onRequest called at each message to the worker
   * @param hear called with the progress of Python's download on a slow line
   * @param onBegin called once the worker runs
   */
  constructor(
    files: PythonFiles,
    private readonly onRequest: () => void,
    hear?: HearLoading,
    onBegin?: () => void,
  ) {
    startInBox(onHost(workerUrl), 'fusescope engine', onHost('box.html'), onBegin).then(
      (worker) => this.connect(worker),
      (error: unknown) => this.onerror?.({ message: messageOf(error) }),
    )
    const send = (chunk: Uint8Array): void => this.postMessage({ id: 0, kind: 'chunk', chunk })
    pythonBytes(files, hear, send).then(
      (bytes) => this.postMessage({ id: 0, kind: 'bytes', bytes }),
      (error: unknown) => this.postMessage({ id: 0, kind: 'bytes', bytes: messageOf(error) }),
    )
    libraryBytes(files).then(
      (stdlib) => stdlib && this.postMessage({ id: 0, kind: 'stdlib', stdlib }),
      (error: unknown) => this.postMessage({ id: 0, kind: 'stdlib', stdlib: messageOf(error) }),
    )
  }

  postMessage(message: WireRequest): void {
    if (this.ended) return
    this.onRequest()
    if (this.worker) this.worker.postMessage(message)
    else this.waiting.push(message)
  }

  terminate(): void {
    this.ended = true
    this.waiting = []
    this.worker?.terminate()
  }

  private connect(worker: Worker): void {
    if (this.ended) return worker.terminate()
    this.worker = worker
    worker.onmessage = ({ data }: MessageEvent<WireEvent>) => this.onmessage?.({ data })
    worker.onerror = ({ message }) => this.onerror?.({ message })
    for (const message of this.waiting.splice(0)) worker.postMessage(message)
  }
}

/** The folder of Pyodide's files (scripts/vite/pyodide.mjs). */
declare const __PYODIDE_FOLDER__: string
/** The paths of Python's snapshot and standard library (src/python/start/pack.ts) in the build; none in dev (scripts/vite/pyodide.mjs). */
declare const __PYTHON_PACK__: readonly string[]

/** Time without a request after which the packs are unpacked for the next visit, in ms: runs come first. */
const KEEP_AFTER_MS = 5000

function pythonFiles(): PythonFiles {
  const [snapshot, stdlib] = __PYTHON_PACK__.map(onHost)
  return { indexURL: onHost(__PYODIDE_FOLDER__), packs: snapshot && stdlib ? { snapshot, stdlib } : null }
}

/** Resolves once Python's start has its files; rejects if they cannot be loaded. The engine must have been started. */
export const pythonIsFetched = (): Promise<unknown> => pythonBytes(pythonFiles())

/** True on a later visit: Python then starts from this browser's cache, and its start needs the processor but no network. */
export const pythonIsKept = (): boolean => isUnpackedKept(pythonFiles())

/** Ends its worker after the answer. */
function unpackInWorker(url: string, packed: Blob): Promise<boolean> {
  const worker = new KeepParts()
  return new Promise<boolean>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data)
    worker.onerror = () => resolve(false)
    worker.postMessage({ url, packed })
  }).finally(() => worker.terminate())
}

export function createEngineClient({
  onReady,
  onLoading,
  onBegin,
  ...page
}: Partial<PageListeners> & { onBegin?: () => void } = {}): EngineClient {
  const files = pythonFiles()
  let started = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const keepLater = (): void => {
    clearTimeout(timer)
    if (started) timer = setTimeout(() => void keepUnpacked(files, unpackInWorker), KEEP_AFTER_MS)
  }
  return createClient({
    start: () => new BoxedWorker(files, keepLater, onLoading, onBegin),
    files,
    ...page,
    onReady: (ms) => {
      onReady?.(ms)
      started = true
      keepLater()
    },
  })
}

/** Maximum time that the first screen waits for the worker, in ms. */
const BEGIN_MS = 150

let begun!: () => void
const begins = new Promise<void>((resolve) => (begun = resolve))

/** The client that was started before the app asked for one. */
let early: EngineClient | null = null
/** The listeners that the app passed for the early client. */
let listeners: PageListeners | null = null
let readyMs: number | null = null

type PageListeners = Required<Pick<EngineClientOptions, 'onReady' | 'prepare' | 'prepareReport' | 'showsAfter'>> & {
  onLoading: HearLoading
}

/**
 * Starts the page's engine before the app is evaluated, if an earlier visit has cached Python's files: the engine then does not
 * compete for the network with the first screen.
 */
export function startEarly(): void {
  if (!isUnpackedKept(pythonFiles())) return
  early = createEngineClient({
    onBegin: begun,
    onReady: (ms) => {
      readyMs = ms
      listeners?.onReady(ms)
    },
    prepare: (graph) => listeners?.prepare(graph) ?? [],
    prepareReport: (report) => listeners?.prepareReport(report) ?? [],
    showsAfter: () => listeners?.showsAfter() ?? true,
  })
}

/**
 * Resolves when the first screen may be drawn: once the early worker runs, or after BEGIN_MS. Browsers start workers from the main
 * thread; drawing first would delay the worker's start by a tenth of a second.
 */
export async function engineBegins(): Promise<void> {
  if (!early) return
  setTimeout(begun, BEGIN_MS)
  await begins
}

/** The page's own client: the one that was started early, or a new one. For a single caller. @throws Lack */
export function pageEngineClient(own: PageListeners): EngineClient {
  requireNeeds()
  listeners = own
  if (readyMs !== null) own.onReady(readyMs)
  return early ?? createEngineClient(own)
}
