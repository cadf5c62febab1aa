/** Makes patterns from selections, with one Python for all of them. */
import type { Result } from '../../base/result'
import { type Graph, type Node } from '../../fx'
import { PatternRegistry } from '../../matcher'
import { createPythonHost } from '../../python/host'
import type { PythonAssets, PythonHost } from '../../python/types'
import { createTracer } from '../../trace'
import type { Tracer } from '../../trace/types'
import { readCase, type CaseInput } from '../cases/case_input'
import { operatorLines } from '../export/operators'
import { planPipeline } from '../pipeline/plan'
import { runPipeline } from '../pipeline/run'
import { registryOptions, schemasOf, sinkOf } from '../session/registering'
import { shapedGraph } from '../shapes/shaped_graph'
import { makePattern, writtenForms, type Declarations, type PatternContext, type Trial } from './make_pattern'
import type { MadePattern, PatternOptions } from './types'

/** A graph, and the names of the selected nodes. */
export interface SelectionCase extends Pick<
  CaseInput,
  'id' | 'graph' | 'readable' | 'shapes' | 'custom_meta' | 'get_attr_values'
> {
  nodes: readonly string[]
}

export class PatternMaker {
  private readonly tracer: Tracer = createTracer()
  private readonly schemaOf = schemasOf(this.tracer)
  private registry = this.newRegistry()
  private host: PythonHost | null = null
  /** The last graph, which often has several selections. */
  private last: { key: string; graph: Graph } | null = null

  private constructor() {}

  static async create(assets: PythonAssets): Promise<PatternMaker> {
    const maker = new PatternMaker()
    maker.host = await createPythonHost({ assets, tracer: maker.tracer, sink: sinkOf(() => maker.registry) })
    return maker
  }

  /** True if Python is unusable: create another maker. */
  get broken(): boolean {
    return this.host?.broken ?? false
  }

  make(input: SelectionCase, options: PatternOptions = {}): Result<MadePattern, string> {
    return this.makeIn(this.graphOf(input), input.id, input.nodes, options)
  }

  makeIn(graph: Graph, title: string, nodes: readonly string[], options: PatternOptions): Result<MadePattern, string> {
    this.tracer.begins?.(graph)
    return makePattern(graph, nodes, options, this.context(graph, title))
  }

  /** See writtenForms; each as a Python file. */
  forms(input: SelectionCase): string[] {
    const graph = this.graphOf(input)
    return writtenForms(graph, input.nodes, this.context(graph, input.id))
  }

  private context = (graph: Graph, title: string): PatternContext => ({
    title,
    schemaOf: this.schemaOf,
    declarations: (selected) => this.declarations(graph, selected),
    run: (python, selected, reject) => this.run(graph, python, selected, reject),
  })

  private graphOf(input: SelectionCase): Graph {
    const key = JSON.stringify({ ...input, id: '', nodes: [] })
    if (this.last?.key !== key) {
      const read = readCase({ ...input, pattern_py: '' })
      this.tracer.begins?.(read)
      this.last = { key, graph: shapedGraph(read, input.shapes ?? {}, this.tracer).graph }
    }
    return this.last.graph
  }

  private declarations(graph: Graph, selected: readonly Node[]): Declarations {
    const all = operatorLines({ tracer: this.tracer, graphs: [graph], observed: [], texts: [] }).lines
    const targets = selected.flatMap((n) => [n.target, ...wrappedTarget(n)])
    const packets = new Set(targets.map((t) => t.split('.').slice(0, 2).join('::')))
    const lines = all.filter((line) => [...packets].some((p) => line.includes(`'${p}(`) || line.includes(`'${p}.`)))
    return {
      lines: lines.map((line) => line.replace(NO_FAKE, ')')),
      untraceable: lines.some((line) => NO_FAKE.test(line)),
    }
  }

  private run(graph: Graph, python: string, selected: ReadonlySet<string>, reject: boolean): Trial {
    this.registry = this.newRegistry()
    this.tracer.begins?.(graph)
    const text = reject ? rejecting(python) : python
    const run = this.host!.run([{ name: 'pattern.py', text }], undefined)
    if (run.failure)
      return { error: `${run.failure.type}: ${run.failure.message}`, applied: [], found: [], failure: null }
    const { registry, tracer, schemaOf } = this
    const host = this.host!
    const { passes } = runPipeline(graph, planPipeline(run, undefined), {
      registry,
      host,
      tracer,
      schemaOf,
      detail: 'attempts',
    })
    host.drainConsole()
    const [pass] = passes
    if (!pass) return { error: 'The file registers no pass.', applied: [], found: [], failure: null }
    const { attempts, applyError } = pass.toExplain
    const reached = attempts.filter((a) => !a.ok && selected.has(a.node))
    const best = reached.reduce<(typeof reached)[number] | null>(
      (a, b) => (a && (a.reached?.length ?? 0) >= (b.reached?.length ?? 0) ? a : b),
      null,
    )
    return {
      error: applyError,
      applied: pass.matches.map((m) => m.nodes),
      found: attempts.flatMap((a) => (a.ok && a.phase === 'initial' && a.nodes ? [a.nodes] : [])),
      failure: best?.reason ?? attempts.find((a) => a.dropped !== undefined && selected.has(a.node))?.dropped ?? null,
    }
  }

  private newRegistry(): PatternRegistry {
    return new PatternRegistry(registryOptions(this.tracer, () => this.host!))
  }
}

/** An operator whose results are unknown, or whose fake is elsewhere. */
const NO_FAKE = /, (?:unknown_shapes\(.*\)|fake=None)\)$/

/** The file with a check that every match fails. */
const rejecting = (python: string): string =>
  python
    .replace('    extra_check=extra_check,', '    extra_check=lambda match: False,')
    .replace(
      '@register_graph_pattern(expression(), ',
      '@register_graph_pattern(expression(), extra_check=lambda match: False, ',
    )

const wrappedTarget = (node: Node): string[] => {
  const [op] = node.args
  return typeof op === 'object' && op !== null && 'kind' in op && op.kind === 'op' ? [op.name] : []
}
