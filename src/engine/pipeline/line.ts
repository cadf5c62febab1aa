/** Everything that acts on the graph, one after the other: pattern passes, passes that are called, and built-in ones. */
import { clone, type Graph } from '../../fx'
import { PythonError, type PatternRegistry, type SchemaLookup } from '../../matcher'
import type { FoundStage, PythonHost } from '../../python/types'
import { TorchError, type Tracer } from '../../trace/types'
import { builtIn, type BuiltIn } from './built_in'
import { callStages, isCalled } from './called'
import { Watch } from '../invariants/changes'
import { brokenInvariants } from '../invariants/check'
import { applyOne, type AppliedPass, type PassesResult } from './passes'
import { PassRefusal } from '../post_grad/types'
import type { ActedStage } from './stages'

/** What is to act: a stage of the user's code, or a built-in pass. */
export type LineItem = { found: FoundStage } | { builtIn: BuiltIn }

/** One of them as it acted. */
export interface LineStep extends ActedStage {
  item: LineItem
  /** Index into the results' passes; null for what is no pattern pass. */
  pass: number | null
  /** For what is none, and what code that applies patterns did besides. */
  did: StepDid | null
}

export interface StepDid {
  /** Nodes it took out or replaced; null where it does not say. */
  count: number | null
  notes: string[]
  /** Invariants that a pass of the user's broke, each in one sentence. */
  broken?: string[]
  error: string | null
  ms: number
}

export interface LineResult extends PassesResult {
  steps: LineStep[]
}

export interface LineWorld {
  registry: PatternRegistry
  host: Pick<PythonHost, 'callPass'>
  tracer: Tracer
  schemaOf: SchemaLookup
}

/**
 * What a workspace's list comes to; without one, all that the code defines. A pass that refuses the compile range does
 * not act in either case; one of a path that is not taken only where it is listed.
 */
export function lineOf(all: readonly FoundStage[], passes: readonly string[] | undefined): LineItem[] {
  const line = all.filter((s) => !s.unmade)
  const wanted = passes
    ? passes.flatMap((name): LineItem[] => {
        const known = line.filter((s) => s.variable === name).map((found) => ({ found }))
        const own = known.length > 0 ? undefined : builtIn(name)
        return own?.run ? [{ builtIn: own }] : known
      })
    : line.filter((s) => s.path === null).map((found) => ({ found }))
  return wanted.filter((item) => !('found' in item) || item.found.refused === null)
}

/** @param line all that the code defines; `items` are of it */
export function act(
  source: Graph,
  items: readonly LineItem[],
  line: readonly FoundStage[],
  world: LineWorld,
): LineResult {
  const result: LineResult = { passes: [], applied: [], steps: [], graph: source, ms: 0 }
  for (const together of byCallable(items)) {
    const [item] = together
    const found = 'found' in item! ? item.found : null
    if (found && isCalled(found)) {
      const stages = together.flatMap((i) => ('found' in i && isCalled(i.found) ? [i.found] : []))
      for (const { applied, ...step } of callStages(result.graph, stages, leftOut(found, stages, line), world))
        addStep(result, step, applied)
      continue
    }
    const { graph: after, map: copies } = clone(result.graph)
    if (found && found.passId !== null) {
      const applied = applyOne({ ...found, passId: found.passId }, { before: result.graph, after, copies }, world)
      addStep(result, { item: item!, did: null, after, copies }, applied)
    } else addStep(result, { item: item!, did: doing(item!, after, world), after, copies }, null)
  }
  return result
}

function addStep(result: LineResult, step: Omit<LineStep, 'pass'>, applied: AppliedPass | null): void {
  result.steps.push({ ...step, pass: applied && result.applied.length })
  if (applied) {
    result.applied.push(applied)
    result.passes.push(applied.report)
  }
  result.ms += applied?.report.applyMs ?? step.did?.ms ?? 0
  result.graph = step.after
}

/** Neighbours that one call of the user's code applies; each other item by itself. */
function byCallable(items: readonly LineItem[]): LineItem[][] {
  const groups: LineItem[][] = []
  const calledOf = (item: LineItem | undefined) => (item && 'found' in item && isCalled(item.found) ? item.found : null)
  for (const item of items) {
    const called = calledOf(item)
    const group = groups.at(-1)
    const together = called !== null && calledOf(group?.[0])?.callable === called.callable
    if (together && !group!.some((other) => calledOf(other)?.passId === called.passId)) group!.push(item)
    else groups.push([item])
  }
  return groups
}

/** Patterns that the same code applies, and the workspace does not list here. */
const leftOut = (found: FoundStage, stages: readonly FoundStage[], line: readonly FoundStage[]): Set<number> =>
  new Set(line.flatMap((s) => (s.callable === found.callable && !stages.includes(s) ? [s.passId!] : [])))

/** Runs what is no pattern pass. What it raises ends it, not the line. */
function doing(item: LineItem, graph: Graph, world: LineWorld): StepDid {
  const started = performance.now()
  const told = (count: number | null, notes: string[], error: string | null): StepDid => ({
    count,
    notes,
    error,
    ms: performance.now() - started,
  })
  try {
    if ('builtIn' in item) {
      const { count, notes } = item.builtIn.run!(graph, world)
      return told(count, notes, null)
    }
    const watch = new Watch(graph)
    world.host.callPass(item.found.callable!, graph)
    const broken = brokenInvariants(watch, [], world.tracer).map((v) => v.sentence)
    return { ...told(null, [], null), ...(broken.length > 0 && { broken }) }
  } catch (e) {
    if (e instanceof PythonError || e instanceof TorchError) return told(null, [], `${e.pythonType}: ${e.message}`)
    if (e instanceof PassRefusal) return told(null, [], e.message)
    throw e
  }
}
