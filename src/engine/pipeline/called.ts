/**
 * Patterns that code of the user's applies: an object's `__call__`, a function in a hook. It is called with the graph, so
 * that what it does besides counts too, and each time it applies patterns, that is reported as a step of its own.
 */
import { clone, type Graph, type Node } from '../../fx'
import { PythonError } from '../../matcher'
import { count } from '../../base/english'
import type { CallableId, FoundStage } from '../../python/types'
import { TorchError } from '../../trace/types'
import { Watch } from '../invariants/changes'
import { brokenInvariants } from '../invariants/check'
import type { LineStep, LineWorld, StepDid } from './line'
import { applyOne, unapplied, type AppliedPass } from './passes'

/** A stage of patterns that such code applies. */
export type CalledStage = FoundStage & { passId: number; callable: CallableId }

export const isCalled = (stage: FoundStage): stage is CalledStage => stage.passId !== null && stage.callable !== null

/** One time that the code applied patterns, or one of its stages that it did not apply. */
export interface CalledStep extends Omit<LineStep, 'pass'> {
  applied: AppliedPass
}

type Copies = ReadonlyMap<Node, Node>

/**
 * Calls what applies these patterns. Where it raises before it has applied any, they are applied all the same, and what
 * it raised is told.
 * @param stages of one callable, those that are to act
 * @param left patterns of the same callable that are not: applying them matches nothing
 */
export function callStages(
  source: Graph,
  stages: readonly CalledStage[],
  left: ReadonlySet<number>,
  world: LineWorld,
): CalledStep[] {
  const call = new Call(source, stages, left, world)
  const error = call.run()
  const steps = error !== null && call.steps.length === 0 ? appliedWithout(source, stages, world) : call.finish()
  const of = stages[0]!.of ?? 'The function'
  if (error !== null) tell(steps.at(-1)!, { error })
  for (const stage of stages)
    if (!steps.some((s) => 'found' in s.item && s.item.found === stage)) {
      steps.push(unappliedStep(stage, steps.at(-1)?.after ?? source, world))
      tell(steps.at(-1)!, { notes: [`${of} was called, and did not apply these patterns.`] })
    }
  return steps
}

class Call {
  readonly steps: CalledStep[] = []
  private readonly live: Graph
  /** From the graph before the open step, the last of `steps`, to the live one. */
  private copies: Copies
  /** Tells what the code itself edits, from one application to the next. */
  private watch: Watch
  /** That, since the open step began; before the first step, since the call. */
  private edits = NO_EDITS

  constructor(
    private readonly source: Graph,
    private readonly stages: readonly CalledStage[],
    private readonly left: ReadonlySet<number>,
    private readonly world: LineWorld,
  ) {
    const { graph, map } = clone(source)
    this.live = graph
    this.copies = map
    this.watch = new Watch(graph)
  }

  /** @returns what it raised */
  run(): string | null {
    try {
      this.world.host.callPass(this.stages[0]!.callable, this.live, (passId) => this.apply(passId))
      return null
    } catch (e) {
      if (e instanceof PythonError || e instanceof TorchError) return `${e.pythonType}: ${e.message}`
      throw e
    }
  }

  /** With what the code did after it last applied patterns. */
  finish(): CalledStep[] {
    this.noteEdits()
    if (this.steps.length > 0) this.tellEdits()
    else if (this.edits !== NO_EDITS) {
      const item = { found: this.stages[0]! }
      const applied = unapplied(nameOf(this.stages[0]!), this.source, this.world)
      this.steps.push({ item, after: this.live, copies: this.copies, did: null, applied })
      this.tellEdits()
    }
    return this.steps
  }

  private apply(passId: number): number {
    const stage = this.stages.find((s) => s.passId === passId)
    if (!stage) return this.left.has(passId) ? 0 : this.world.registry.applyOrThrow(passId, this.live)
    this.noteEdits()
    const untouched = this.steps.length === 0 && this.edits === NO_EDITS
    const before = untouched ? { graph: this.source, copies: this.copies } : this.snapshot()
    const graphs = { before: before.graph, after: this.live, copies: before.copies }
    const applied = applyOne(nameOf(stage), graphs, this.world)
    this.steps.push({ item: { found: stage }, after: this.live, copies: this.copies, did: null, applied })
    this.watch = new Watch(this.live)
    if (applied.raised) throw new PythonError(applied.raised.pythonType, applied.raised.message, [])
    return applied.report.count
  }

  /** The graph as it stands, where the open step ends. */
  private snapshot(): { graph: Graph; copies: Copies } {
    const { graph, map } = clone(this.live)
    const copies = new Map([...map].map(([live, copy]) => [copy, live]))
    const open = this.steps.at(-1)
    if (open) {
      this.tellEdits()
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
      broken: [...broken, ...brokenInvariants(this.watch, [], this.world.tracer).map((v) => v.sentence)],
    }
  }

  private tellEdits(): void {
    const { added, removed, broken } = this.edits
    if (this.edits !== NO_EDITS)
      tell(this.steps.at(-1)!, {
        notes: [`Its own code edited the graph too: ${count(added, 'node')} put in, ${removed} taken out.`],
        ...(broken.length > 0 && { broken }),
      })
    this.edits = NO_EDITS
  }
}

const NO_EDITS: { added: number; removed: number; broken: string[] } = { added: 0, removed: 0, broken: [] }

function appliedWithout(source: Graph, stages: readonly CalledStage[], world: LineWorld): CalledStep[] {
  const steps: CalledStep[] = []
  for (const stage of stages) {
    const before = steps.at(-1)?.after ?? source
    const { graph: after, map: copies } = clone(before)
    const applied = applyOne(nameOf(stage), { before, after, copies }, world)
    steps.push({ item: { found: stage }, after, copies, did: null, applied })
    tell(steps.at(-1)!, { notes: ['What applies these patterns raised before it did: they are applied all the same.'] })
  }
  return steps
}

function unappliedStep(stage: CalledStage, before: Graph, world: LineWorld): CalledStep {
  const { graph: after, map: copies } = clone(before)
  return { item: { found: stage }, after, copies, did: null, applied: unapplied(nameOf(stage), before, world) }
}

function tell(step: CalledStep, told: Partial<StepDid>): void {
  step.did = { count: null, notes: [], error: null, ms: 0, ...step.did, ...told }
}

const nameOf = ({ variable, passId }: CalledStage): { variable: string; passId: number } => ({ variable, passId })

/** One map after the other; what the second lacks was erased before it, and stays the erased node that it was. */
const through = (first: Copies, second: Copies): Copies =>
  new Map([...first].map(([from, to]) => [from, second.get(to) ?? to]))
