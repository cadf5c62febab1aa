/** Everything that acts on the graph, one after the other: pattern passes, passes that are called, and built-in ones. */
import { clone, type Graph } from '../fx'
import { PythonError, type PatternRegistry, type SchemaLookup } from '../matcher'
import type { FoundStage, PythonHost } from '../python/types'
import { TorchError, type Tracer } from '../trace/types'
import { builtIn, type BuiltIn } from './built_in'
import { Watch } from './invariants/changes'
import { brokenInvariants } from './invariants/check'
import { applyPasses, type PassesResult } from './passes'
import { PassRefusal } from './post_grad/types'
import type { ActedStage } from './stages'

/** What is to act: a stage of the user's code, or a built-in pass. */
export type LineItem = { found: FoundStage } | { builtIn: BuiltIn }

/** One of them as it acted. */
export interface LineStep extends ActedStage {
  item: LineItem
  /** Index into the results' passes; null for what is no pattern pass. */
  pass: number | null
  /** For what is none. */
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
export function lineOf(line: readonly FoundStage[], passes: readonly string[] | undefined): LineItem[] {
  const wanted = passes
    ? passes.flatMap((name): LineItem[] => {
        const known = line.filter((s) => s.variable === name).map((found) => ({ found }))
        const own = known.length > 0 ? undefined : builtIn(name)
        return own?.run ? [{ builtIn: own }] : known
      })
    : line.filter((s) => s.path === null).map((found) => ({ found }))
  return wanted.filter((item) => !('found' in item) || item.found.refused === null)
}

export function act(source: Graph, items: readonly LineItem[], world: LineWorld): LineResult {
  const result: LineResult = { passes: [], applied: [], steps: [], graph: source, ms: 0 }
  for (const item of items) {
    const passId = 'found' in item ? item.found.passId : null
    if ('found' in item && passId !== null) {
      const one = { variable: item.found.variable, passId }
      const { applied, ms } = applyPasses(result.graph, world.registry, [one], world.schemaOf, world.tracer)
      const [pass] = applied
      result.steps.push({ item, pass: result.applied.length, did: null, after: pass!.after, copies: pass!.copies })
      result.applied.push(pass!)
      result.passes.push(pass!.report)
      result.ms += ms
      result.graph = pass!.after
      continue
    }
    const { graph: after, map: copies } = clone(result.graph)
    const did = doing(item, after, world)
    result.steps.push({ item, pass: null, did, after, copies })
    result.ms += did.ms
    result.graph = after
  }
  return result
}

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
