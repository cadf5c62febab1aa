/**
 * Page-side client of the engine: one worker, replaced when a run hangs.
 * Reason for length: runs, their explanation and the worker's replacement are one state machine.
 */
import { WorkerCalls } from '../../base/worker_calls'
import { shownGraph } from '../../workspace/graphs'
import type { Workspace } from '../../workspace/types'
import { graphKey } from '../cases/graph_key'
import type { StageView } from '../pipeline/types'
import type { EngineEvent, EngineRequest, GraphView, Report } from '../protocol'
import { callsBy, type Asked, type CallOf, type Calls } from './calls'
import { EventTasks, LARGE } from './event_tasks'
import { GraphReceiver, unpackReport, type PythonFiles, type WireEvent, type WireRequest, type WireStage } from './wire'

/** The page's requests to the engine: runs, whose events arrive as they happen, and calls with one answer. */
export interface EngineClient extends Asked {
  /**
   * Reads the graph, then runs the Python and the passes. Events for this call: `progress`, `graph` (before Python
   * is needed), then `report` or `failed`. While one runs, only the newest later call waits.
   * After the report, `explained`, `column`s and `fixes` follow, until a newer call starts.
   * @param shown the view of the workspace's graph if the page has it, from a stored report
   */
  analyze(workspace: Workspace, on: (e: EngineEvent) => void, shown?: GraphView): void
  /** Reads only the graph; never runs Python (pages opened from a link). */
  read(workspace: Workspace, on: (e: EngineEvent) => void): void
  /** Ends a run that hangs: replaces the worker. */
  stop(reason?: string): void
  /**
   * Another workspace is opened: its code runs in a new worker if this worker has run code. Each run resets Python, but not the
   * worker's own JavaScript. Events of the last analysis end.
   */
  renew(): void
  dispose(): void
}

/** The part of a Worker that the client uses; tests implement it. */
export interface EnginePort {
  postMessage(message: WireRequest): void
  terminate(): void
  onmessage: ((e: { data: WireEvent }) => void) | null
  onerror: ((e: { message: string }) => void) | null
}

export interface EngineClientOptions {
  start(): EnginePort
  files: PythonFiles
  /** Called when Python has loaded, with the load time in ms; again after each stop. */
  onReady?(ms: number): void
  /** Returns the page's preparation for a large graph, as tasks before the graph's event. */
  prepare?(graph: GraphView): readonly (() => void)[]
  /** Like `prepare`, for the report on a large graph. */
  prepareReport?(report: Report): readonly (() => void)[]
  /** Whether the page shows the graph after the passes; absent: yes. */
  showsAfter?(): boolean
}

type Run = { request: EngineRequest; on: (e: EngineEvent) => void; limitMs: number; shown?: GraphView | undefined }

/** Maximum silence of a worker that explains or tries fixes, in ms; after it, the worker counts as hung. */
const EXPLAIN_LIMIT_MS = 30_000

/**
 * A run that blocks a newer one counts as hung after this time plus three times that of the last run, in ms: a new worker costs
 * seconds.
 */
const OVERDUE_MS = 2_000

const NOT_EXPLAINED = 'The explanation is incomplete: a function of the code did not return, or the engine stopped.'

/** A reported run whose explanation is in progress, with the number of passes left to explain. */
interface Explained {
  run: Run
  unexplained: number
  /** True once the list of what is off is known. */
  off: boolean
}

/** Calls that need no analysis. */
const ALONE: ReadonlySet<keyof Calls> = new Set(['view', 'language', 'pattern', 'counts'])

export function createClient(options: EngineClientOptions): EngineClient {
  const client = new WorkerClient(options)
  return callsBy(client, (call, signal) => client.ask(call, signal))
}

