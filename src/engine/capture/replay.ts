/** Applies a capture's patterns to its graphs, pass by pass, and compares each pass with PyTorch's. */
import { clone, Graph, type Node, type Problem } from '../../fx'
import { PatternRegistry } from '../../matcher'
import type { FoundStage } from '../../python/types'
import { TorchError, type Tracer } from '../../trace/types'
import { applyPass, type PassRun } from '../pipeline/apply_pass'
import type { PipelineContext, StageRun } from '../pipeline/context'
import type { PipelineRun } from '../pipeline/run'
import { buildGraph } from './graphs'
import { nameOfPass } from './runs'
import { sameGraph } from './same_graph'
import { CaptureHost } from './host'
import { CapturedEntries } from './register'
import type { Capture, CapturedApplication } from './records'
import type { PyTorchVerdict } from './report_types'
import { entryIndices, verdictOf } from './verdict'

export interface Replay {
  registry: PatternRegistry
  /** The graph before the first pass. */
  source: Graph
  pipeline: PipelineRun
  /** By PipelineRun.passes. */
  verdicts: PyTorchVerdict[]
  applications: CapturedApplication[]
  /** Sets the application whose calls are answered, for a timeline; null: none. */
  again(pass: number | null): void
  /** Declares the operators of the capture again. */
  restore(): void
  /** Patterns that could not be registered, and passes without a graph. */
  problems: Problem[]
}

export interface ReplayContext extends Pick<PipelineContext, 'schemaOf' | 'detail'> {
  /** Knows the cataloged operators; the capture's operators are declared in it. */
  tracer: Tracer
}

/**
 * Replays one run of a capture. Each pass starts with the graph that PyTorch's pass started with, so one difference does not cause
 * others.
 */
export function replay(capture: Capture, run: number, context: ReplayContext): Replay {
  declareOperators(capture, context.tracer)
  const replayer = new Replayer(capture, context)
  for (const application of capture.applications) if (application.run === run) replayer.apply(application)
  return replayer.finish()
}

class Replayer {
  private readonly entries: CapturedEntries
  private readonly host: CaptureHost
  private readonly registry: PatternRegistry
  private readonly names = new Map<number, string>()
  private source: Graph | null = null
  private graph: Graph | null = null
  private readonly stages: StageRun[] = []
  private readonly passes: PassRun[] = []
  private readonly verdicts: PyTorchVerdict[] = []
  private readonly applications: CapturedApplication[] = []
  private readonly problems: Problem[] = []

  constructor(
    private readonly capture: Capture,
    private readonly context: ReplayContext,
  ) {
    this.entries = new CapturedEntries(capture, () => this.registry)
    this.host = new CaptureHost(capture, this.entries.idOf)
    this.registry = new PatternRegistry({
      host: () => this.host,
      schemaOf: context.schemaOf,
      overloadsOf: () => [], // recorded patterns have them
    })
  }

  apply(application: CapturedApplication): void {
    const { capture, registry, host, entries } = this
    const id = application.pass
    const name = this.names.get(id) ?? nameOfPass(capture, id, this.names)
    const recorded = application.before === null ? undefined : capture.graphs.get(application.before)
    if (!recorded) {
      this.problem(`The graph before ${name} is not in the capture, so the pass is not repeated.`)
      return
    }
    const before = this.startFrom(buildGraph(recorded))
    if (!this.names.has(id)) {
      this.names.set(id, name)
      registry.newPass(id, capture.passes.get(id)?.passName ?? null)
    }
    entries.fill(id, application)
    host.begin(application)
    const { graph: after, map: copies } = clone(before)
    const context = { ...this.context, registry, host: NO_PASSES }
    const applied = applyPass({ variable: name, passId: id }, { before, after, copies }, context)
    host.begin(null)
    const times = this.passes.filter((p) => p.toExplain.name === name).length
    const stage = { defined: stageOf(name, id, capture.passes.get(id)?.holder?.[1] ?? null) }
    this.stages.push({ stage, after, copies, did: null, pass: this.passes.length })
    this.passes.push({ ...applied, key: times === 0 ? name : `${name}#${times + 1}` })
    this.applications.push(application)
    this.verdicts.push(verdictOf(capture, application, applied, entryIndices(applied, entries.idOf)))
    this.graph = after
  }

