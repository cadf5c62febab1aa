/**
 * Page-side client of the engine: one worker, replaced when a run hangs.
 * Reason for length: one method for each request of the worker.
 */
import { WorkerCalls } from '../../base/worker_calls'
import type { RunPrograms } from '../../gpu/types'
import { shownGraph } from '../../workspace/graphs'
import type { Workspace } from '../../workspace/types'
import { graphKey } from '../cases/graph_key'
import type { CompareReport } from '../compare/types'
import type { PatternOptions, SelectionAnswer } from '../from_selection/types'
import type { LanguageFacts } from '../language/types'
import type { FolderCounts } from '../table/types'
import type { StageView } from '../pipeline/types'
import type {
  EngineEvent,
  EngineRequest,
  ExplainedPattern,
  Exported,
  ExportKind,
  GraphView,
  PinAnswer,
  Report,
} from '../protocol'
import type { Timeline } from '../session/steps_types'
import { EventTasks, LARGE } from './event_tasks'
import { GraphReceiver, unpackReport, type PythonFiles, type WireEvent, type WireRequest } from './wire'

export interface EngineClient {
  /**
   * Reads the graph, then runs the Python and the passes. Events for this call: `progress`, `graph` (before Python
   * is needed), then `report` or `failed`. While one runs, only the newest later call waits.
   * After the report, `explained`, `column`s and `fixes` follow, until a newer call starts.
   * @param shown the view of the workspace's graph if the page has it, from a stored report
   */
  analyze(workspace: Workspace, on: (e: EngineEvent) => void, shown?: GraphView): void
  /** Reads only the graph; never runs Python (pages opened from a link). */
  read(workspace: Workspace, on: (e: EngineEvent) => void): void
  /** The view of a graph's text beside the workspace; never runs Python. */
  view(text: string): Promise<GraphView>
  /** A number prints the graph after that stage of the last analysis. */
  print(workspace: Workspace, as: 'fx' | 'readable', which: 'before' | 'after' | number): Promise<string>
  /** The graph of the last report, lowered to the operators that traced patterns hold, as print_readable. */
  lower(): Promise<string>
  /** Operators and names of the thin torch; waits for Python. */
  language(): Promise<LanguageFacts>
  /** A pattern for nodes of the workspace's graph, run at once; waits for Python. */
  pattern(workspace: Workspace, nodes: readonly string[], options: PatternOptions): Promise<SelectionAnswer>
  /** Counts of the workspace's passes on its shown graph, without a report; waits for Python. */
  counts(workspace: Workspace): Promise<FolderCounts>
  /** Another graph of the last report's workspace against the shown one. */
  compare(other: string, role: 'old' | 'new'): Promise<CompareReport>
  /** The workspace as text for a real PyTorch. */
  exported(as: ExportKind): Promise<Exported>
  /** The two programs of a match of the last report. */
  program(pass: string, match: number): Promise<RunPrograms>
  /** The two sides of a registration of the last report, over inputs of these shapes (by argument name). */
  variantProgram(pass: string, entry: number, shapes: Record<string, number[]>): Promise<RunPrograms>
  /** The whole graph before and after the passes of the last report. */
  graphProgram(): Promise<RunPrograms>
  /** The match timeline of a pass at a node: one entry, or (null) all entries tried there. */
  steps(pass: string, entry: number | null, node: string): Promise<Timeline>
  /** One pattern of the last report, expression by expression. */
  explainPattern(pass: string, entry: number): Promise<ExplainedPattern>
  /** Why one pattern does not match at one node of the last report. */
  pin(pass: string, entry: number, node: string): Promise<PinAnswer>
  /**
   * The graph after a stage of the last report; 0: the original graph. An equal graph is returned as the same object.
   */
  stage(at: number): Promise<StageView>
  /** Ends a run that hangs: replaces the worker. */
  stop(reason?: string): void
  /**
   * Another workspace is opened: its code runs in a new worker if code has run in this one. Each run resets Python, but
   * not the worker's own JavaScript. Events of the last analysis end.
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
  /** What the page needs of a large graph, as tasks before the graph's event. */
  prepare?(graph: GraphView): readonly (() => void)[]
  /** As `prepare`, for the report on a large graph. */
  prepareReport?(report: Report): readonly (() => void)[]
  /** Whether the page shows the graph after the passes; absent: yes. */
  showsAfter?(): boolean
}

