/**
 * Runs recorded cases through the whole product: the user's Python, the passes, the graph after. What comes out has
 * the shape of the recordings' `expected` and is what `fusescope match --cases` prints.
 */
import { printGraph, type Graph } from '../../fx'
import { noPass, registrationCause } from '../../explain/reasons/dropped'
import { PatternRegistry, type AppliedMatch, type Attempt, type PatternRegistryOptions } from '../../matcher'
import { createPythonHost } from '../../python/host'
import type { PythonAssets, PythonFailure, PythonHost } from '../../python/types'
import { createTracer } from '../../trace'
import type { Tracer } from '../../trace/types'
import { findFixes } from '../../explain/fixes/search'
import { complete } from '../../explain/pace'
import { readCase, type CaseInput } from './case_input'
import { explainApplied } from '../session/explaining'
import { EngineFixWorld } from '../session/fixing'
import { Watch } from '../invariants/changes'
import { brokenInvariants } from '../invariants/check'
import { withExplained, withFixes } from '../session/found'
import { applyPasses, passKeysOf, wantedPasses } from '../pipeline/passes'
import type { Cause, EntryReport, Lint, NearMiss, Violation } from '../protocol'
import { registryOptions, schemasOf, sinkOf } from '../session/registering'
import { sweep } from '../pipeline/sweep'

export type { CaseInput } from './case_input'

export interface CaseAttempt {
  entry: number
  phase: 'initial' | 'specific'
  node: string
  ok: boolean
  reason: string | null
  nodes: readonly string[] | null
  /** The re-traced pattern, as PatternPrettyPrinter.run writes it; specific attempts only. */
  pattern?: string | null
}

export interface CasePass {
  pass: string
  count?: number
  apply_error?: string
  entries: { pattern: string | null; keys: readonly string[] }[]
  attempts: CaseAttempt[]
  /** Invariants that the pass broke; absent when none. */
  violations?: Violation[]
  graph_after: string
}

export interface CaseOutput {
  id: string
  register_error: string | null
  passes: CasePass[]
  graph_after_dce: string | null
  /**
   * `apply_ms` is applying alone, of all passes: no printing, no removal of dead code. `check_ms` is what looking for
   * broken invariants took beside it.
   */
  stats: { parse_ms: number; python_ms: number; apply_ms: number; check_ms: number }
}

export interface CaseExplanation {
  id: string
  /** What keeps any pattern from being tried. */
  causes: Cause[]
  /** What the user's Python raised: nothing was applied then. */
  error: string | null
  /** The time for repairs ran out before every cause was tried. */
  cut?: true
  passes: {
    pass: string
    count: number
    entries: EntryReport[]
    nearMisses: NearMiss[]
    causes: Cause[]
    lints: Lint[]
    /** What explaining had no time or room for. */
    leftOut?: string
    ms: number
  }[]
}

/** The recorder runs a pattern's source as the module `user_pattern`, which graphs show in the names of functions… */
const RECORDED_AS = 'user_pattern.py'
/** …compiled from a file of this name, which str() of a SyntaxError shows. */
const RECORDED_FILE = 'pattern.py'

/** As str() of the error has it: a SyntaxError names its place. */
function errorText({ type, message, frames }: PythonFailure): string {
  const at = /^(?:SyntaxError|IndentationError|TabError)$/.test(type) ? frames.at(-1) : undefined
  if (!at) return `${type}: ${message}`
  return `${type}: ${message} (${at.file === RECORDED_AS ? RECORDED_FILE : at.file}, line ${at.line})`
}

/** Python started once; each case runs in a fresh user world. */
export class CaseRunner {
  private readonly tracer: Tracer = createTracer()
  private readonly schemaOf = schemasOf(this.tracer)
  private registry = this.newRegistry()
  /** What the last case's Python raised, with the lines of the files it ran. */
  failure: PythonFailure | null = null

  private constructor(private host: PythonHost | null) {}

  static async create(assets: PythonAssets): Promise<CaseRunner> {
    const runner = new CaseRunner(null)
    runner.host = await createPythonHost({
      assets,
      tracer: runner.tracer,
      sink: sinkOf(() => runner.registry),
    })
    return runner
  }

  /** Python cannot run anything any more: make another runner. */
  get broken(): boolean {
    return this.host?.broken ?? false
  }