  /** The graph of the pass: ours if it equals the recorded graph, else the recorded graph, after a stage of other code. */
  private startFrom(recorded: Graph): Graph {
    const { graph } = this
    if (graph && sameGraph(graph, recorded)) {
      carryNames(recorded, graph)
      return graph
    }
    if (graph) this.stages.push(otherCode(graph, recorded))
    else this.source = recorded
    return recorded
  }

  private problem(message: string): void {
    this.problems.push({ file: this.capture.name, line: 1, column: 1, message })
  }

  finish(): Replay {
    const { registry, stages, passes, verdicts, applications, host } = this
    const source = this.source ?? new Graph()
    const defined = stages.flatMap(({ stage }) => ('defined' in stage ? [stage.defined] : []))
    return {
      registry,
      source,
      pipeline: {
        plan: { acting: stages.map((s) => s.stage), inactive: [], defined, names: defined.map((d) => d.variable) },
        stages,
        passes,
        graph: this.graph ?? source,
        ms: passes.reduce((sum, p) => sum + p.applyMs, 0),
      },
      verdicts,
      applications,
      restore: () => declareOperators(this.capture, this.context.tracer),
      again: (pass) => host.begin(pass === null ? null : (applications[pass] ?? null)),
      problems: [...this.problems, ...this.entries.problems],
    }
  }
}

const NO_PASSES: PipelineContext['host'] = {
  callPass: () => {
    throw new Error('a capture has no code to call')
  },
  lastCall: () => ({ edits: [], leftOut: 0, searches: [], searchesLeftOut: 0 }),
}

/** Declares the operators of the capture, so that their mutations are known. */
export function declareOperators(capture: Capture, tracer: Tracer): void {
  tracer.reset()
  for (const [, schema] of capture.operators) {
    const [, ns, rest] = /^(\w+)::(.*)$/s.exec(schema) ?? []
    if (!ns || !rest) continue
    try {
      tracer.define(ns, rest.replace(/\(\$(\d+)(!?) -> \)/g, '(a$1$2)'))
    } catch (e) {
      if (!(e instanceof TorchError)) throw e // declared, or with a type of its own library: the catalogue decides
    }
  }
}

const stageOf = (variable: string, passId: number | null, of: string | null): FoundStage => ({
  variable,
  passId,
  of,
  callable: null,
  hook: null,
  manager: null,
  refused: null,
  path: null,
  uuid: null,
})

/** The changes between two passes, as a stage: the graph that the next pass found. */
function otherCode(graph: Graph, recorded: Graph): StageRun {
  const present = new Map([...recorded.nodes()].map((n) => [n.name, n]))
  const copies = new Map<Node, Node>()
  for (const [node, copied] of clone(graph).map) {
    const same = present.get(node.name)
    const kept = same && same.op === node.op && same.target === node.target ? same : null
    if (!kept) copied.erased = true
    copies.set(node, kept ?? copied)
  }
  return {
    stage: { defined: stageOf('other code', null, null) },
    after: recorded,
    copies,
    did: { count: null, notes: ['Code between the passes; the graph is the recorded one.'], error: null, ms: 0 },
    pass: null,
  }
}

/** Gives our nodes the names, metadata and user order of PyTorch's nodes, so that attempts can be compared. */
function carryNames(recorded: Graph, ours: Graph): void {
  const nodes = [...ours.nodes()]
  for (const [i, n] of [...recorded.nodes()].entries()) {
    const own = nodes[i]!
    if (own.name !== n.name) {
      ours.namespace.take(n.name)
      own.name = n.name
    }
    own.meta = { ...n.meta }
    own.users.clear()
  }
  const byName = new Map(nodes.map((n) => [n.name, n]))
  for (const n of recorded.nodes()) for (const u of n.users) byName.get(n.name)!.users.add(byName.get(u.name)!)
}
