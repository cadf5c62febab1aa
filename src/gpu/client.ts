/** The page's end of the GPU worker. */
import type { RunOptions, RunPrograms, RunProgress, RunReport } from './types'

export type GpuRequest =
  { id: number; kind: 'run'; programs: RunPrograms; options: RunOptions } | { id: number; kind: 'cancel' }

export type GpuReply =
  | { id: number; kind: 'progress'; progress: RunProgress }
  | { id: number; kind: 'report'; report: RunReport }
  | { id: number; kind: 'failed'; message: string }

export interface RunCall {
  onProgress?: (progress: RunProgress) => void
  signal?: AbortSignal
  /** Milliseconds after which the worker is ended and the run rejects; 60,000 unless said. */
  timeoutMs?: number
}

/** How long a cancelled run may take to notice before its worker is ended. */
const GRACE_MS = 1500

/** One run at a time; a worker that hangs or dies is replaced by the next run. */
export class GpuClient {
  private worker: Worker | null = null
  private nextId = 1
  private tail: Promise<unknown> = Promise.resolve()

  /** @param spawn makes the worker; see spawnGpuWorker */
  constructor(private readonly spawn: () => Worker = spawnGpuWorker) {}

  /** Rejects with an AbortError when cancelled, with an Error naming the limit when it takes too long. */
  run(programs: RunPrograms, options: RunOptions = {}, call: RunCall = {}): Promise<RunReport> {
    const turn = this.tail.then(() => this.start(programs, options, call))
    this.tail = turn.catch(() => undefined)
    return turn
  }

  dispose(): void {
    this.worker?.terminate()
    this.worker = null
  }

  private start(programs: RunPrograms, options: RunOptions, call: RunCall): Promise<RunReport> {
    call.signal?.throwIfAborted()
    const worker = (this.worker ??= this.spawn())
    const id = this.nextId++
    const limit = call.timeoutMs ?? 60_000
    return new Promise<RunReport>((resolve, reject) => {
      let grace: ReturnType<typeof setTimeout> | undefined
      const finish = (settle: () => void, end: boolean): void => {
        clearTimeout(timer)
        clearTimeout(grace)
        call.signal?.removeEventListener('abort', cancel)
        worker.removeEventListener('message', onMessage)
        worker.removeEventListener('error', onError)
        if (end) this.dispose()
        settle()
      }
      const cancelled = (): unknown => call.signal?.reason ?? new DOMException('The run was cancelled', 'AbortError')
      const cancel = (): void => {
        worker.postMessage({ id, kind: 'cancel' } satisfies GpuRequest)
        grace = setTimeout(() => finish(() => reject(cancelled()), true), GRACE_MS)
      }
      const onMessage = ({ data }: MessageEvent<GpuReply>): void => {
        if (data.id !== id) return
        if (data.kind === 'progress') call.onProgress?.(data.progress)
        else if (data.kind === 'report') finish(() => resolve(data.report), false)
        else finish(() => reject(call.signal?.aborted ? cancelled() : new Error(data.message)), false)
      }
      const onError = (e: ErrorEvent): void =>
        finish(() => reject(new Error(`the GPU worker failed: ${e.message || 'it could not be loaded'}`)), true)
      const timer = setTimeout(
        () => finish(() => reject(new Error(`the run took longer than ${limit / 1000} s and was stopped`)), true),
        limit,
      )
      worker.addEventListener('message', onMessage)
      worker.addEventListener('error', onError)
      call.signal?.addEventListener('abort', cancel)
      worker.postMessage({ id, kind: 'run', programs, options } satisfies GpuRequest)
    })
  }
}

export function spawnGpuWorker(): Worker {
  return new Worker(new URL('./gpu.worker.ts', import.meta.url), { type: 'module' })
}
