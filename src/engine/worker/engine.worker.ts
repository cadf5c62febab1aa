/**
 * The engine in a Web Worker: Python, tracer, matcher. Once Python has loaded, only an allowlist of globals remains
 * (src/python/box), so that user code has nothing to misuse; the worker keeps the functions that it needs in closures.
 */
import { messageOf } from '../../base/error_message'
import { lockWorker } from '../../python/box/lock_worker'
import { viewOfText } from '../cases/graph_file'
import type { GraphView } from '../protocol'
import { createSession, type Analysis, type Session } from '../session/session'
import type { CallOf, Calls } from './calls'
import { GraphSender, packPasses, type WireEvent, type WireGraph, type WireRequest, type WireStage } from './wire'
import { LatePython } from './late_python'
import { pause, turn } from './waits'
import { assetsOf, StartFiles } from './worker_files'

const post = self.postMessage.bind(self) as (event: WireEvent) => void
const graphs = new GraphSender()
let session: Promise<Session> | null = null

/** Python's files, which the page sends. */
const files = new StartFiles()

/** The files that follow them. The page's timers stop while the worker waits for them. */
const late = new LatePython(
  (id) => post({ id, kind: 'progress', stage: 'python', text: 'Loading the standard library', fraction: null }),
  (id) => runsFiles(id),
)

/** Interval between two signs of life during an explanation, in ms. */
const SIGN_MS = 5000

/** Idle time before fixes are tried, in ms: each trial blocks this thread for one run. */
const QUIET_MS = 400

/** Time for the page to paint a report before it is explained, in ms: both use a core, and some machines have two. */
const PAINT_MS = 50
/** Like PAINT_MS, after the answer to an edit: while the user types, explaining would use the core that the next answer needs. */
const TYPING_MS = 150

/** Counts runs: the explanation of an older run ends at its next slice. */
let newest = 0

/** Resolves when the slices that use the registrations of the last analysis are done: a pattern's trials replace them. */
let explained: Promise<void> = Promise.resolve()

/** Explains the last analysis, runs it on the other graphs, then tries fixes, until a newer request arrives. */
async function explain(s: Session, id: number, run: number): Promise<void> {
  const ended = (): boolean => run !== newest || s.broken()
  const slices = explainSlices(s, id, ended)
  explained = slices.then(
    () => {},
    () => {},
  )
  if (!(await slices)) return
  await pause(QUIET_MS)
  if (ended() || !(await confirm(s, id, ended)) || (s.recorded && !(await explainByFiles(s, id, ended)))) return
  const searched = await inTurns(
    id,
    s.fixes(),
    ended,
    (found) => found && post({ id, kind: 'fixes', found, done: false }),
  )
  if (!searched) return
  post({ id, kind: 'fixes', found: [], done: true, cut: searched.value.cut })
  await pause(QUIET_MS)
  if (!ended()) s.expectEdits()
}

/**
 * Runs the files of an edit whose answer was derived from an earlier run. Its report stands, or is replaced and explained.
 * @returns false if a newer request ended it
 */
async function confirm(s: Session, id: number, ended: () => boolean): Promise<boolean> {
  if (!s.isUnconfirmed) return true
  runsFiles(id)
  const analysis = s.confirmed()
  if (!analysis) return true
  sendReport(s, id, analysis)
  return explainSlices(s, id, ended)
}

/**
 * Runs slices to their end, and handles the requests that arrive between two of them. Tells the page that they continue, because it
 * replaces a worker that is silent for too long (EXPLAIN_LIMIT_MS).
 * @returns null if a newer request ended it
 */
async function inTurns<S, T>(
  id: number,
  slices: Generator<S, T>,
  ended: () => boolean,
  hear?: (slice: S) => void,
): Promise<{ value: T } | null> {
  let said = performance.now()
  for (;;) {
    await turn()
    if (ended()) return null
    const step = slices.next()
    if (step.done) return step
    hear?.(step.value)
    if (performance.now() - said < SIGN_MS) continue
    said = performance.now()
    post({ id, kind: 'progress', stage: 'apply', text: 'Explaining', fraction: null })
  }
}

/** Explains a capture through its files, once Python is ready. @returns false if a newer request ended it */
async function explainByFiles(s: Session, id: number, ended: () => boolean): Promise<boolean> {
  startingPython(s, id)
  // Without Python, the explanation from the recording stands.
  await s.ready.catch(() => {})
  await late.whole(id)
  await turn()
  if (ended()) return false
  const slices = s.explainByFiles()
  runsFiles(id)
  slices.next()
  post({ id, kind: 'progress', stage: 'apply', text: 'Explaining', fraction: null })
  const explained = await inTurns(id, slices, ended)
  if (!explained) return false
  if (explained.value) post({ id, kind: 'explained', passes: explained.value })
  return true
}

/** @returns false if a newer request ended it */
async function explainSlices(s: Session, id: number, ended: () => boolean): Promise<boolean> {
  await pause(s.isUnconfirmed ? TYPING_MS : PAINT_MS)
  await late.whole(id)
  if (ended()) return false
  post({ id, kind: 'off', off: s.switchedOff() })
  const guessed = await inTurns(id, s.guessShapes(), ended)
  if (!guessed) return false
  if (guessed.value) post({ id, kind: 'shapes', shapes: guessed.value })
  const explained = await inTurns(id, s.explain(), ended)
  if (!explained) return false
  post({ id, kind: 'explained', passes: explained.value })
  for (const column of s.graphColumns()) {
    if (column) post({ id, kind: 'column', column })
    await turn()
    if (ended()) return false
  }
  return true
}

