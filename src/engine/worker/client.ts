/** The page's end of the engine: one worker, replaced when a run hangs. */
import { WorkerCalls } from '../../base/worker_calls'
import type { RunPrograms } from '../../gpu/types'
import type { Workspace } from '../../workspace/types'
import type { StageView } from '../pipeline/types'
import type { EngineEvent, EngineRequest, PinAnswer } from '../protocol'
import type { Timeline } from '../session/steps_types'
import { GraphReceiver, type WireEvent, type WireRequest } from './wire'

export interface EngineClient {
  /**
   * Reads the graph, then runs the Python and the passes. Events for this call: `progress`, `graph` (before Python
   * is needed), then `report` or `failed`. While one runs, only the newest of the calls that came after it waits.
   * After the report, `explained`, `column`s and `fixes` follow, until a newer call starts.
   */
  analyze(workspace: Workspace, on: (e: EngineEvent) => void): void
  /** Reads the graph alone; never runs Python (pages opened from a link). */
  read(workspace: Workspace, on: (e: EngineEvent) => void): void
  print(workspace: Workspace, as: 'fx' | 'readable', which: 'before' | 'after'): Promise<string>
  /** The two programs of a match of the last report. */
  program(pass: string, match: number): Promise<RunPrograms>
  /** The two sides of a registration of the last report, over inputs of these shapes (by argument name). */
  variantProgram(pass: string, entry: number, shapes: Record<string, number[]>): Promise<RunPrograms>
  /** The whole graph before and after the passes of the last report. */
  graphProgram(): Promise<RunPrograms>
  /** What a pass did at a node, step by step: one entry of it, or (null) all that are tried there. */
  steps(pass: string, entry: number | null, node: string): Promise<Timeline>
  /** What stands between one pattern and one node of the last report. */
  pin(pass: string, entry: number, node: string): Promise<PinAnswer>
  /** The graph after a stage of the last report; 0: as it was given. An equal graph is the same object as before. */
  stage(at: number): Promise<StageView>
  /** Ends a run that hangs: the worker is ended and a new one started. */
  stop(reason?: string): void
  dispose(): void
}

/** What a Worker is to us; tests put their own in its place. */
export interface EnginePort {
  postMessage(message: WireRequest): void
  terminate(): void
  onmessage: ((e: { data: WireEvent }) => void) | null
  onerror: ((e: { message: string }) => void) | null
}

export interface EngineClientOptions {
  start(): EnginePort
  /** Folder that Pyodide's files are served from; absolute, ends in `/`. */
  indexURL: string
  /** Python has loaded, after so many ms; again after each stop. */
  onReady?(ms: number): void
}

type Run = { request: EngineRequest; on: (e: EngineEvent) => void; limitMs: number }

/** Longest silence of a worker that explains and tries fixes, in ms, before it is taken to hang. */
const EXPLAIN_LIMIT_MS = 30_000

const NOT_EXPLAINED =
  'Explaining was ended before it was done: a function of the code did not return, or the engine stopped.'

