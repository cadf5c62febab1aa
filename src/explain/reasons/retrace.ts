/** Aligns an anchor again with the pattern that stage two traces, using the graph values of its arguments. */
import { plainText } from '../../base/message'
import { Node as FxNode, type Arg, type Node, type Val, operatorOf } from '../../fx'
import { Aligner, type Alignment } from '../align/align'
import { makeCause, rankCauses, type Cause } from '../causes'
import type { AlignablePattern, PassIndex } from '../pass_index'
import type { Rejected } from '../../matcher/stage_two/trace_cache'
import { listed } from '../../base/english'
import { passesThrough } from './operators'
import { dropDetail } from './pass_messages'
import type { InputDifference } from './reason'
import { patternGraph, type PatternGraph } from '../align/pattern_graph'

/** Maximum number of re-traces per pass beyond the matcher's own. */
const MAX_TRACES = 24

export class Retracing {
  private traces = 0

  constructor(private readonly facts: PassIndex) {}

  at(entry: number, known: AlignablePattern, output: Node, anchor: Node): Alignment {
    return this.refined(entry, known, output, known.aligner.align(output, anchor))
  }

  /** Aligns the same anchor with the pattern that stage two traces: exact constants, and different nodes for different inputs. */
  refined(entry: number, known: AlignablePattern, output: Node, first: Alignment): Alignment {
    const done = (a: Alignment, causes: readonly Cause[] = a.causes): Alignment => ({
      ...a,
      causes: rankCauses(causes),
    })
    const names = [...known.pattern.argNames.values()]
    if (this.traces >= MAX_TRACES || !names.every((n) => first.bound.has(n))) return done(first)
    const position = known.pattern.outputs.indexOf(output)
    const exact = this.retraced(entry, known, position, first.anchor, first.bound)
    if (!exact) return done(first)
    if ('rejected' in exact && first.causes.length > 0) return done(first)
    if ('rejected' in exact)
      return done(first, [
        ...first.causes,
        makeCause({
          reason: { kind: 'retrace-failed', drop: exact.rejected },
          graph: first.anchor,
          found: plainText(dropDetail(exact.rejected)),
        }),
      ])
    const base =
      exact.same || exact.alignment.causes.some((c) => c.kind === 'symbolic-shape') || structural(first) === 0
    const { alignment } = exact
    let better: Retraced | null = !base && structural(alignment) < structural(first) ? exact : null
    if (!better && structural(first) > 0) {
      const plain = withoutCasts(first.bound)
      const cast = plain && this.retraced(entry, known, position, first.anchor, plain)
      if (cast && !('rejected' in cast) && !cast.same && structural(cast.alignment) < structural(first)) better = cast
    }
    // A scalar argument is a constant in the re-trace: the stage-one finding still holds.
    const lost = exact.same && structural(alignment) < structural(first)
    if (!better) return done((exact.same && !lost) || structural(first) === 0 ? alignment : first)
    return done(first, [this.exampleInputs(entry, better, first), ...better.alignment.causes])
  }

  private retraced(
    entry: number,
    known: AlignablePattern,
    position: number,
    anchor: Node,
    bound: ReadonlyMap<string, Arg>,
  ): Retraced | Rejected | null {
    this.traces++
    const trace = this.facts.pass.specific(entry, bound)
    if (!trace || 'rejected' in trace) return trace
    const { registration } = this.facts.pass.entries[entry]!
    if (!('argNames' in registration)) return null
    const pattern = patternGraph(trace.graph, trace.placeholders, {
      exclusive: registration.exclusiveArgNames,
      workaround: registration.scalarWorkaround,
      toInitial: trace.toInitial,
      fixedFloats: trace.fixedFloats,
    })
    const output = pattern.outputs[position]
    if (!output) return null
    const alignment = new Aligner(pattern, {
      schemaOf: this.facts.pass.schemaOf,
      stage: trace.fixedFloats ? 'initial' : 'specific',
      index: this.facts.index,
      free: (n) => !this.facts.takenBy.has(n.name),
    }).align(output, anchor)
    const mine = counted(pattern)
    const theirs = counted(known.pattern)
    const added = difference(mine, theirs)
    const dropped = difference(theirs, mine)
    return { alignment, bound, added, dropped, same: added.length === 0 && dropped.length === 0 }
  }

  private exampleInputs(entry: number, { bound, added, dropped }: Retraced, first: Alignment): Cause {
    const { registration } = this.facts.pass.entries[entry]!
    const inputs: InputDifference[] = []
    if ('exampleInputs' in registration) {
      const scalars = registration.scalarWorkaround
      const tensors = registration.argNames.filter((n) => !scalars?.has(n))
      tensors.forEach((name, i) => {
        const difference = inputDifference(name, registration.exampleInputs[i], valOf(bound.get(name)))
        if (difference) inputs.push(difference)
      })
    }
    const change = [
      added.length > 0 ? `also has ${listed(added)}` : '',
      dropped.length > 0 ? `has no ${listed(dropped)}` : '',
    ].filter((t) => t !== '')
    return makeCause({
      reason: { kind: 'example-inputs', inputs, added, dropped },
      graph: first.anchor,
      expected: inputs.map(exampleText).join(', ') || null,
      found: change.join(' and '),
    })
  }
}

interface Retraced {
  alignment: Alignment
  bound: ReadonlyMap<string, Arg>
  /** Operators that the re-traced pattern gains and loses. */
  added: string[]
  dropped: string[]
  same: boolean
}

/** Causes that do not concern a value. */
const structural = (a: Alignment): number => a.causes.filter((c) => c.kind !== 'constant').length

const counted = (p: PatternGraph): string[] => p.calls.map(operatorOf)
function difference(a: readonly string[], b: readonly string[]): string[] {
  const left = [...b]
  const out: string[] = []
  for (const x of a) {
    const i = left.indexOf(x)
    if (i < 0) out.push(x)
    else left.splice(i, 1)
  }
  return [...new Set(out)]
}

/** Rebinds arguments bound to a cast to the cast's input; null if there are none. */
function withoutCasts(bound: ReadonlyMap<string, Arg>): Map<string, Arg> | null {
  const out = new Map(bound)
  for (const [name, value] of bound)
    if (value instanceof FxNode && passesThrough(value) && /convert_element_type|_to_copy/.test(value.target))
      out.set(name, value.inputs()[0] ?? value)
  return [...out].some(([k, v]) => bound.get(k) !== v) ? out : null
}

const valOf = (a: Arg | undefined): Val | undefined => (a instanceof FxNode ? a.meta.val : undefined)

/** Null if dtype and rank agree. */
function inputDifference(argument: string, example?: Val, graph?: Val): InputDifference | null {
  if (example?.kind !== 'tensor' || graph?.kind !== 'tensor') return null
  if (example.dtype !== graph.dtype) return { argument, what: 'dtype', example: example.dtype, graph: graph.dtype }
  const [mine, theirs] = [example.shape.length, graph.shape.length]
  return mine === theirs ? null : { argument, what: 'rank', example: mine, graph: theirs }
}

const exampleText = (d: InputDifference): string =>
  d.what === 'dtype' ? `${d.argument} is ${d.example}` : `${d.argument} has ${d.example} dimensions`
