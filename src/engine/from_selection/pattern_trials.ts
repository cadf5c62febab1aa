/** Runs the forms of a pattern in a Python that is already there. */
import type { Result } from '../../base/result'
import type { Graph, Node } from '../../fx'
import { PatternRegistry } from '../../matcher'
import type { PythonHost } from '../../python/types'
import type { Tracer } from '../../trace/types'
import { operatorLines } from '../export/operators'
import { planPipeline } from '../pipeline/plan'
import { runPipeline } from '../pipeline/run'
import { registryOptions, schemasOf } from '../session/registering'
import type { Trial } from './first_match'
import { makePattern, type Declarations, type PatternContext } from './make_pattern'
import type { ConstantChoice, MadePattern, PatternOptions } from './types'

export interface PatternTrialsOptions {
  host: PythonHost
  tracer: Tracer
  /** The registry that the next registrations go to. */
  register: (registry: PatternRegistry) => void
}

/** Constants whose other choice is counted: each takes a run. */
const MAX_CHOICES = 4

export class PatternTrials {
  private readonly schemaOf

  constructor(private readonly options: PatternTrialsOptions) {
    this.schemaOf = schemasOf(options.tracer)
  }

  make(graph: Graph, title: string, nodes: readonly string[], options: PatternOptions): Result<MadePattern, string> {
    // The file stands alone: operators that an earlier run declared are declared in it again.
    this.options.tracer.reset()
    this.options.tracer.begins?.(graph)
    return makePattern(graph, nodes, options, this.context(graph, title))
  }

  /** What each constant of a pattern matches, written and as a parameter. */
  choices(graph: Graph, made: MadePattern, nodes: readonly string[]): ConstantChoice[] {
    return made.constants.slice(0, MAX_CHOICES).map(({ name }) => {
      const isParameter = made.parameters.includes(name)
      const parameters = isParameter ? made.parameters.filter((p) => p !== name) : [...made.parameters, name]
      const other = this.make(graph, '', nodes, { name: made.name, form: made.form, parameters })
      const [here, there] = [made.matches, other.ok ? other.value.matches : null]
      return { name, written: isParameter ? there : here, parameter: isParameter ? here : there }
    })
  }

  private context = (graph: Graph, title: string): PatternContext => ({
    title,
    schemaOf: this.schemaOf,
    declarations: (selected) => this.declarations(graph, selected),
    run: (python, selected) => this.run(graph, python, selected),
  })

  private declarations(graph: Graph, selected: readonly Node[]): Declarations {
    const all = operatorLines({ tracer: this.options.tracer, graphs: [graph], observed: [], texts: [] }).lines
    const targets = selected.flatMap((n) => [n.target, ...wrappedTarget(n)])
    const packets = new Set(targets.map((t) => t.split('.').slice(0, 2).join('::')))
    const lines = all.filter((line) => [...packets].some((p) => line.includes(`'${p}(`) || line.includes(`'${p}.`)))
    return {
      lines: lines.map((line) => line.replace(NO_FAKE, ')')),
      untraceable: lines.some((line) => NO_FAKE.test(line)),
    }
  }

  private run(graph: Graph, python: string, selected: ReadonlySet<string>): Trial {
    const { host, tracer } = this.options
    const registry = new PatternRegistry(registryOptions(tracer, () => host))
    this.options.register(registry)
    tracer.begins?.(graph)
    const run = host.run([{ name: 'pattern.py', text: python }], undefined)
    if (run.failure) return { error: `${run.failure.type}: ${run.failure.message}`, applied: [], failure: null }
    const { schemaOf } = this
    const { passes } = runPipeline(graph, planPipeline(run, undefined), {
      registry,
      host,
      tracer,
      schemaOf,
      detail: 'attempts',
    })
    host.drainConsole()
    const [pass] = passes
    if (!pass) return { error: 'The file registers no pass.', applied: [], failure: null }
    const { attempts, applyError } = pass.toExplain
    const reached = attempts.filter((a) => !a.ok && selected.has(a.node))
    const best = reached.reduce<(typeof reached)[number] | null>(
      (a, b) => (a && (a.reached?.length ?? 0) >= (b.reached?.length ?? 0) ? a : b),
      null,
    )
    return {
      error: applyError,
      applied: pass.matches.map((m) => m.nodes),
      failure: best?.reason ?? attempts.find((a) => a.dropped !== undefined && selected.has(a.node))?.dropped ?? null,
    }
  }
}

/** An operator whose results are unknown, or whose fake is elsewhere. */
const NO_FAKE = /, (?:unknown_shapes\(.*\)|fake=None)\)$/

const wrappedTarget = (node: Node): string[] => {
  const [op] = node.args
  return typeof op === 'object' && op !== null && 'kind' in op && op.kind === 'op' ? [op.name] : []
}