class WorkerClient implements Omit<EngineClient, keyof Asked> {
  private port!: EnginePort
  private graphs!: GraphReceiver
  private current: Run | null = null
  private queued: Run | null = null
  private reported: Explained | null = null
  /** The last run that was reported. */
  private shown: Run | null = null
  /** The worker that analyzed `shown` was replaced: calls on its report wait until the new worker has analyzed it again. */
  private lost = false
  private recovering: Promise<void> | null = null
  private recovered = (): void => {}
  /** Python is loaded in this worker. */
  private warm = false
  /** User code was sent to this worker. */
  private used = false
  private timer: ReturnType<typeof setTimeout> | undefined
  /** When the code of the current run began, in ms of performance.now(). */
  private began: number | null = null
  /** Time from then to the last report, in ms. */
  private lasted: number | null = null
  private readonly calls = new WorkerCalls<WireEvent>()
  private readonly unpackedAhead = new WeakMap<WireEvent, EngineEvent>()
  private readonly events = new EventTasks({
    handle: (event) => this.receive(event),
    unpack: (graph) => this.graphs.unpack(graph),
    prepare: (graph) => this.options.prepare?.(graph) ?? [],
    isLargeReport: ({ report }) => this.graphs.sizeOf(report.graph) > LARGE,
    prepareReport: (event) => {
      const unpacked = unpackReport(this.graphs, event)
      this.unpackedAhead.set(event, unpacked)
      return this.options.prepareReport?.(unpacked.report) ?? []
    },
    wantsAhead: () => this.options.showsAfter?.() ?? true,
  })
  private disposed = false
  /** The worker has sent an event, so its script is loaded. */
  private answered = false
  /** The worker's script could not be loaded; the next request tries again. */
  private unloaded = false

  constructor(private readonly options: EngineClientOptions) {
    this.start()
  }

  readonly analyze: EngineClient['analyze'] = (workspace, on, shown) => {
    const request = { id: this.calls.newId(), kind: 'analyze', workspace } as const
    this.submit({ request, on, limitMs: workspace.options.timeLimitS * 1000, shown })
  }

  readonly read: EngineClient['read'] = (workspace, on) =>
    this.submit({ request: { id: this.calls.newId(), kind: 'read', workspace }, on, limitMs: 60_000 })

  readonly stop: EngineClient['stop'] = (reason) => this.end(reason ?? 'Stopped. Edit the code, or run it again.')

  readonly renew: EngineClient['renew'] = () => {
    this.shown = null
    this.lasted = null
    if (!this.used) return
    this.current = this.queued = this.reported = null
    this.replace()
  }

  readonly dispose: EngineClient['dispose'] = () => {
    this.disposed = true
    this.end('disposed')
  }

  private start(): void {
    this.port = this.options.start()
    this.graphs = new GraphReceiver()
    this.events.clear()
    this.warm = this.used = this.answered = this.unloaded = false
    this.port.onmessage = (e) => {
      this.answered = true
      this.events.take(e.data)
    }
    this.port.onerror = ({ message }) => {
      if (this.answered) this.end(`The engine stopped: ${message || 'unknown error'}. Edit the code, or run it again.`)
      else this.cannotLoad(message || 'its script did not arrive')
    }
    this.port.postMessage({ id: 0, kind: 'init', files: this.options.files })
  }

