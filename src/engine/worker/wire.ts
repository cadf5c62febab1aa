/**
 * What really crosses between page and worker. A report's graphs are large and mostly the same from one keystroke to
 * the next: they are sent once and named by key afterwards, and the page keeps the very same object, so that nothing
 * downstream (layout above all) is done again for an equal graph.
 */
import type { StageView } from '../pipeline/types'
import type { EngineEvent, EngineRequest, GraphView, Report } from '../protocol'

/** A graph view, or the promise that the receiver has it under this key. */
export interface WireGraph {
  key: string
  view: GraphView | null
}

export type WireReport = Omit<Report, 'graph' | 'after'> & { graph: WireGraph; after: WireGraph | null }

export type WireStage = Omit<StageView, 'graph' | 'before'> & { graph: WireGraph; before: WireGraph | null }

export type WireEvent =
  | Exclude<EngineEvent, { kind: 'report' } | { kind: 'graph' } | { kind: 'stage' }>
  | { id: number; kind: 'stage'; stage: WireStage }
  | { id: number; kind: 'graph'; graph: WireGraph }
  | { id: number; kind: 'report'; report: WireReport }
  /** Python is beyond repair (its stack overflowed inside C): this worker can only be replaced. */
  | { id: 0; kind: 'broken' }

export type WireRequest = EngineRequest | { id: 0; kind: 'init'; indexURL: string }

/** How many graphs each end remembers; the sender never names one that the receiver may have dropped. */
const REMEMBERED = 8

/** The sender's memory: which keys the other end holds. */
export class GraphSender {
  private readonly sent = new Set<string>()

  pack(key: string, view: GraphView): WireGraph {
    const known = this.sent.delete(key)
    this.sent.add(key)
    if (this.sent.size > REMEMBERED) this.sent.delete(this.sent.values().next().value!)
    return { key, view: known ? null : view }
  }
}

/** The receiver's memory, kept in the same order as the sender's. */
export class GraphReceiver {
  private readonly held = new Map<string, GraphView>()

  unpack(wire: WireGraph): GraphView {
    const view = wire.view ?? this.held.get(wire.key)
    if (!view) throw new Error(`the engine named graph ${wire.key}, which was never sent`)
    this.held.delete(wire.key)
    this.held.set(wire.key, view)
    if (this.held.size > REMEMBERED) this.held.delete(this.held.keys().next().value!)
    return view
  }
}
