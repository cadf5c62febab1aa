/**
 * Calls user code that applies patterns: an object's `__call__`, a function in a hook, an `apply` of the patterns' own
 * class. Its own edits of the graph are recorded too, and each application of a pass becomes a separate stage run.
 */
import { clone, type Graph, type Node } from '../../fx'
import { PythonError } from '../../matcher'
import { count } from '../../base/english'
import type { CallableId, FoundStage } from '../../python/types'
import { TorchError } from '../../trace/types'
import { Watch } from '../invariants/changes'
import { findViolations } from '../invariants/check'
import { applyPass, passNotApplied, snapshotOf, type PassId, type UnkeyedPassRun } from './apply_pass'
import type { PipelineContext, StageRun } from './context'
import type { StageEffects } from './types'

/** A pass that user code applies. */
export type UserCalledStage = FoundStage & { passId: number; callable: CallableId }

export const isUserCalled = (stage: FoundStage): stage is UserCalledStage =>
  stage.passId !== null && stage.callable !== null

/** One application of a pass by user code, or a pass that the code skipped. */
export interface UserCalledRun extends Omit<StageRun, 'pass' | 'applied'> {
  applied: UnkeyedPassRun
}

type Copies = ReadonlyMap<Node, Node>

/**
 * Calls the code once. If it raises before it applies a pass, the passes are applied directly and the error is
 * reported. An override of `apply` or `__call__` that raises applies nothing.
 * @param stages the active passes of one callable
 * @param unlisted ids of inactive passes of the same callable: applying them matches nothing
 * @param own the names of the passes that have stages of their own in this run
 */
export function callUserCode(
  source: Graph,
  stages: readonly UserCalledStage[],
  unlisted: ReadonlySet<number>,
  own: ReadonlyMap<number, string>,
  context: PipelineContext,
): UserCalledRun[] {
  const call = new Call(source, stages, unlisted, own, context)
  const error = call.run()
  const { of, override } = stages[0]!
  const without = error !== null && call.runs.length === 0 && !override
  const runs = without ? appliedWithout(source, stages, context) : call.finish()
  const applied = runs.length
  for (const stage of stages)
    if (!runs.some((s) => 'defined' in s.stage && s.stage.defined === stage)) {
      runs.push(unappliedRun(stage, runs.at(-1)?.after ?? source, context))
      addEffects(runs.at(-1)!, { notes: [`${of ?? 'The function'} was called but did not apply these patterns.`] })
    }
  if (override)
    addEffects(runs[0]!, {
      notes: [`${of} runs as user code in place of the matcher: its return value is not a number of matches.`],
    })
  if (error !== null) addEffects(runs[Math.max(0, applied - 1)]!, { error })
  return runs
}

class Call {
  readonly runs: UserCalledRun[] = []
  private readonly graph: Graph
  /** Maps the graph before the last of `runs`, which is still open, to the graph that the code edits. */
  private copies: Copies
  /** Records the code's own edits between two applications. */
  private watch: Watch
  /** Edits since the last application, or since the start of the call. */
  private edits = NO_EDITS

  constructor(
    private readonly source: Graph,
    private readonly stages: readonly UserCalledStage[],
    private readonly unlisted: ReadonlySet<number>,
    private readonly own: ReadonlyMap<number, string>,
    private readonly context: PipelineContext,
  ) {
    const { graph, map } = clone(source)
    this.graph = graph
    this.copies = map
    this.watch = new Watch(graph)
  }

  /** @returns the exception's text, or null */
  run(): string | null {
    try {
      this.context.host.callPass(this.stages[0]!.callable, this.graph, (passId) => this.apply(passId))
      return null
    } catch (e) {
      if (e instanceof PythonError || e instanceof TorchError) return `${e.pythonType}: ${e.message}`
      throw e
    }
  }

  /** Adds the edits after the last application. */
  finish(): UserCalledRun[] {
    this.noteEdits()
    if (this.runs.length > 0) this.reportEdits()
    else if (this.edits !== NO_EDITS) {
      const stage = { defined: this.stages[0]! }
      const applied = passNotApplied(idOf(this.stages[0]!), this.source, this.context)
      this.runs.push({ stage, after: this.graph, copies: this.copies, did: null, applied })
      this.reportEdits()
    }
    return this.runs
  }

