/** Runs the forms of a pattern in an existing Python. */
import type { Result } from '../../base/result'
import { type Graph, type Node, isKind } from '../../fx'
import { standingIn, type Standing } from '../../ops/calls/computes'
import { operatorLines } from '../export/operators'
import type { Interpreter } from '../run/interpreter'
import { makeRun } from '../run/run'
import type { Trial } from './first_match'
import { makePattern, type Declarations, type PatternContext } from './make_pattern'
import type { ConstantChoice, MadePattern, PatternOptions } from './types'

/** Maximum number of constants whose alternative is counted: each takes a run. */
const MAX_CHOICES = 4

export class PatternTrials {
  private readonly stands: Standing

  /** @param files the user's own files */
  constructor(
    private readonly interpreter: Interpreter,
    files: readonly { readonly text: string }[] = [],
  ) {
    this.stands = standingIn(files)
  }

  make(graph: Graph, title: string, nodes: readonly string[], options: PatternOptions): Result<MadePattern, string> {
    // The file stands alone: it declares again the operators that an earlier run declared.
    this.interpreter.clear(graph)
    return makePattern(graph, nodes, options, this.context(graph, title))
  }

  /** The matches of a pattern for each constant, as a literal and as a parameter. */
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
    schemaOf: this.interpreter.schemaOf,
    stands: this.stands,
    declarations: (selected) => this.declarations(graph, selected),
    run: (python, selected) => this.tried(graph, python, selected),
  })

  private declarations(graph: Graph, selected: readonly Node[]): Declarations {
    const all = operatorLines({ tracer: this.interpreter.tracer, graphs: [graph], observed: [], texts: [] }).lines
    const targets = selected.flatMap((n) => [n.target, ...wrappedTarget(n)])
    const packets = new Set(targets.map((t) => t.split('.').slice(0, 2).join('::')))
    const lines = all.filter((line) => [...packets].some((p) => line.includes(`'${p}(`) || line.includes(`'${p}.`)))
    return {
      lines: lines.map((line) => line.replace(NO_FAKE, ')')),
      untraceable: lines.some((line) => NO_FAKE.test(line)),
    }
  }

  private tried(graph: Graph, python: string, selected: ReadonlySet<string>): Trial {
    const files = [{ name: 'pattern.py', text: python }]
    const { failure, pipeline } = makeRun(this.interpreter, { files, graph, detail: 'attempts' })
    if (failure) return { error: `${failure.type}: ${failure.message}`, applied: [], failure: null }
    const { passes } = pipeline
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

/** An operator whose results are unknown, or whose fake is defined elsewhere. */
const NO_FAKE = /, (?:unknown_shapes\(.*\)|fake=None)\)$/

const wrappedTarget = (node: Node): string[] => {
  const [op] = node.args
  return isKind(op, 'op') ? [op.name] : []
}
