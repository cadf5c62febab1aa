/** Applies a capture's patterns to its graphs, pass by pass, and compares each pass with PyTorch's. */
import { clone, type Graph, type Node, type Problem } from '../../fx'
import { PatternRegistry } from '../../matcher'
import type { FoundStage } from '../../python/types'
import { TorchError, type Tracer } from '../../trace/types'
import { applyPass } from '../pipeline/apply_pass'
import type { PipelineContext, StageRun } from '../pipeline/context'
import type { PipelineRun } from '../pipeline/run'
import { buildGraph } from './graphs'
import { sameGraph } from './same_graph'
import { CaptureHost } from './host'
import { CapturedEntries } from './register'
import type { Capture } from './types'
import { verdictOf, type PyTorchVerdict } from './verdict'

export interface Replay {
  registry: PatternRegistry
  /** The graph before the first pass. */
  source: Graph
  pipeline: PipelineRun
  /** By PipelineRun.passes. */
  verdicts: PyTorchVerdict[]
  /** Patterns that could not be taken over, and passes without a graph. */
  problems: Problem[]
}

/** The graphs that passes went over, in order, with the number of passes that have their graph. */
export function runsOf(capture: Capture): { run: number; compile: string | null; passes: number; nodes: number }[] {
  const runs = new Map<number, { run: number; compile: string | null; passes: number; nodes: number }>()
  for (const { run, compile, before } of capture.applications) {
    const graph = before === null ? undefined : capture.graphs.get(before)
    if (!graph) continue
    const known = runs.get(run)
    if (known) known.passes++
    else runs.set(run, { run, compile, passes: 1, nodes: graph.nodes.length })
  }
  return [...runs.values()]
}

export interface ReplayContext extends Pick<PipelineContext, 'schemaOf' | 'detail'> {
  /** Knows the operators of the catalogue; those of the capture are declared in it. */
  tracer: ReplayTracer
}

type ReplayTracer = Tracer & { define?(ns: string, schema: string): void; reset?(): void }

/**
 * Replays one run of a capture. Each pass starts with the graph that PyTorch's started with, so one difference does not
 * cause others.
 */
export function replay(capture: Capture, run: number, { tracer, schemaOf, detail }: ReplayContext): Replay {
  declare(capture, tracer)
  const registry: PatternRegistry = new PatternRegistry({ host: () => host, schemaOf, overloadsOf: () => [] })
  const entries = new CapturedEntries(capture, () => registry)
  const host = new CaptureHost(capture, entries.idOf)
  const problems: Problem[] = []
  const pipeline: PipelineRun = {
    plan: { acting: [], inactive: [], defined: [], names: [] },
    stages: [],
    passes: [],
    graph: null as unknown as Graph,
    ms: 0,
  }
  const out: Replay = { registry, source: null as unknown as Graph, pipeline, verdicts: [], problems }
  const names = new Map<number, string>()
  for (const application of capture.applications.filter((a) => a.run === run)) {
    const recorded = application.before === null ? undefined : capture.graphs.get(application.before)
    const name = names.get(application.pass) ?? nameOf(capture, application.pass, names)
    if (!recorded) {
      problems.push(at(capture, `The graph before ${name} is not in the capture, so the pass is not repeated.`))
      continue
    }
    const before = buildGraph(recorded)
    if (!out.source) out.source = pipeline.graph = before
    else if (!sameGraph(pipeline.graph, before)) addOtherCode(pipeline, before)
    else carryMeta(before, pipeline.graph)
    if (!names.has(application.pass)) {
      names.set(application.pass, name)
      registry.newPass(application.pass, capture.passes.get(application.pass)?.passName ?? null)
    }
    entries.fill(application.pass, application)
    host.begin(application)
    const stage = { defined: stageOf(capture, application.pass, name) }
    const context = { registry, host: NO_PASSES, tracer, schemaOf, detail, steps: host.steps }
    const { graph: after, map: copies } = clone(pipeline.graph)
    const applied = applyPass(
      { variable: name, passId: application.pass },
      { before: pipeline.graph, after, copies },
      context,
    )
    const times = pipeline.passes.filter((p) => p.toExplain.name === name).length
    pipeline.stages.push({ stage, after, copies, did: null, pass: pipeline.passes.length })
    pipeline.passes.push({ ...applied, key: times === 0 ? name : `${name}#${times + 1}` })
    pipeline.ms += applied.applyMs
    pipeline.graph = after
    out.verdicts.push(verdictOf(capture, application, applied, entries.idOf))
  }
  if (!out.source) out.source = pipeline.graph = buildGraph({ nodes: [] })
  problems.push(...entries.problems)
  return out
}