  private apply(passId: number): number {
    if (this.unlisted.has(passId)) return 0
    const listed = this.stages.find((s) => s.passId === passId)
    // Its own stage counts and explains it.
    if (!listed && this.own.has(passId)) return this.context.registry.applyOrThrow(passId, this.graph)
    // A pass that the code created itself gets the name of the object that the code applies.
    const stage = listed ?? { ...this.stages[0]!, passId }
    this.noteEdits()
    const untouched = this.runs.length === 0 && this.edits === NO_EDITS
    const before = untouched ? { graph: this.source, copies: this.copies } : this.snapshot()
    const graphs = { before: before.graph, after: this.graph, copies: before.copies }
    const applied = applyPass(idOf(stage), graphs, this.context)
    this.runs.push({ stage: { defined: stage }, after: this.graph, copies: this.copies, did: null, applied })
    this.watch = new Watch(this.graph)
    if (applied.raised) throw new PythonError(applied.raised.pythonType, applied.raised.message, [])
    return applied.count
  }

  /** Copies the current graph and closes the open run. */
  private snapshot(): { graph: Graph; copies: Copies } {
    const { graph, map, copies } = snapshotOf(this.graph)
    const open = this.runs.at(-1)
    if (open) {
      this.reportEdits()
      open.after = open.applied.after = graph
      open.copies = through(open.copies, map)
      open.applied.copies = through(open.applied.copies, map)
      this.copies = copies
    }
    return { graph, copies }
  }

  private noteEdits(): void {
    const changes = this.watch.changes()
    if (!changes) return
    const { added, removed, broken } = this.edits
    this.edits = {
      added: added + changes.added.length,
      removed: removed + this.watch.nodes.filter((n) => n.erased).length,
      broken: [...broken, ...findViolations(this.watch, [], this.context.tracer).map((v) => v.sentence)],
    }
  }

  private reportEdits(): void {
    const { added, removed, broken } = this.edits
    if (this.edits !== NO_EDITS)
      addEffects(this.runs.at(-1)!, {
        notes: [`Its own code also edited the graph: ${count(added, 'node')} added, ${removed} removed.`],
        ...(broken.length > 0 && { broken }),
      })
    this.edits = NO_EDITS
  }
}

const NO_EDITS: { added: number; removed: number; broken: string[] } = { added: 0, removed: 0, broken: [] }

function appliedWithout(source: Graph, stages: readonly UserCalledStage[], context: PipelineContext): UserCalledRun[] {
  const runs: UserCalledRun[] = []
  for (const stage of stages) {
    const before = runs.at(-1)?.after ?? source
    const { graph: after, map: copies } = clone(before)
    const applied = applyPass(idOf(stage), { before, after, copies }, context)
    runs.push({ stage: { defined: stage }, after, copies, did: null, applied })
    addEffects(runs.at(-1)!, {
      notes: ['The code that applies these patterns raised before it applied them. They were applied without it.'],
    })
  }
  return runs
}

function unappliedRun(stage: UserCalledStage, before: Graph, context: PipelineContext): UserCalledRun {
  const { graph: after, map: copies } = clone(before)
  return { stage: { defined: stage }, after, copies, did: null, applied: passNotApplied(idOf(stage), before, context) }
}

function addEffects(run: UserCalledRun, more: Partial<StageEffects>): void {
  const notes = [...(run.did?.notes ?? []), ...(more.notes ?? [])]
  run.did = { count: null, error: null, ms: 0, ...run.did, ...more, notes }
}

const idOf = ({ variable, passId }: UserCalledStage): PassId => ({ variable, passId })

/** Composes two maps. A node that the second map lacks was already erased and maps to the erased node. */
const through = (first: Copies, second: Copies): Copies =>
  new Map([...first].map(([from, to]) => [from, second.get(to) ?? to]))