type Run = { request: EngineRequest; on: (e: EngineEvent) => void; limitMs: number; shown?: GraphView | undefined }

/** Maximum silence of a worker that explains and tries fixes, in ms; after it the worker counts as hung. */
const EXPLAIN_LIMIT_MS = 30_000

const NOT_EXPLAINED = 'The explanation is incomplete: a function of the code did not return, or the engine stopped.'

/** A reported run whose explanation is in progress, with the number of passes left to explain. */
interface Explained {
  run: Run
  unexplained: number
}

export const createClient = (options: EngineClientOptions): EngineClient => new WorkerClient(options)

class WorkerClient implements EngineClient {
  private port!: EnginePort
  private graphs!: GraphReceiver
  private current: Run | null = null
  private queued: Run | null = null
  private reported: Explained | null = null
  /** Python has run in this worker, so it is loaded. */
  private warm = false
  /** User code was sent to this worker. */
  private used = false
  private timer: ReturnType<typeof setTimeout> | undefined
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

  readonly view: EngineClient['view'] = async (text) =>
    (await this.ask({ id: this.calls.newId(), kind: 'view', text }, 'view')).view

  readonly print: EngineClient['print'] = async (workspace, as, which) =>
    (await this.ask({ id: this.calls.newId(), kind: 'print', workspace, as, which }, 'text')).text

  readonly variantProgram: EngineClient['variantProgram'] = async (pass, entry, shapes) =>
    (await this.ask({ id: this.calls.newId(), kind: 'variantProgram', pass, entry, shapes }, 'program')).program

  readonly lower: EngineClient['lower'] = async () =>
    (await this.ask({ id: this.calls.newId(), kind: 'lower' }, 'text')).text

  readonly language: EngineClient['language'] = async () =>
    (await this.ask({ id: this.calls.newId(), kind: 'language' }, 'language')).facts

  readonly pattern: EngineClient['pattern'] = async (workspace, nodes, options) =>
    (await this.ask({ id: this.calls.newId(), kind: 'pattern', workspace, nodes, options }, 'pattern')).answer

  readonly counts: EngineClient['counts'] = async (workspace) => {
    this.used = true
    return (await this.ask({ id: this.calls.newId(), kind: 'counts', workspace }, 'counts')).counts
  }

  readonly compare: EngineClient['compare'] = async (other, role) =>
    (await this.ask({ id: this.calls.newId(), kind: 'compare', other, role }, 'compared')).report

  readonly exported: EngineClient['exported'] = async (as) =>
    (await this.ask({ id: this.calls.newId(), kind: 'export', as }, 'exported')).exported

  readonly graphProgram: EngineClient['graphProgram'] = async () =>
    (await this.ask({ id: this.calls.newId(), kind: 'graphProgram' }, 'program')).program

  readonly program: EngineClient['program'] = async (pass, match) =>
    (await this.ask({ id: this.calls.newId(), kind: 'program', pass, match }, 'program')).program

  readonly steps: EngineClient['steps'] = async (pass, entry, node) =>
    (await this.ask({ id: this.calls.newId(), kind: 'steps', pass, entry, node }, 'steps')).timeline

  readonly explainPattern: EngineClient['explainPattern'] = async (pass, entry) =>
    (await this.ask({ id: this.calls.newId(), kind: 'explainPattern', pass, entry }, 'explainedPattern')).pattern

  readonly pin: EngineClient['pin'] = async (pass, entry, node) =>
    (await this.ask({ id: this.calls.newId(), kind: 'pin', pass, entry, node }, 'pin')).answer

  readonly stage: EngineClient['stage'] = async (at) => {
    const { graph, before, ...rest } = (await this.ask({ id: this.calls.newId(), kind: 'stage', at }, 'stage')).stage
    // Unpacked in packing order, so that both sides keep the same views.
    const earlier = before && this.graphs.unpack(before)
    return { ...rest, before: earlier, graph: this.graphs.unpack(graph) }
  }

  readonly stop: EngineClient['stop'] = (reason) => this.end(reason ?? 'Stopped. Edit the code, or run it again.')