const at = (capture: Capture, message: string): Problem => ({ file: capture.name, line: 1, column: 1, message })

const NO_PASSES: PipelineContext['host'] = {
  callPass: () => {
    throw new Error('a capture has no code to call')
  },
}

/** Declares the operators of the capture, so that their mutations are known. */
function declare(capture: Capture, tracer: ReplayTracer): void {
  for (const [, schema] of capture.operators) {
    const [, ns, rest] = /^(\w+)::(.*)$/s.exec(schema) ?? []
    if (!ns || !rest || !tracer.define) continue
    try {
      tracer.define(ns, rest.replace(/\(\$(\d+)(!?) -> \)/g, '(a$1$2)'))
    } catch (e) {
      if (!(e instanceof TorchError)) throw e // declared, or with a type of its own library: the catalogue decides
    }
  }
}

/** Variable, class or pass_name; unique in the run. */
function nameOf(capture: Capture, id: number, taken: ReadonlyMap<number, string>): string {
  const pass = capture.passes.get(id)
  const name = pass?.variable?.[1] ?? pass?.holder?.[1] ?? titleOf(capture, id) ?? pass?.passName ?? `pass_${id}`
  const used = [...taken.values()].filter((n) => n === name || n.startsWith(`${name}@`)).length
  return used === 0 ? name : `${name}@${used + 1}`
}

/** The class that registered the patterns of a pass that no variable names. */
function titleOf(capture: Capture, id: number): string | null {
  const application = capture.applications.find((a) => a.pass === id)
  const [entry] = application?.table[0]?.[2] ?? []
  return entry === undefined ? null : (capture.entries.get(entry)?.title ?? null)
}

function stageOf(capture: Capture, passId: number, variable: string): FoundStage {
  const holder = capture.passes.get(passId)?.holder
  return {
    variable,
    passId,
    callable: null,
    of: holder?.[1] ?? null,
    hook: null,
    manager: null,
    refused: null,
    path: null,
    uuid: null,
  }
}

/** What happened between two passes, as a stage: the graph that the next pass found. */
function addOtherCode(pipeline: PipelineRun, recorded: Graph): void {
  const { map } = clone(pipeline.graph)
  const present = new Map([...recorded.nodes()].map((n) => [n.name, n]))
  const copies = new Map<Node, Node>()
  for (const [node, copied] of map) {
    const same = present.get(node.name)
    const found = same && same.op === node.op && same.target === node.target ? same : null
    if (!found) copied.erased = true
    copies.set(node, found ?? copied)
  }
  const stage: StageRun['stage'] = {
    defined: {
      variable: 'other code',
      passId: null,
      callable: null,
      of: null,
      hook: null,
      manager: null,
      refused: null,
      path: null,
      uuid: null,
    },
  }
  const did = { count: null, notes: ['Code between the passes; the graph is the recorded one.'], error: null, ms: 0 }
  pipeline.stages.push({ stage, after: recorded, copies, did, pass: null })
  pipeline.graph = recorded
}

/** Gives our own nodes the names and metadata that PyTorch's have, as later passes name them. */
function carryMeta(recorded: Graph, ours: Graph): void {
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
  for (const n of recorded.nodes()) {
    const own = byName.get(n.name)!
    for (const u of n.users) own.users.add(byName.get(u.name)!)
  }
}
