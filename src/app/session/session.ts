/**
 * The session of the open workspace. Everything that runs for a workspace (the analysis, autosave, GPU runs, a pin, a
 * timeline) is a part of its session: it receives edits and reports from the session and ends with it.
 */
import type { GraphView, Report } from '../../engine/protocol'
import { perPage, Scope } from './scope'
import { resetSessionStores } from './session_store'
import { useWorkspace } from './workspace_store'

/** Callbacks of one part of the app for the open workspace. */
export interface SessionPart {
  /** The workspace was edited: it has a new version. */
  onEdit?(): void
  /** A large graph has arrived and is shown in a later task: data for its drawing is computed before, in these tasks. */
  onLargeGraph?(graph: GraphView): readonly (() => void)[]
  /** Like onLargeGraph, for the report on a large graph. */
  onLargeReport?(report: Report): readonly (() => void)[]
  /** A run in this page has finished with a report, and the report is on screen. */
  onReport?(): void
  /** A run ended: with a report, with a failure, or because it was stopped. */
  onRunEnd?(): void
  /** The user allowed the code of a link to run. */
  onConsent?(): void
  dispose?(): void
}

/** Starts a part for a session; called once for each workspace that is opened. */
export type OpenPart = (session: WorkspaceSession) => SessionPart

/** The topic of requests that open another workspace: the last one wins. */
export const OPENING = 'opening'

export class WorkspaceSession {
  readonly scope = new Scope()
  private readonly ending = new AbortController()
  private readonly requests = new Map<string, AbortController>()
  private readonly parts: SessionPart[]
  private readonly stopWatching: () => void

  constructor(open: readonly OpenPart[]) {
    this.parts = open.map((part) => part(this))
    this.stopWatching = useWorkspace.subscribe((now, before) => {
      if (now.version !== before.version) this.emit('onEdit')
    })
  }

  /** Aborted when the session ends. */
  get signal(): AbortSignal {
    return this.ending.signal
  }

  emit(event: Exclude<keyof SessionPart, 'dispose' | 'onLargeGraph' | 'onLargeReport'>): void {
    for (const part of this.parts) part[event]?.()
  }

  /** The parts' work before a large graph is shown. */
  beforeGraph(graph: GraphView): (() => void)[] {
    return this.parts.flatMap((part) => part.onLargeGraph?.(graph) ?? [])
  }

  /** The parts' work before a report on a large graph is shown. */
  beforeReport(report: Report): (() => void)[] {
    return this.parts.flatMap((part) => part.onLargeReport?.(report) ?? [])
  }

  /**
   * Begins a request that replaces the previous request of the same topic.
   * @returns a signal, aborted by the next request of the topic, by `cancel` and when the session ends
   */
  only(topic: string): AbortSignal {
    this.cancel(topic)
    const request = new AbortController()
    this.requests.set(topic, request)
    return request.signal
  }

  /** Aborts the current request of a topic, if any. */
  cancel(topic: string): void {
    this.requests.get(topic)?.abort()
    this.requests.delete(topic)
  }

  /** Ends all requests and parts. Pending edits are saved. */
  dispose(): void {
    this.stopWatching()
    this.ending.abort()
    for (const request of this.requests.values()) request.abort()
    for (const part of this.parts) part.dispose?.()
  }
}

interface Open {
  /** The parts of this and all later sessions. */
  parts: readonly OpenPart[]
  session: WorkspaceSession
}

const open = perPage((): Open => ({ parts: [], session: new WorkspaceSession([]) }))

/** The session of the open workspace. */
export const currentSession = (): WorkspaceSession => open().session

/** State that lives as long as a session and that no store shows. @returns a function that gets the open session's value */
export const perSession =
  <T>(make: () => T) =>
  (): T =>
    currentSession().scope.of(make)

/** Opens the first session, for the workspace in the store. @param parts those of this and all later sessions */
export function startSessions(parts: readonly OpenPart[]): void {
  currentSession().dispose()
  Object.assign(open(), { parts, session: new WorkspaceSession(parts) })
}

/**
 * Ends the open session, puts the session stores back to their initial states and begins the next session.
 * @param fill puts the new workspace into the stores
 */
export function replaceSession(fill: () => void): void {
  currentSession().dispose()
  resetSessionStores()
  fill()
  open().session = new WorkspaceSession(open().parts)
}