export function createClient(options: EngineClientOptions): EngineClient {
  let port: EnginePort
  let graphs: GraphReceiver
  let current: Run | null = null
  let queued: Run | null = null
  /** The run that reported and is explained still, with how many passes that is yet to come for. */
  let reported: { run: Run; unexplained: number } | null = null
  /** Python has run there: what comes next should be answered at once. */
  let warm = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const calls = new WorkerCalls<WireEvent>()
  let disposed = false

  function start(): void {
    port = options.start()
    graphs = new GraphReceiver()
    warm = false
    port.onmessage = (e) => receive(e.data)
    port.onerror = (e) => end(`The engine stopped: ${e.message || 'unknown error'}. Edit to run again.`)
    port.postMessage({ id: 0, kind: 'init', indexURL: options.indexURL })
  }

  function receive(event: WireEvent): void {
    if (event.kind === 'ready') {
      options.onReady?.(event.ms)
      return
    }
    if (event.kind === 'broken') return replace()
    if (event.kind === 'failed' && calls.fail(event.id, new Error(event.message))) return
    if (calls.settle(event)) return
    // Only ever an answer; one that nobody waits for any more is dropped.
    if (event.kind === 'stage') return
    const unpacked = unpack(event)
    if (reported && event.id === reported.run.request.id) {
      const { on } = reported.run
      if (event.kind === 'explained') reported.unexplained = 0
      if (event.kind === 'fixes' && event.done) {
        rest()
        reported = null
      } else watch()
      on(unpacked)
      return
    }
    const run = current
    if (!run || event.id !== run.request.id) return
    // The limit is for the user's code, not for loading Python.
    if (event.kind === 'progress' && event.stage === 'run') arm(run)
    if (event.kind === 'report') {
      warm = true
      finish({ run, unexplained: event.report.passes.length })
    } else if (event.kind === 'failed' || (event.kind === 'graph' && run.request.kind === 'read')) finish(null)
    run.on(unpacked)
  }

  function unpack(event: Exclude<WireEvent, { kind: 'broken' } | { kind: 'stage' }>): EngineEvent {
    if (event.kind === 'graph') return { ...event, graph: graphs.unpack(event.graph) }
    if (event.kind === 'report') {
      const { graph, after, ...rest } = event.report
      return {
        id: event.id,
        kind: 'report',
        report: { ...rest, graph: graphs.unpack(graph), after: after && graphs.unpack(after) },
      }
    }
    return event
  }

  /** The worker works on without being waited for; should it hang, it is replaced and nobody need know. */
  function watch(): void {
    rest()
    timer = setTimeout(replace, EXPLAIN_LIMIT_MS)
  }

  function rest(): void {
    clearTimeout(timer)
    timer = undefined
  }

  function arm(run: Run): void {
    rest()
    timer = setTimeout(
      () => end(`Stopped after ${run.limitMs / 1000} s: the Python code did not finish. Edit it to run again.`),
      run.limitMs,
    )
  }

  function submit(run: Run): void {
    if (current) {
      queued = run
      return
    }
    current = run
    reported = null
    rest()
    // A try of a fix that hangs would keep this run from starting: a new worker runs it then.
    if (warm) timer = setTimeout(replace, run.limitMs)
    port.postMessage(run.request)
  }

  /** @param explained the run whose explanation is still to come, or null */
  function finish(explained: typeof reported): void {
    rest()
    current = null
    reported = explained
    const next = queued
    queued = null
    if (next) submit(next)
    else if (explained) watch()
  }

  function end(message: string): void {
    const run = current
    current = null
    replace(message)
    if (!disposed) run?.on({ id: run.request.id, kind: 'failed', message })
  }

  /**
   * A new worker in place of this one; what ran or waited runs there.
   * @param message for those who wait for an answer of the old one
   */
  function replace(message = 'The engine had to be started again. Run the patterns again.'): void {
    rest()
    calls.failAll(new Error(message))
    giveUp()
    port.onmessage = null
    port.terminate()
    const next = queued ?? current
    current = queued = null
    if (disposed) return
    start()
    if (next) submit(next)
  }

  /** Nothing more will come about the last report; what is missing of it is said to be. */
  function giveUp(): void {
    if (!reported || disposed) return
    const { run, unexplained } = reported
    const { id } = run.request
    reported = null
    const none = { nearMisses: [], causes: [], lints: [], explainMs: 0, leftOut: NOT_EXPLAINED }
    if (unexplained > 0)
      run.on({ id, kind: 'explained', passes: Array.from({ length: unexplained }, (_, pass) => ({ pass, ...none })) })
    run.on({ id, kind: 'fixes', found: [], done: true, cut: true })
  }

  async function ask<K extends WireEvent['kind']>(
    request: EngineRequest,
    kind: K,
  ): Promise<Extract<WireEvent, { kind: K }>> {
    const event = await calls.call(request.id, () => port.postMessage(request))
    if (event.kind !== kind) throw new Error(`unexpected ${event.kind}`)
    return event as Extract<WireEvent, { kind: K }>
  }

  start()
  return {
    analyze: (workspace, on) =>
      submit({
        request: { id: calls.newId(), kind: 'analyze', workspace },
        on,
        limitMs: workspace.options.timeLimitS * 1000,
      }),
    read: (workspace, on) => submit({ request: { id: calls.newId(), kind: 'read', workspace }, on, limitMs: 60_000 }),
    print: async (workspace, as, which) =>
      (await ask({ id: calls.newId(), kind: 'print', workspace, as, which }, 'text')).text,
    variantProgram: async (pass, entry, shapes) =>
      (await ask({ id: calls.newId(), kind: 'variantProgram', pass, entry, shapes }, 'program')).program,
    graphProgram: async () => (await ask({ id: calls.newId(), kind: 'graphProgram' }, 'program')).program,
    program: async (pass, match) => (await ask({ id: calls.newId(), kind: 'program', pass, match }, 'program')).program,
    steps: async (pass, entry, node) =>
      (await ask({ id: calls.newId(), kind: 'steps', pass, entry, node }, 'steps')).timeline,
    pin: async (pass, entry, node) => (await ask({ id: calls.newId(), kind: 'pin', pass, entry, node }, 'pin')).answer,
    stage: async (at) => {
      const { graph, before, ...rest } = (await ask({ id: calls.newId(), kind: 'stage', at }, 'stage')).stage
      // In the order they were packed, which is what both ends remember them by.
      const earlier = before && graphs.unpack(before)
      return { ...rest, before: earlier, graph: graphs.unpack(graph) }
    },
    stop: (reason) => end(reason ?? 'Stopped. Edit the code, or run it again.'),
    dispose: () => {
      disposed = true
      end('disposed')
    },
  }
}
