/**
 * The engine in a Web Worker: Python, tracer, matcher. Everything user code could reach the outside with is removed
 * from this scope once Python has loaded (src/python/lockdown.ts); what the worker itself needs is kept in closures.
 */
import { lockDownWorker } from '../python/lockdown'
import { pythonLib } from '../python/lib_files.browser'
import type { EngineRequest } from './protocol'
import { createSession, type Session } from './session'
import { GraphSender, type WireEvent, type WireRequest } from './wire'

const post = self.postMessage.bind(self) as (event: WireEvent) => void
const graphs = new GraphSender()
let session: Promise<Session> | null = null

async function handle(request: EngineRequest): Promise<void> {
  const { id } = request
  const s = await session!
  switch (request.kind) {
    case 'read': {
      const { key, view } = s.read(request.workspace)
      return post({ id, kind: 'graph', graph: graphs.pack(key, view) })
    }
    case 'analyze': {
      const { key, view } = s.read(request.workspace)
      post({ id, kind: 'graph', graph: graphs.pack(key, view) })
      if (!s.pythonReady()) post({ id, kind: 'progress', stage: 'python', text: 'Starting Python', fraction: null })
      await s.ready
      // The page starts its clock at this message; let it leave before the run blocks this thread.
      post({ id, kind: 'progress', stage: 'run', text: 'Running the patterns', fraction: null })
      const { report, graphKey, afterKey } = s.analyze(request.workspace)
      const { graph, after, ...rest } = report
      return post({
        id,
        kind: 'report',
        report: { ...rest, graph: graphs.pack(graphKey, graph), after: after && graphs.pack(afterKey!, after) },
      })
    }
    case 'print':
      return post({ id, kind: 'text', text: s.print(request.workspace, request.as, request.which) })
    case 'program':
      return post({ id, kind: 'program', program: s.program(request.pass, request.match) })
  }
}

self.onmessage = (e: MessageEvent<WireRequest>) => {
  const request = e.data
  if (request.kind === 'init') {
    const started = performance.now()
    session = Promise.resolve(
      createSession({ indexURL: request.indexURL, lib: pythonLib }, () => {
        lockDownWorker(self)
        post({ id: 0, kind: 'ready', ms: performance.now() - started })
      }),
    )
    return
  }
  handle(request)
    .catch((error: unknown) => {
      post({ id: request.id, kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    })
    .then(() => session)
    .then((s) => s?.broken() && post({ id: 0, kind: 'broken' }))
}