  readonly renew: EngineClient['renew'] = () => {
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
      if (this.answered) this.end(`The engine stopped: ${message || 'unknown error'}. Edit to run again.`)
      else this.cannotLoad(message || 'its script did not arrive')
    }
    this.port.postMessage({ id: 0, kind: 'init', files: this.options.files })
  }

  private receive(event: WireEvent): void {
    if (event.kind === 'ready') {
      this.options.onReady?.(event.ms)
      return
    }
    if (event.kind === 'ahead') return void this.graphs.unpack(event.graph)
    if (event.kind === 'broken') return this.replace()
    if (event.kind === 'failed' && this.calls.fail(event.id, new Error(event.message))) return
    if (this.calls.settle(event)) return
    // A response without a waiting call is dropped.
    if (event.kind === 'stage') return
    const unpacked = this.unpack(event)
    if (this.reported && event.id === this.reported.run.request.id) {
      const { on } = this.reported.run
      if (event.kind === 'explained') this.reported.unexplained = 0
      if (event.kind === 'fixes' && event.done) {
        this.stopTimer()
        this.reported = null
      } else this.limitExplaining()
      on(unpacked)
      return
    }
    const run = this.current
    if (!run || event.id !== run.request.id) return
    // The limit is for the user's code, not for loading Python.
    if (event.kind === 'progress' && event.stage === 'run') this.limitRun(run)
    if (event.kind === 'report') {
      // Recorded passes are reported before Python is loaded.
      const { capture } = event.report
      this.warm ||= capture === undefined || capture.edited
      this.finish({ run, unexplained: event.report.passes.length })
    } else if (event.kind === 'graph' && run.request.kind === 'read') this.finish(null)
    else if (event.kind === 'failed') {
      // An internal failure: what it left behind ends with its worker.
      this.current = null
      this.replace()
    }
    run.on(unpacked)
  }

  private unpack(event: Exclude<WireEvent, { kind: 'broken' } | { kind: 'stage' } | { kind: 'ahead' }>): EngineEvent {
    if (event.kind === 'graph') return { ...event, graph: this.graphs.unpack(event.graph) }
    if (event.kind === 'report') return this.unpackedAhead.get(event) ?? unpackReport(this.graphs, event)
    return event
  }

  /** The worker continues in the background; if it hangs, it is replaced silently. */
  private limitExplaining(): void {
    this.stopTimer()
    this.timer = setTimeout(() => this.replace(), EXPLAIN_LIMIT_MS)
  }

  private stopTimer(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private limitRun(run: Run): void {
    this.stopTimer()
    this.timer = setTimeout(
      () => this.end(`Stopped after ${run.limitMs / 1000} s: the Python code did not finish. Edit it to run again.`),
      run.limitMs,
    )
  }

  private submit(run: Run): void {
    if (this.current) {
      this.queued = run
      return
    }
    if (this.unloaded) this.start()
    this.current = run
    this.reported = null
    const request = this.withHeld(run)
    this.used ||= request.kind === 'analyze'
    this.stopTimer()
    // A hanging fix trial blocks this run, so a new worker runs it.
    if (this.warm) this.timer = setTimeout(() => this.replace(), run.limitMs)
    this.port.postMessage(request)
  }

  /** A new worker is told which graph the page has; later ones know what they sent, and both sides keep one order. */
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

  /** Another worker of the same script would fail alike, at once and for ever. */
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
    this.endExplaining()
    this.port.onmessage = this.port.onerror = null
    this.port.terminate()
  }

  /** Ends the explanation of the last report, and marks its missing parts. */
  private endExplaining(): void {
    if (!this.reported || this.disposed) return
    const { run, unexplained } = this.reported
    const { id } = run.request
    this.reported = null
    const none = { nearMisses: [], causes: [], lints: [], explainMs: 0, leftOut: NOT_EXPLAINED }
    if (unexplained > 0)
      run.on({ id, kind: 'explained', passes: Array.from({ length: unexplained }, (_, pass) => ({ pass, ...none })) })
    run.on({ id, kind: 'fixes', found: [], done: true, cut: true })
  }

  private async ask<K extends WireEvent['kind']>(
    request: EngineRequest,
    kind: K,
  ): Promise<Extract<WireEvent, { kind: K }>> {
    if (this.unloaded) this.start()
    const event = await this.calls.call(request.id, () => this.port.postMessage(request))
    if (event.kind !== kind) throw new Error(`unexpected ${event.kind}`)
    return event as Extract<WireEvent, { kind: K }>
  }
}
