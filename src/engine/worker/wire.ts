/**
 * The messages between page and worker. A report's graphs are large and rarely change between keystrokes: each is sent
 * once and referred to by key afterwards, and the page keeps the same object, so that an equal graph needs no new
 * layout.
 */
import { lazyField } from '../../base/lazy_field'
import type { StageView } from '../pipeline/types'
import type { EngineEvent, EngineRequest, GraphView, PassReport, Report } from '../protocol'
import type { CallOf } from './calls'
import { packAttempts, unpackAttempts, type PackedAttempts } from './packed_attempts'
import { packView, unpackView, type PackedView } from './packed_view'

/** A graph view, or the key of a view that the receiver has. */
export interface WireGraph {
  key: string
  view: PackedView | null
  /** Instead of `view`: the nodes of another graph that the receiver has. */
  like?: { key: string } & Omit<GraphView, 'nodes'>
}

export type WireReport = Omit<Report, 'graph' | 'after' | 'passes'> & {
  graph: WireGraph
  after: WireGraph | null
  passes: Omit<PassReport, 'attempts'>[]
  /** By pass. */
  attempts: PackedAttempts[]
}

/** The passes of a report for a message. */
export const packPasses = (passes: readonly PassReport[]): Pick<WireReport, 'passes' | 'attempts'> => ({
  passes: passes.map(({ attempts: _attempts, ...pass }) => pass),
  attempts: passes.map((p) => packAttempts(p.attempts)),
})

/** Attempts are unpacked when they are first read: few views of the page do. */
const unpackPasses = ({ passes, attempts }: Pick<WireReport, 'passes' | 'attempts'>): PassReport[] =>
  passes.map((p, i) => {
    const packed = attempts[i]!
    const stubs = packed.rest.flatMap(([, { stubs }]) => stubs ?? [])
    return lazyField({ ...p, attemptFacts: { count: packed.entry.length, stubs } }, 'attempts', () =>
      unpackAttempts(packed),
    )
  })

export type WireStage = Omit<StageView, 'graph' | 'before'> & { graph: WireGraph; before: WireGraph | null }

export type WireEvent =
  | Exclude<EngineEvent, { kind: 'report' } | { kind: 'graph' }>
  /** To a call. */
  | { id: number; kind: 'answer'; name: CallOf['name']; answer: unknown }
  | { id: number; kind: 'graph'; graph: WireGraph }
  /** `unconfirmed`: the derived answer to an edit; its run sends another report if the report differs. */
  | { id: number; kind: 'report'; report: WireReport; unconfirmed?: boolean }
  /** A graph of the report that follows: a separate message, so that no page task handles both. */
  | { id: 0; kind: 'ahead'; graph: WireGraph }
  /** Python is unusable (its stack overflowed inside C): this worker must be replaced. */
  | { id: 0; kind: 'broken' }

/** The absolute URLs from which the page loads Python. */
export interface PythonFiles {
  /** The folder with Pyodide's files; ends in `/`. */
  indexURL: string
  /** The files of the memory snapshot and the standard library (src/python/start/pack.ts); null: Python starts cold. */
  packs: { snapshot: string; stdlib: string } | null
}

/** The files that Python starts from, which the worker cannot load itself. */
export interface PythonBytes {
  wasm: WebAssembly.Module
  /** The zip of Pyodide's standard library: Python starts cold. */
  snapshot: Packed | Blob
}

/** A file of src/python/start/pack.ts, packed or unpacked. */
export interface Packed {
  bytes: Blob
  packed: boolean
}

export type WireRequest =
  | EngineRequest
  | ({ id: number; kind: 'call' } & CallOf)
  /** The page no longer waits for the answer to this call. */
  | { id: number; kind: 'cancel' }
  | { id: 0; kind: 'init'; files: PythonFiles }
  /** A string: the reason why they could not be loaded. */
  | { id: 0; kind: 'bytes'; bytes: PythonBytes | string }
  /** The packed snapshot while it arrives, before `bytes`. */
  | { id: 0; kind: 'chunk'; chunk: Uint8Array }
  /**
   * The standard library, which follows them; a string: the reason why it could not be loaded. Bytes instead of a Blob, because
   * user code may have run: the worker receives no platform object.
   */
  | { id: 0; kind: 'stdlib'; stdlib: { bytes: ArrayBuffer; packed: boolean } | string }

/** Number of graphs that each side keeps; the sender never refers to a graph that the receiver may have dropped. */
const REMEMBERED = 8

/** The sender's memory: the keys that the receiver has. */
export class GraphSender {
  private readonly sent = new Set<string>()
  private readonly keys = new WeakMap<GraphView['nodes'], string>()

  /** The receiver has this graph already. */
  hold(key: string): void {
    this.sent.add(key)
    this.drop()
  }

  pack(key: string, view: GraphView): WireGraph {
    const { nodes } = view
    const known = this.sent.delete(key)
    const like = this.keys.get(nodes)
    if (!known && like !== undefined && this.sent.delete(like)) {
      // Both sides keep the order of use.
      this.sent.add(like).add(key)
      this.drop()
      const { nodes: _nodes, ...rest } = view
      return { key, view: null, like: { key: like, ...rest } }
    }
    this.keys.set(nodes, key)
    this.sent.add(key)
    this.drop()
    return { key, view: known ? null : packView(view) }
  }

  private drop(): void {
    if (this.sent.size > REMEMBERED) this.sent.delete(this.sent.values().next().value!)
  }
}

/** The receiver's memory, kept in the same order as the sender's. */
export class GraphReceiver {
  private readonly held = new Map<string, GraphView>()

  /** Keeps a graph that another part of the page has read. */
  hold(key: string, view: GraphView): void {
    this.keep(key, view)
  }

  unpack(wire: WireGraph): GraphView {
    const { key, like } = wire
    if (like) {
      const { key: other, ...rest } = like
      return this.keep(key, { nodes: this.keep(other, this.named(other)).nodes, ...rest })
    }
    return this.keep(key, wire.view ? unpackView(wire.view) : this.named(key))
  }

  /** The number of nodes of a graph that a message names or holds. */
  sizeOf({ key, view, like }: WireGraph): number {
    return view?.textLines.length ?? this.held.get(like?.key ?? key)?.nodes.length ?? 0
  }

  private named(key: string): GraphView {
    const view = this.held.get(key)
    if (!view) throw new Error(`the engine named graph ${key}, which was never sent`)
    return view
  }

  private keep(key: string, view: GraphView): GraphView {
    this.held.delete(key)
    this.held.set(key, view)
    if (this.held.size > REMEMBERED) this.held.delete(this.held.keys().next().value!)
    return view
  }
}

type Of<E, K> = Extract<E, { kind: K }>

export function unpackReport(
  graphs: GraphReceiver,
  { id, report }: Of<WireEvent, 'report'>,
): Of<EngineEvent, 'report'> {
  const { graph, after, passes, attempts, ...rest } = report
  return {
    id,
    kind: 'report',
    report: {
      ...rest,
      passes: unpackPasses({ passes, attempts }),
      graph: graphs.unpack(graph),
      after: after && graphs.unpack(after),
    },
  }
}