  private receive(event: WireEvent): void {
    if (event.kind === 'ready') {
      this.warm = true
      this.options.onReady?.(event.ms)
      return
    }
    if (event.kind === 'ahead') return void this.graphs.unpack(event.graph)
    if (event.kind === 'broken') return this.replace()
    if (event.kind === 'failed' && this.calls.fail(event.id, new Error(event.message))) return
    if (event.kind === 'answer') {
      // The answer of a canceled call too: the worker assumes that the page has its graphs.
      const answer = event.name === 'stage' ? this.unpackStage(event.answer as WireStage) : event.answer
      return void this.calls.settle({ ...event, answer })
    }
    const unpacked = this.unpack(event)
    if (this.reported && event.id === this.reported.run.request.id) {
      const { on, limitMs } = this.reported.run
      if (event.kind === 'progress') {
        // For a capture's files, which run after its report: as in a run, the time to load Python does not count.
        if (event.stage === 'python') this.stopTimer()
        else this.limitExplaining(event.stage === 'run' ? limitMs : EXPLAIN_LIMIT_MS)
        return
      }
      // A run whose answer differs from the derived answer.
      if (event.kind === 'report') this.reported.unexplained = event.report.passes.length
      if (event.kind === 'off') this.reported.off = true
      if (event.kind === 'explained') this.reported.unexplained = 0
      if (event.kind === 'fixes' && event.done) {
        this.stopTimer()
        // The explanation failed.
        if (this.reported.unexplained > 0) return this.endExplaining()
        this.reported = null
      } else this.limitExplaining()
      on(unpacked)
      return
    }
    const run = this.current
    if (!run || event.id !== run.request.id) return
    // The limit is for the user's code, not for loading Python.
    if (event.kind === 'progress' && event.stage === 'run') this.limitRun(run)
    if (event.kind === 'progress' && event.stage === 'python') {
      this.began = null
      this.stopTimer()
    }
    if (event.kind === 'report') {
      if (this.began !== null && !event.unconfirmed) this.lasted = performance.now() - this.began
      const again = run.request.kind === 'analyze' && run.request.again
      if (!again) this.shown = run
      this.finish(again ? null : { run, unexplained: event.report.passes.length, off: false })
    } else if (event.kind === 'graph' && run.request.kind === 'read') this.finish(null)
    else if (event.kind === 'failed') {
      // An internal failure: terminate the worker, whose state may be damaged.
      this.current = null
      this.replace()
    }
    run.on(unpacked)
  }

  private unpack(event: Exclude<WireEvent, { kind: 'broken' } | { kind: 'answer' } | { kind: 'ahead' }>): EngineEvent {
    if (event.kind === 'graph') return { ...event, graph: this.graphs.unpack(event.graph) }
    if (event.kind === 'report') return this.unpackedAhead.get(event) ?? unpackReport(this.graphs, event)
    return event
  }

  /** The worker continues in the background; if it hangs, it is replaced silently. */
  private limitExplaining(ms = EXPLAIN_LIMIT_MS): void {
    this.stopTimer()
    this.timer = setTimeout(() => this.replace(), ms)
  }