function sendAhead(key: string, view: GraphView): WireGraph {
  const graph = graphs.pack(key, view)
  if (!graph.view) return graph
  post({ id: 0, kind: 'ahead', graph })
  return { key, view: null }
}

/** The page's timer stops at this message. */
function startingPython(s: Session, id: number): void {
  if (!s.pythonReady()) post({ id, kind: 'progress', stage: 'python', text: 'Starting Python', fraction: null })
}

/** The page starts its timer at this message; it must be sent before the run blocks this thread. */
const runsFiles = (id: number): void =>
  post({ id, kind: 'progress', stage: 'run', text: 'Running the patterns', fraction: null })

async function analyze(s: Session, request: Of<'analyze'>): Promise<void> {
  const { id, workspace, held, again } = request
  if (held !== undefined) graphs.hold(held)
  const { key, view } = s.read(workspace)
  post({ id, kind: 'graph', graph: graphs.pack(key, view) })
  if (!s.isRecorded(workspace)) {
    startingPython(s, id)
    await s.ready
  }
  sendReport(s, id, await late.run(id, () => (again ? null : s.analyzeEdit(workspace)) ?? s.analyze(workspace)))
  if (again) return
  // Not awaited: the next request is handled between two slices.
  void explain(s, id, newest)
    .catch((error: unknown) => {
      console.error(error)
      post({ id, kind: 'fixes', found: [], done: true, cut: true })
    })
    .then(() => s.broken() && post({ id: 0, kind: 'broken' }))
}

function sendReport(s: Session, id: number, { report, graphKey, afterKey }: Analysis): void {
  const { graph, after, passes, ...rest } = report
  const sent = { graph: sendAhead(graphKey, graph), after: after && sendAhead(afterKey!, after) }
  post({ id, kind: 'report', report: { ...rest, ...packPasses(passes), ...sent }, unconfirmed: s.isUnconfirmed })
}

/** Calls that the session answers by its method of that name. */
type OfSession = Omit<Calls, 'view' | 'stage'>

function answerTo(s: Session, call: CallOf): unknown {
  if (call.name === 'view') return viewOfText(...call.args)
  if (call.name === 'stage') return stageOf(s, ...call.args)
  const own: OfSession = s
  return Reflect.apply(own[call.name], own, call.args)
}

function stageOf(s: Session, at: number): WireStage {
  const { key, beforeKey, view } = s.stage(at)
  const before = view.before && graphs.pack(beforeKey!, view.before)
  return { ...view, before, graph: graphs.pack(key, view.graph) }
}

/** Calls that wait for Python; those with code of their own wait for the slices of the last analysis too. */
const WAITING: ReadonlySet<keyof Calls> = new Set(['language', 'pattern', 'counts'])
const WITH_CODE: ReadonlySet<keyof Calls> = new Set(['pattern', 'counts'])

/** Calls whose answers the page still waits for. */
const wanted = new Set<number>()

async function answer(s: Session, call: Of<'call'>): Promise<void> {
  const { id, name } = call
  if (WAITING.has(name)) await s.ready
  if (WITH_CODE.has(name)) await explained
  // A text's view and a run need only the start files.
  if (name !== 'view') await late.whole(id)
  // A capture is exported before Python starts.
  if (name === 'exported') await late.loadLib()
  if (!wanted.delete(id)) return
  post({ id, kind: 'answer', name, answer: answerTo(s, call) })
}

type Of<Kind> = Extract<WireRequest, { kind: Kind }>
type Request = Of<'analyze' | 'read' | 'call'>

async function handle(request: Request): Promise<void> {
  const { id } = request
  const s = await session!
  switch (request.kind) {
    case 'read': {
      const { key, view } = s.read(request.workspace)
      return post({ id, kind: 'graph', graph: graphs.pack(key, view) })
    }
    case 'analyze':
      return analyze(s, request)
    case 'call':
      return answer(s, request)
  }
}

/** Requests in order of arrival. */
const inbox: Request[] = []
let taking = false

/** Begins each request after all messages received before it: one of them may cancel it. */
async function take(): Promise<void> {
  if (taking) return
  taking = true
  while (inbox.length > 0) {
    await turn()
    const request = inbox.shift()!
    handle(request)
      .catch((error: unknown) => {
        post({ id: request.id, kind: 'failed', message: messageOf(error) })
      })
      .then(() => session)
      .then((s) => s?.broken() && post({ id: 0, kind: 'broken' }))
  }
  taking = false
}

self.onmessage = (e: MessageEvent<WireRequest>) => {
  const request = e.data
  if (request.kind === 'chunk') return files.push(request.chunk)
  if (request.kind === 'bytes') return files.receive(request.bytes)
  if (request.kind === 'stdlib') return late.take(request.stdlib)
  if (request.kind === 'init') {
    const started = performance.now()
    session = Promise.resolve(
      createSession(assetsOf(request.files, files, late), () => {
        lockWorker(self)
        post({ id: 0, kind: 'ready', ms: performance.now() - started })
      }),
    )
    return
  }
  if (request.kind === 'cancel') return void wanted.delete(request.id)
  if (request.kind === 'call') wanted.add(request.id)
  else newest++
  inbox.push(request)
  void take()
}
