/**
 * The engine in a Web Worker: Python, tracer, matcher. Once Python has loaded, only the globals of an allowlist remain
 * (src/python/box), so that user code finds nothing to use; the worker keeps what it needs in closures.
 */
import { messageOf } from '../../base/error_message'
import { lockWorker } from '../../python/box/lock_worker'
import { viewOfText } from '../cases/graph_file'
import { pythonLib } from '../../python/lib_files.browser'
import type { Workspace } from '../../workspace/types'
import type { RunPrograms } from '../../gpu/types'
import type { EngineRequest, GraphView } from '../protocol'
import { createSession, type Session } from '../session/session'
import { GraphSender, packPasses, type PythonBytes, type WireEvent, type WireGraph, type WireRequest } from './wire'
import { assetsOf } from './worker_files'

const post = self.postMessage.bind(self) as (event: WireEvent) => void
const graphs = new GraphSender()
let session: Promise<Session> | null = null

/** Resolves once every message received so far is handled; the lockdown removes the other ways to wait. */
const turn = ((): (() => Promise<void>) => {
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      port2.postMessage(null)
    })
})()
const later = self.setTimeout.bind(self)

/** Python's files, once the page has sent them. */
let received!: (bytes: PythonBytes | string) => void
const bytes = new Promise<PythonBytes>((resolve, reject) => {
  received = (sent) => (typeof sent === 'string' ? reject(new Error(sent)) : resolve(sent))
})

/** Idle time before fixes are tried, in ms: each trial blocks this thread for one run. */
const QUIET_MS = 400

/** Time that the page has for painting a report before it is explained, in ms: both take a core, and some machines have two. */
const PAINT_MS = 50

const pause = (ms: number): Promise<void> => new Promise((resolve) => void later(resolve, ms))

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
  const fixes = s.fixes()
  for (;;) {
    await turn()
    if (ended()) return
    const step = fixes.next()
    if (step.done) return post({ id, kind: 'fixes', found: [], done: true, cut: step.value.cut })
    if (step.value) post({ id, kind: 'fixes', found: step.value, done: false })
  }
}

/** @returns false if a newer request ended it */
async function explainSlices(s: Session, id: number, ended: () => boolean): Promise<boolean> {
  await pause(PAINT_MS)
  if (ended()) return false
  const guesses = s.guessShapes()
  for (;;) {
    await turn()
    if (ended()) return false
    const step = guesses.next()
    if (!step.done) continue
    if (step.value) post({ id, kind: 'shapes', shapes: step.value })
    break
  }
  const slices = s.explain()
  for (;;) {
    await turn()
    if (ended()) return false
    const step = slices.next()
    if (!step.done) continue
    post({ id, kind: 'explained', passes: step.value })
    break
  }
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

async function analyze(s: Session, id: number, workspace: Workspace, held?: string): Promise<void> {
  if (held !== undefined) graphs.hold(held)
  const { key, view } = s.read(workspace)
  post({ id, kind: 'graph', graph: graphs.pack(key, view) })
  if (!s.pythonReady() && !s.isRecorded(workspace)) {
    post({ id, kind: 'progress', stage: 'python', text: 'Starting Python', fraction: null })
    await s.ready
  }
  // The page starts its timer at this message; it must be sent before the run blocks this thread.
  post({ id, kind: 'progress', stage: 'run', text: 'Running the patterns', fraction: null })
  const { report, graphKey, afterKey } = s.analyze(workspace)
  const { graph, after, passes, ...rest } = report
  const sent = { graph: sendAhead(graphKey, graph), after: after && sendAhead(afterKey!, after) }
  post({
    id,
    kind: 'report',
    report: {
      ...rest,
      ...packPasses(passes),
      ...sent,
    },
  })
  // Not awaited: the next request is handled between two slices.
  void explain(s, id, newest)
    .catch((error: unknown) => console.error(error))
    .then(() => s.broken() && post({ id: 0, kind: 'broken' }))
}

async function handle(request: EngineRequest): Promise<void> {
  const { id } = request
  if (request.kind === 'analyze' || request.kind === 'read') newest++
  const s = await session!
  switch (request.kind) {
    case 'read': {
      const { key, view } = s.read(request.workspace)
      return post({ id, kind: 'graph', graph: graphs.pack(key, view) })
    }
    case 'analyze':
      return analyze(s, id, request.workspace, request.held)
    case 'view':
      return post({ id, kind: 'view', view: viewOfText(request.text) })
    case 'print':
      return post({ id, kind: 'text', text: s.print(request.workspace, request.as, request.which) })
    case 'lower':
      return post({ id, kind: 'text', text: s.lower() })
    case 'pattern':
      await s.ready
      await explained
      return post({ id, kind: 'pattern', answer: s.patternOf(request.workspace, request.nodes, request.options) })
    case 'counts':
      await s.ready
      await explained
      return post({ id, kind: 'counts', counts: s.counts(request.workspace) })
    case 'language':
      await s.ready
      return post({ id, kind: 'language', facts: s.language() })
    case 'compare':
      return post({ id, kind: 'compared', report: s.compare(request.other, request.role) })
    case 'export':
      return post({ id, kind: 'exported', exported: s.exported(request.as) })
    case 'steps':
      return post({ id, kind: 'steps', timeline: s.steps(request.pass, request.entry, request.node) })
    case 'explainPattern':
      return post({ id, kind: 'explainedPattern', pattern: s.explainPattern(request.pass, request.entry) })
    case 'stage':
      return postStage(id, s.stage(request.at))
    case 'pin':
      return post({ id, kind: 'pin', answer: s.pin(request.pass, request.entry, request.node) })
    case 'variantProgram':
    case 'graphProgram':
    case 'program':
      return post({ id, kind: 'program', program: programOf(s, request) })
  }
}

type ProgramRequest = Extract<EngineRequest, { kind: 'variantProgram' | 'graphProgram' | 'program' }>

function programOf(s: Session, request: ProgramRequest): RunPrograms {
  switch (request.kind) {
    case 'variantProgram':
      return s.variantProgram(request.pass, request.entry, request.shapes)
    case 'graphProgram':
      return s.graphProgram()
    case 'program':
      return s.program(request.pass, request.match)
  }
}

function postStage(id: number, { key, beforeKey, view }: ReturnType<Session['stage']>): void {
  const before = view.before && graphs.pack(beforeKey!, view.before)
  post({ id, kind: 'stage', stage: { ...view, before, graph: graphs.pack(key, view.graph) } })
}

self.onmessage = (e: MessageEvent<WireRequest>) => {
  const request = e.data
  if (request.kind === 'bytes') return received(request.bytes)
  if (request.kind === 'init') {
    const started = performance.now()
    session = Promise.resolve(
      createSession(
        assetsOf(request.files, bytes, () => pythonLib),
        () => {
          lockWorker(self)
          post({ id: 0, kind: 'ready', ms: performance.now() - started })
        },
      ),
    )
    return
  }
  handle(request)
    .catch((error: unknown) => {
      post({ id: request.id, kind: 'failed', message: messageOf(error) })
    })
    .then(() => session)
    .then((s) => s?.broken() && post({ id: 0, kind: 'broken' }))
}
