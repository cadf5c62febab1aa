/** The page's end of the GPU worker. */
import type { Problem } from '../../fx'
import type { KernelFile } from '../user_kernels/kernel_header'
import type { OpRequest, OpResult } from '../run/run_op'
import type { RunOptions, RunPrograms, RunProgress, RunReport } from '../types'

export type GpuRequest =
  | { id: number; kind: 'run'; programs: RunPrograms; options: RunOptions }
  | { id: number; kind: 'op'; request: OpRequest }
  | { id: number; kind: 'check'; files: KernelFile[] }
  /** Destroys the device, as a driver's reset would: for tests. */
  | { id: number; kind: 'lose' }
  | { id: number; kind: 'cancel' }

export type GpuReply =
  | { id: number; kind: 'progress'; progress: RunProgress }
  | { id: number; kind: 'report'; report: RunReport }
  | { id: number; kind: 'result'; result: OpResult }
  | { id: number; kind: 'checked'; problems: Problem[] }
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
    return this.inTurn(
      (id) => ({ id, kind: 'run', programs, options }),
      call,
      (m) => m.kind === 'report' && m.report,
    )
  }

  /** Runs one operator. Rejects with the sentence that says why not. */
  runOp(request: OpRequest, call: RunCall = {}): Promise<OpResult> {
    return this.inTurn(
      (id) => ({ id, kind: 'op', request }),
      call,
      (m) => m.kind === 'result' && m.result,
    )
  }

  /** What is wrong with kernels of the person's own; where there is no WebGPU, with their headers only. */
  check(files: KernelFile[], call: RunCall = {}): Promise<Problem[]> {
    return this.inTurn(
      (id) => ({ id, kind: 'check', files }),
      call,
      (m) => m.kind === 'checked' && m.problems,
    )
  }

  /** Destroys the device at once, whatever runs on it. For tests. */
  lose(): void {
    this.worker?.postMessage({ id: this.nextId++, kind: 'lose' } satisfies GpuRequest)
  }

  private inTurn<T>(
    message: (id: number) => GpuRequest,
    call: RunCall,
    answer: (reply: GpuReply) => T | false,
  ): Promise<T> {
    const turn = this.tail.then(() => this.start(message, call, answer))
    this.tail = turn.catch(() => undefined)
    return turn
  }

  dispose(): void {
    this.worker?.terminate()
    this.worker = null
  }

  private start<T>(
    message: (id: number) => GpuRequest,
    call: RunCall,
    answer: (reply: GpuReply) => T | false,
  ): Promise<T> {
    call.signal?.throwIfAborted()
    const worker = (this.worker ??= this.spawn())
    const id = this.nextId++
    const limit = call.timeoutMs ?? 60_000
    return new Promise<T>((resolve, reject) => {
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
        else if (data.kind === 'failed')
          finish(() => reject(call.signal?.aborted ? cancelled() : new Error(data.message)), false)
        else {
          const found = answer(data)
          if (found !== false) finish(() => resolve(found), false)
        }
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
      worker.postMessage(message(id))
    })
  }
}

export function spawnGpuWorker(): Worker {
  return new Worker(new URL('./gpu.worker.ts', import.meta.url), { type: 'module' })
}