  private stopTimer(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private limitRun(run: Run): void {
    this.began = performance.now()
    if (this.queued) return this.limitOverdue(run)
    this.stopTimer()
    this.timer = setTimeout(
      () =>
        this.end(`Stopped after ${run.limitMs / 1000} s: the Python code did not finish. Edit it, or run it again.`),
      run.limitMs,
    )
  }

  /** A newer run waits, for instance one without the endless loop of the current one. */
  private limitOverdue({ limitMs }: Run): void {
    if (this.began === null) return
    const patience = this.lasted === null ? limitMs : Math.min(limitMs, OVERDUE_MS + 3 * this.lasted)
    this.stopTimer()
    this.timer = setTimeout(() => this.replace(), this.began + patience - performance.now())
  }

  private submit(run: Run): void {
    if (this.current) {
      this.queued = run
      this.limitOverdue(this.current)
      return
    }
    this.began = null
    if (this.unloaded) this.start()
    this.current = run
    this.reported = null
    const request = this.withHeld(run)
    if (request.kind === 'analyze') {
      this.used = true
      this.lost = false
    }
    this.stopTimer()
    // A hanging fix trial blocks this run, so a new worker runs it.
    if (this.warm) this.timer = setTimeout(() => this.replace(), run.limitMs)
    this.port.postMessage(request)
  }

  /** Tells a new worker which graph the page holds; after that, both sides keep their graphs in the same order. */
  private withHeld({ request, shown }: Run): EngineRequest {
    if (request.kind !== 'analyze' || !shown || this.used) return request
    const held = graphKey(shownGraph(request.workspace))
    this.graphs.hold(held, shown)
    return { ...request, held }
  }

  /** @param explained the run that is still being explained, or null */
  private finish(explained: Explained | null): void {
    this.stopTimer()
    this.current = null
    this.reported = explained
    const next = this.queued
    this.queued = null
    if (next) this.submit(next)
    else if (explained) this.limitExplaining()
  }

  /** Another worker with the same script would fail in the same way, at once and for ever. */
  private cannotLoad(reason: string): void {
    const message = `The engine could not be loaded: ${reason}. Check the connection and edit to try again, or reload the page.`
    const run = this.queued ?? this.current
    this.close(message)
    this.current = this.queued = null
    this.unloaded = true
    if (!this.disposed) run?.on({ id: run.request.id, kind: 'failed', message })
  }

  private end(message: string): void {
    const run = this.current
    this.current = null
    this.replace(message)
    if (!this.disposed) run?.on({ id: run.request.id, kind: 'failed', message })
  }

  /**
   * Replaces the worker; running and waiting calls run in the new one.
   * @param message for callers that wait for a response of the old worker
   */
  private replace(message = 'The engine was restarted. Run the patterns again.'): void {
    this.close(message)
    this.lost = true
    const next = this.queued ?? this.current
    this.current = this.queued = null
    if (this.disposed) return
    this.start()
    if (next) this.submit(next)
  }

  /** @param message for callers that wait for a response */
  private close(message: string): void {
    this.stopTimer()
    this.calls.failAll(new Error(message))
    this.recovered()
    this.endExplaining()
    this.port.onmessage = this.port.onerror = null
    this.port.terminate()
  }

  /** Ends the explanation of the last report, and marks its missing parts. */
  private endExplaining(): void {
    if (!this.reported || this.disposed) return
    const { run, unexplained, off } = this.reported
    const { id } = run.request
    this.reported = null
    const none = { nearMisses: [], causes: [], lints: [], explainMs: 0, leftOut: NOT_EXPLAINED }
    // The page keeps showing the earlier list of what is off.
    if (!off) run.on({ id, kind: 'off', off: [] })
    if (unexplained > 0)
      run.on({ id, kind: 'explained', passes: Array.from({ length: unexplained }, (_, pass) => ({ pass, ...none })) })
    run.on({ id, kind: 'fixes', found: [], done: true, cut: true })
  }

  /** Analyzes the reported run again. Ends also if that fails: the call then says why. */
  private recover({ request, ...run }: Run): Promise<void> {
    return (this.recovering ??= new Promise((resolve) => {
      this.recovered = () => {
        this.recovering = null
        resolve()
      }
      const on = (e: EngineEvent): void => void (e.kind === 'report' && this.recovered())
      this.submit({ ...run, on, request: { ...request, id: this.calls.newId(), again: true } as EngineRequest })
    }))
  }

  async ask(call: CallOf, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted()
    if (this.unloaded) this.start()
    if (!ALONE.has(call.name)) {
      if (this.lost && this.shown && !this.current) void this.recover(this.shown)
      if (this.recovering) await this.recovering
      signal?.throwIfAborted()
    }
    // Its code runs in this worker.
    this.used ||= call.name === 'counts'
    const id = this.calls.newId()
    const cancel = (): void => {
      if (this.calls.fail(id, signal!.reason)) this.port.postMessage({ id, kind: 'cancel' })
    }
    signal?.addEventListener('abort', cancel)
    try {
      const event = await this.calls.call(id, () => this.port.postMessage({ id, kind: 'call', ...call }))
      if (event.kind !== 'answer') throw new Error(`unexpected ${event.kind}`)
      return event.answer
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Unpacks in packing order, so that both sides keep the same views. */
  private unpackStage({ graph, before, ...rest }: WireStage): StageView {
    const earlier = before && this.graphs.unpack(before)
    return { ...rest, before: earlier, graph: this.graphs.unpack(graph) }
  }
}
