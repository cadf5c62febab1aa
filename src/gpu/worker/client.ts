/** Page-side client of the GPU worker. */
import { WorkerCalls } from '../../base/worker_calls'
import type { Problem } from '../../fx'
import type { KernelFile } from '../user_kernels/kernel_header'
import type { OpRequest, OpResult } from '../run/run_op'
import type { RunOptions, RunPrograms, RunProgress, RunReport } from '../types'

export type GpuRequest =
  | { id: number; kind: 'run'; programs: RunPrograms; options: RunOptions }
  | { id: number; kind: 'op'; request: OpRequest }
  | { id: number; kind: 'check'; files: KernelFile[] }
  /** Destroys the device, which simulates a driver reset; for tests. */
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
  /** Milliseconds after which the worker is terminated and the run rejects; default 60,000. */
  timeoutMs?: number
}

/** Time for a canceled run to stop before its worker is terminated. */
const GRACE_MS = 1500

/** State of a pending worker call. */
interface Running {
  id: number
  onProgress?: RunCall['onProgress']
}

/** One call at a time; a worker that hangs or dies is replaced by the next call. */
export class GpuClient {
  private worker: Worker | null = null
  private readonly calls = new WorkerCalls<GpuReply>()
  private running: Running | null = null
  private tail: Promise<unknown> = Promise.resolve()

  /** @param spawn creates the worker; see spawnGpuWorker */
  constructor(private readonly spawn: () => Worker = spawnGpuWorker) {}

  /** Rejects with an AbortError if canceled, or with an Error that names the limit if it takes too long. */
  async run(programs: RunPrograms, options: RunOptions = {}, call: RunCall = {}): Promise<RunReport> {
    return (await this.inTurn((id) => ({ id, kind: 'run', programs, options }), call, 'report')).report
  }

  /** Runs one operator. Rejects with a reason. */
  async runOp(request: OpRequest, call: RunCall = {}): Promise<OpResult> {
    return (await this.inTurn((id) => ({ id, kind: 'op', request }), call, 'result')).result
  }

  /** Problems of user kernels; without WebGPU, of their headers only. */
  async check(files: KernelFile[], call: RunCall = {}): Promise<Problem[]> {
    return (await this.inTurn((id) => ({ id, kind: 'check', files }), call, 'checked')).problems
  }

  /** Destroys the device immediately, even during a run. For tests. */
  lose(): void {
    this.worker?.postMessage({ id: this.calls.newId(), kind: 'lose' } satisfies GpuRequest)
  }

  dispose(): void {
    this.end(new Error('the GPU worker was disposed'))
  }

  private inTurn<K extends GpuReply['kind']>(
    request: (id: number) => GpuRequest,
    call: RunCall,
    kind: K,
  ): Promise<Extract<GpuReply, { kind: K }>> {
    const turn = this.tail.then(() => this.start(request, call))
    this.tail = turn.catch(() => undefined)
    return turn.then((reply) => {
      if (reply.kind !== kind) throw new Error(`unexpected ${reply.kind}`)
      return reply as Extract<GpuReply, { kind: K }>
    })
  }

  private async start(request: (id: number) => GpuRequest, call: RunCall): Promise<GpuReply> {
    call.signal?.throwIfAborted()
    const worker = (this.worker ??= this.open())
    const id = this.calls.newId()
    const limit = call.timeoutMs ?? 60_000
    let grace: ReturnType<typeof setTimeout> | undefined
    const timer = setTimeout(
      () => this.end(new Error(`the run took longer than ${limit / 1000} s and was stopped`)),
      limit,
    )
    const cancel = (): void => {
      worker.postMessage({ id, kind: 'cancel' } satisfies GpuRequest)
      grace = setTimeout(() => this.end(new Error('the run did not stop')), GRACE_MS)
    }
    call.signal?.addEventListener('abort', cancel)
    this.running = { id, onProgress: call.onProgress }
    try {
      return await this.calls.call(id, () => worker.postMessage(request(id)))
    } catch (e) {
      throw call.signal?.aborted ? abortReason(call.signal) : e
    } finally {
      clearTimeout(timer)
      clearTimeout(grace)
      call.signal?.removeEventListener('abort', cancel)
      this.running = null
    }
  }

  private open(): Worker {
    const worker = this.spawn()
    worker.addEventListener('message', ({ data }: MessageEvent<GpuReply>) => {
      if (data.kind === 'progress') {
        if (data.id === this.running?.id) this.running.onProgress?.(data.progress)
      } else if (data.kind === 'failed') this.calls.fail(data.id, new Error(data.message))
      else {
        // Its device still runs a kernel that does not end.
        if (data.kind === 'report' && data.report.stuck && worker === this.worker) this.drop()
        this.calls.settle(data)
      }
    })
    worker.addEventListener('error', (e: ErrorEvent) => {
      if (worker === this.worker) this.end(new Error(`the GPU worker failed: ${e.message || 'it could not be loaded'}`))
    })
    return worker
  }

  /** Terminates the worker and rejects the waiting calls. */
  private end(error: Error): void {
    this.drop()
    this.calls.failAll(error)
  }

  private drop(): void {
    this.worker?.terminate()
    this.worker = null
  }
}

const abortReason = (signal: AbortSignal): unknown =>
  signal.reason ?? new DOMException('The run was canceled', 'AbortError')

export function spawnGpuWorker(): Worker {
  return new Worker(new URL('./gpu.worker.ts', import.meta.url), { type: 'module' })
}