  run(input: CaseInput): CaseOutput {
    const started = performance.now()
    const graph = readCase(input)
    const parsed = performance.now()
    this.registry = this.newRegistry()
    const run = this.host!.run(input.files ?? [{ name: RECORDED_AS, text: input.pattern_py }], input.environment)
    this.failure = run.failure
    const ran = performance.now()
    const output: CaseOutput = {
      id: input.id,
      register_error: run.failure && errorText(run.failure),
      passes: [],
      graph_after_dce: null,
      stats: { parse_ms: parsed - started, python_ms: ran - parsed, apply_ms: 0, check_ms: 0 },
    }
    if (run.failure) return output
    const variables = input.passes ?? wantedPasses(run.passes, undefined).map((p) => p.variable)
    for (const variable of variables) {
      const pass = run.passes.find((p) => p.variable === variable)
      if (pass) output.passes.push(this.apply(variable, pass.passId, graph, output.stats))
    }
    sweep(graph, this.schemaOf)
    output.graph_after_dce = printGraph(graph)
    return output
  }

  /** Why the case's patterns do not fire: the explanations of a report, with repairs when they are asked for. */
  explain(input: CaseInput, { fixes = false }: { fixes?: boolean } = {}): CaseExplanation {
    const graph = readCase(input)
    this.registry = this.newRegistry()
    const files = input.files ?? [{ name: RECORDED_AS, text: input.pattern_py }]
    const run = this.host!.run(files, input.environment)
    this.failure = run.failure
    const early = run.failure ? registrationCause(run.failure) : run.passes.length === 0 ? noPass() : null
    const wanted = wantedPasses(run.passes, input.passes)
    const applied = run.failure ? [] : applyPasses(graph, this.registry, wanted, this.schemaOf).applied
    const explained = complete(explainApplied(applied, () => this.registry))
    let report = {
      causes: early ? [early] : [],
      passes: applied.map((a, i) => withExplained(a.report, explained[i]!)),
    }
    let cut = false
    if (fixes) {
      const world = new EngineFixWorld({
        host: this.host!,
        options: this.registryOptions(),
        register: (registry) => {
          this.registry = registry
        },
        holds: (registry) => this.registry === registry,
        graph,
        passes: input.passes,
        environment: input.environment,
      })
      const keys = passKeysOf(report.passes.map((p) => p.name))
      const passes = report.passes.map(({ nearMisses, causes = [] }, i) => ({ key: keys[i]!, nearMisses, causes }))
      const search = findFixes(world, { files, causes: report.causes, passes })
      let step = search.next()
      for (; !step.done; step = search.next()) report = (step.value ?? []).reduce(withFixes, report)
      cut = step.value.cut
    }
    return {
      id: input.id,
      error: run.failure && errorText(run.failure),
      ...(cut && { cut: true as const }),
      causes: report.causes,
      passes: report.passes.map(
        ({ name, count, entries, nearMisses, causes = [], lints = [], explainMs = 0, leftOut }) => ({
          pass: name,
          count,
          entries,
          nearMisses,
          causes,
          lints,
          ms: explainMs,
          ...(leftOut !== undefined && { leftOut }),
        }),
      ),
    }
  }

  /** Applies one pass and adds what that alone took, and what checking it took, to `stats`. */
  private apply(variable: string, passId: number, graph: Graph, stats: CaseOutput['stats']): CasePass {
    const attempts: Attempt[] = []
    const matches: AppliedMatch[] = []
    const { entries } = this.registry.pass(passId)
    const watching = performance.now()
    const watch = new Watch(graph)
    const started = performance.now()
    const result = this.registry.apply(passId, graph, {
      attempt: (a) => attempts.push(a),
      applied: (m) => matches.push(m),
    })
    const done = performance.now()
    const violations = brokenInvariants(watch, matches, this.tracer)
    stats.apply_ms += done - started
    stats.check_ms += started - watching + performance.now() - done
    return {
      pass: variable,
      entries: entries.map((e) => ({ pattern: e.printable ? e.text : null, keys: e.keys })),
      ...(result.error
        ? { apply_error: `${result.error.pythonType}: ${result.error.message}` }
        : { count: result.count }),
      attempts: attempts.map(({ entry, phase, node, ok, reason, nodes, pattern }) => ({
        entry,
        phase,
        node,
        ok,
        reason,
        nodes,
        ...(pattern === undefined ? {} : { pattern }),
      })),
      ...(violations.length > 0 && { violations }),
      graph_after: printGraph(graph),
    }
  }

  private newRegistry(): PatternRegistry {
    return new PatternRegistry(this.registryOptions())
  }

  private registryOptions(): PatternRegistryOptions {
    return registryOptions(this.tracer, () => this.host!)
  }
}
