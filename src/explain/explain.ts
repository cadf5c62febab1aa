/**
 * Why the patterns of a pass did not fire: near misses over all anchors with every cause, and what is not about one
 * anchor.
 */
import { Node as FxNode, targetToText, type Arg, type Graph, type Node, type Val } from '../fx'
import type { AppliedMatch } from '../matcher/observer'
import type { EntryView, SpecificTrace } from '../matcher/registry'
import type { SchemaLookup } from '../matcher/schema_facts'
import type { Attempt } from '../matcher/types'
import { Aligner, type Alignment } from './align'
import { GraphIndex } from './anchors'
import { causesKey, makeCause, rankCauses, type Cause } from './causes'
import { applyErrorCause, droppedCause } from './dropped'
import { foldNearMisses, type NearMissFold } from './near_misses'
import { isGetitem, keyOf, listed, operatorOf, passesThrough, wrappedOperator } from './operators'
import { coneOf, patternGraph, type PatternGraph } from './pattern_graph'

export interface PassToExplain {
  name: string
  /** The graph as the pass found it. */
  graph: Graph
  entries: readonly EntryView[]
  attempts: readonly Attempt[]
  matches: readonly AppliedMatch[]
  applyError: string | null
  schemaOf: SchemaLookup
  /** The search function traced with what its arguments are in the graph. */
  specific(entry: number, captured: ReadonlyMap<string, Arg>): SpecificTrace | null
}

export interface PassExplanation {
  nearMisses: NearMissFold[]
  /** What is not about one anchor. */
  causes: Cause[]
}

/** Re-traces asked for in one pass, beyond those the matcher made itself. */
const MOST_TRACES = 24

export function explainPass(pass: PassToExplain): PassExplanation {
  return new Explanation(pass).run()
}

interface Known {
  pattern: PatternGraph
  aligner: Aligner
}

class Explanation {
  private readonly index: GraphIndex
  private readonly takenBy = new Map<string, AppliedMatch>()
  private readonly known = new Map<number, Known | null>()
  private traces = 0

  constructor(private readonly pass: PassToExplain) {
    this.index = new GraphIndex(pass.graph)
    for (const m of pass.matches) for (const n of m.nodes) this.takenBy.set(n, m)
  }

  run(): PassExplanation {
    const { entries, attempts, applyError } = this.pass
    if (entries.length === 0)
      return {
        nearMisses: [],
        causes: [
          makeCause({
            kind: 'not-registered',
            expected: 'at least one pattern',
            found: '0 patterns',
            sentence: `no pattern is registered in ${this.pass.name}: the pass runs and can do nothing. The code that registers them was not called, or its module not imported`,
          }),
        ],
      }
    const folds = foldNearMisses(attempts, {
      matched: (n) => this.takenBy.has(n),
      sameOperator: (a) => this.sameOperator(a),
    }).map((f) => this.explained(f))
    const fired = new Set(this.pass.matches.map((m) => m.entry))
    for (const entry of entries) folds.push(...this.aligned(entry, folds, fired.has(entry.index)))
    const causes: Cause[] = []
    if (applyError) causes.push(this.errorCause(applyError))
    for (const entry of entries) {
      if (fired.has(entry.index)) continue
      const apart = this.apart(entry)
      if (apart) causes.push(apart)
      if (folds.some((f) => f.entry === entry.index)) continue
      const absent = this.rootAbsent(entry)
      if (absent) causes.push(absent)
    }
    return { nearMisses: sorted(folds), causes: rankCauses(causes) }
  }

  /** Only attempts that failed on the very operator the pattern has there were ever meant. */
  private sameOperator({ entry, mismatch }: Attempt): boolean {
    const graph = this.pass.entries[entry]?.searchGraph
    const expected =
      mismatch?.patternNode == null || !graph ? undefined : this.knownOf(entry)?.pattern.nodes[mismatch.patternNode]
    const found = mismatch?.graphNode == null ? undefined : this.index.byName.get(mismatch.graphNode)
    if (!expected || !found) return true
    return expected.target === found.target && wrappedOperator(expected) === wrappedOperator(found)
  }

  private knownOf(entry: number): Known | null {
    let known = this.known.get(entry)
    if (known === undefined) {
      const { searchGraph, registration } = this.pass.entries[entry]!
      if (!searchGraph || !('argNames' in registration)) known = null
      else {
        const pattern = patternGraph(searchGraph, namesOf(searchGraph, registration.argNames), {
          exclusive: registration.exclusiveArgNames,
          workaround: registration.scalarWorkaround,
        })
        known = {
          pattern,
          aligner: new Aligner(pattern, { schemaOf: this.pass.schemaOf, stage: 'initial', index: this.index }),
        }
      }
      this.known.set(entry, known)
    }
    return known
  }

  /** A fold of attempts, with all causes of its first anchor. */
  private explained(fold: NearMissFold): NearMissFold {
    const anchor = this.index.byName.get(fold.anchors[0]!)
    const known = this.knownOf(fold.entry)
    const of = known?.pattern.calls.length
    if (fold.taken) return { ...fold, ...(of === undefined ? {} : { of }), causes: [this.takenCause(fold)] }
    if (fold.mismatch === null) {
      const attempt = this.pass.attempts.find(
        (a) =>
          a.entry === fold.entry && a.node === fold.anchors[0] && a.phase === fold.phase && a.dropped !== undefined,
      )
      if (attempt)
        return {
          ...fold,
          ...(of === undefined ? {} : { score: of, of }),
          causes: rankCauses([
            droppedCause(attempt, this.titleOf(fold.entry), this.index, this.pass.schemaOf),
            ...(known && anchor && fold.reason.startsWith('the re-trace') ? this.symbolic(known, anchor) : []),
          ]),
        }
    }
    if (!known || !anchor) return { ...fold, causes: [fallback(fold)] }
    const output = known.pattern.outputs[0]!
    const best = fold.anchors
      .slice(0, 8)
      .map((name) => this.index.byName.get(name) ?? anchor)
      .reduce((a, b) => (known.aligner.value(output, b) > known.aligner.value(output, a) ? b : a), anchor)
    const alignment = this.at(fold.entry, known, output, best)
    const causes = alignment.causes.length > 0 ? alignment.causes : [fallback(fold)]
    // An attempt ends at its first mismatch; what aligns beyond it belongs to the place as well.
    const aligned = [...alignment.pairs.values()].map((g) => g.name)
    return {
      ...fold,
      anchors: [best.name, ...fold.anchors.filter((a) => a !== best.name)],
      aligned: aligned.length > fold.aligned.length ? aligned : fold.aligned,
      score: alignment.score,
      of: alignment.of,
      causes,
    }
  }

  /** Sizes that the pattern has as literals and the graph as symbols; told where no re-trace can tell better. */
  private symbolic({ pattern }: Known, anchor: Node): Cause[] {
    const exact = new Aligner(pattern, { schemaOf: this.pass.schemaOf, stage: 'specific', index: this.index })
    return exact.align(pattern.outputs[0]!, anchor).causes.filter((c) => c.kind === 'symbolic-shape')
  }

  /** Alignments at anchors that the attempts did not tell of. */
  private aligned(entry: EntryView, folds: readonly NearMissFold[], fired: boolean): NearMissFold[] {
    const known = this.knownOf(entry.index)
    if (!known) return fired || folds.some((f) => f.entry === entry.index) ? [] : this.byHand(entry)
    const { pattern, aligner } = known
    const mine = folds.filter((f) => f.entry === entry.index)
    // A pattern that came near, and only where another one matched, has found its places.
    if (mine.length > 0 && mine.every((f) => f.taken)) return []
    const told = new Set(mine.flatMap((f) => f.anchors))
    const near = (share: number): boolean => share >= (fired ? 0.6 : 0.5)
    let found: Place[] = []
    // Where its first output led somewhere, the others are told of there.
    const outputs = told.size > 0 ? pattern.outputs.slice(0, 1) : pattern.outputs
    for (const far of fired ? [false] : [false, true])
      for (const output of outputs) {
        if (found.length > 0) break
        const size = pattern.sizeOf(output)
        for (const anchor of aligner.placesOf(output, far)) {
          if (this.takenBy.has(anchor.name) || told.has(anchor.name)) continue
          const value = aligner.value(output, anchor)
          if (value > 0.3 && near(value / size)) found.push({ output, anchor, value, size })
        }
      }
    if (found.length === 0 && !fired && told.size === 0) found = this.bestOf(known)
    found.sort((a, b) => b.value - a.value || a.anchor.sortKey - b.anchor.sortKey)
    const best = found[0]?.value ?? 0
    const claimed = new Set<Node>()
    if (found.length > 0)
      for (const a of this.pass.attempts)
        if (a.entry === entry.index && told.has(a.node))
          for (const n of a.nodes ?? a.reached ?? []) {
            const node = this.index.byName.get(n)
            if (node) claimed.add(node)
          }
    const out = new Map<string, NearMissFold>()
    for (const { output, anchor, value } of found) {
      if (value < best - 2 && !fired) continue
      const raw = aligner.align(output, anchor)
      if (raw.causes.length === 0 && fired) continue
      const taken = [...raw.pairs.values()].filter((g) => this.takenBy.has(g.name)).length
      if (taken > raw.pairs.size / 2) continue
      // A worse reading of what a better one has told already was never meant.
      if ([...raw.pairs.values()].filter((g) => claimed.has(g)).length >= raw.pairs.size / 2) continue
      raw.pairs.forEach((g) => claimed.add(g))
      const key = causesKey(raw.causes)
      const fold = out.get(key)
      if (fold) {
        fold.count++
        fold.anchors.push(anchor.name)
        continue
      }
      const refined = this.refined(entry.index, known, output, raw)
      const full = refined.causes.length > 0 ? refined : { ...refined, causes: this.pytorchsCause(entry, anchor) }
      if (full.causes.length === 0) continue
      out.set(key, {
        entry: entry.index,
        phase: 'initial',
        count: 1,
        anchors: [anchor.name],
        mismatch: null,
        reason: '',
        aligned: [...full.pairs.values()].map((g) => g.name),
        taken: false,
        sentence: '',
        score: full.score,
        of: full.of,
        causes: full.causes,
      })
    }
    return [...out.values()].map((f) => ({ ...f, sentence: alignedSentence(f) }))
  }

  /** A pattern written by hand has no graph to align: the attempt that came furthest, with what stopped it. */
  private byHand(entry: EntryView): NearMissFold[] {
    const failed = this.pass.attempts.filter((a) => a.entry === entry.index && !a.ok && !this.takenBy.has(a.node))
    const best = failed.reduce<Attempt | null>(
      (a, b) => ((b.reached?.length ?? 0) > (a?.reached?.length ?? -1) ? b : a),
      null,
    )
    if (!best) return []
    const { phase, mismatch = null, reason, node } = best
    const sentence = mismatch
      ? `the furthest attempt, at ${node}, stops at ${mismatch.graphNode ?? node}: ${mismatch.found ?? 'nothing'} in the graph, ${mismatch.expected ?? 'nothing'} in the pattern`
      : `the furthest attempt, at ${node}, fails: ${reason ?? ''}`
    const fold = {
      entry: entry.index,
      phase,
      count: 1,
      anchors: [node],
      mismatch,
      reason: reason ?? '',
      taken: false,
      sentence,
    }
    return [{ ...fold, aligned: [...(best.reached ?? [])], causes: [fallback(fold)] }]
  }

  /** PyTorch's own mismatch at an anchor where the alignment finds nothing wrong. */
  private pytorchsCause(entry: EntryView, anchor: Node): Cause[] {
    const failed = this.pass.attempts.find((a) => a.entry === entry.index && a.node === anchor.name && !a.ok)
    if (!failed) return []
    const apart = failed.mismatch?.kind === 'no_anchor' ? this.apart(entry) : null
    if (apart) return [{ ...apart, graphNode: anchor.name }]
    const { phase, mismatch = null, reason } = failed
    const sentence = `at ${anchor.name} the matcher says: ${reason?.slice(0, 200) ?? 'nothing'}`
    return [fallback({ phase, mismatch, anchors: [anchor.name], sentence })]
  }

  /** For a pattern that is near nowhere: its best place, where a whole output or a good part of it is there. */
  private bestOf({ pattern, aligner }: Known): Place[] {
    let best: (Place & { share: number }) | null = null
    for (const output of pattern.outputs)
      for (const anchor of aligner.placesOf(output, true)) {
        if (this.takenBy.has(anchor.name)) continue
        const value = aligner.value(output, anchor)
        const size = pattern.sizeOf(output)
        const share = value / size
        if (value >= 0.4 && share > Math.max(best?.share ?? 0, 0.25)) best = { output, anchor, value, size, share }
      }
    return best ? [best] : []
  }

  private at(entry: number, known: Known, output: Node, anchor: Node): Alignment {
    return this.refined(entry, known, output, known.aligner.align(output, anchor))
  }

  /** The same place with the pattern as the specific stage traces it: exact constants, and other nodes for other inputs. */
  private refined(entry: number, known: Known, output: Node, first: Alignment): Alignment {
    const done = (a: Alignment, causes: readonly Cause[] = a.causes): Alignment => ({
      ...a,
      causes: rankCauses(causes),
    })
    const names = [...known.pattern.argNames.values()]
    if (this.traces >= MOST_TRACES || !names.every((n) => first.bound.has(n))) return done(first)
    const position = known.pattern.outputs.indexOf(output)
    const exact = this.retraced(entry, known, position, first.anchor, first.bound)
    if (!exact) return done(first)
    if ('rejected' in exact && first.causes.length > 0) return done(first)
    if ('rejected' in exact)
      return done(first, [
        ...first.causes,
        makeCause({
          kind: 'retrace-error',
          graph: first.anchor,
          found: exact.rejected,
          sentence: `the pattern cannot be traced with the graph’s inputs: ${exact.rejected}`,
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
    // A scalar that stands for an argument is a constant in the re-trace: what the first stage found holds.
    const lost = exact.same && structural(alignment) < structural(first)
    if (!better) return done((exact.same && !lost) || structural(first) === 0 ? alignment : first)
    return done(first, [this.exampleInputs(entry, better, first), ...better.alignment.causes])
  }

  private retraced(
    entry: number,
    known: Known,
    position: number,
    anchor: Node,
    bound: ReadonlyMap<string, Arg>,
  ): Retraced | { rejected: string } | null {
    this.traces++
    const trace = this.pass.specific(entry, bound)
    if (!trace || 'rejected' in trace) return trace
    const { registration } = this.pass.entries[entry]!
    if (!('argNames' in registration)) return null
    const pattern = patternGraph(trace.graph, trace.placeholders, {
      exclusive: registration.exclusiveArgNames,
      workaround: registration.scalarWorkaround,
      toInitial: trace.toInitial,
    })
    const output = pattern.outputs[position]
    if (!output) return null
    const alignment = new Aligner(pattern, {
      schemaOf: this.pass.schemaOf,
      stage: 'specific',
      index: this.index,
    }).align(output, anchor)
    const mine = counted(pattern)
    const theirs = counted(known.pattern)
    const added = difference(mine, theirs)
    const dropped = difference(theirs, mine)
    return { alignment, bound, added, dropped, same: added.length === 0 && dropped.length === 0 }
  }

  private exampleInputs(entry: number, { bound, added, dropped }: Retraced, first: Alignment): Cause {
    const { registration } = this.pass.entries[entry]!
    const other: string[] = []
    if ('exampleInputs' in registration) {
      const scalars = registration.scalarWorkaround
      const tensors = registration.argNames.filter((n) => !scalars?.has(n))
      tensors.forEach((name, i) => {
        const text = otherVal(name, registration.exampleInputs[i], valOf(bound.get(name)))
        if (text) other.push(text)
      })
    }
    const change = [
      added.length > 0 ? `has ${listed(added)} too` : '',
      dropped.length > 0 ? `has no ${listed(dropped)}` : '',
    ].filter((t) => t !== '')
    return makeCause({
      kind: 'example-inputs',
      graph: first.anchor,
      expected: other.map((o) => o.split(' in the examples')[0]!).join(', ') || null,
      found: change.join(' and '),
      sentence: `the pattern was traced over other inputs than the graph has${other.length > 0 ? ` (${listed(other)})` : ''}; traced with the graph’s, it ${change.join(' and ')}, and fits better`,
    })
  }

  private takenCause(fold: NearMissFold): Cause {
    const by = this.takenBy.get(fold.anchors[0]!)
    const title = by ? this.titleOf(by.entry) : 'another pattern'
    return makeCause({
      kind: 'taken',
      graphNode: fold.anchors[0] ?? null,
      found: title,
      sentence: by
        ? `${title} matched at ${by.node} and took ${fold.anchors[0]} first`
        : `another pattern took ${fold.anchors[0]} first`,
    })
  }

  private titleOf(entry: number): string {
    const view = this.pass.entries[entry]
    if (!view) return 'another pattern'
    const bindings = Object.entries(view.registration.bindings).slice(0, 4)
    return (
      view.registration.title + (bindings.length > 0 ? ` (${bindings.map(([k, v]) => `${k}=${v}`).join(', ')})` : '')
    )
  }

  private errorCause(error: string): Cause {
    const last = this.pass.attempts.filter((a) => a.ok && a.dropped === undefined).at(-1) ?? null
    const entry = last && this.pass.entries[last.entry]
    return applyErrorCause(
      error,
      last,
      entry ? { title: entry.registration.title, checked: entry.registration.extraCheck !== null } : null,
    )
  }

  /** An output that shares no computation with those before it cannot be found: PyTorch looks along shared nodes. */
  private apart(entry: EntryView): Cause | null {
    const known = this.knownOf(entry.index)
    if (!known) return null
    const [first, ...others] = known.pattern.outputs
    if (!first) return null
    const reached = new Set(coneOf(first))
    for (const output of others) {
      const cone = coneOf(output)
      if (!cone.some((n) => reached.has(n)))
        return makeCause(
          {
            kind: 'structure',
            pattern: output,
            entry: entry.index,
            expected: 'outputs that share a value',
            found: `output ${known.pattern.outputs.indexOf(output)} shares none`,
            sentence: `${this.titleOf(entry.index)} can never match: its output ${operatorOf(output)} shares nothing with the outputs before it, and the matcher finds each output along what it shares`,
          },
          (p) => known.pattern.indexOf(p),
        )
      cone.forEach((n) => reached.add(n))
    }
    return null
  }

  private rootAbsent(entry: EntryView): Cause | null {
    const known = this.knownOf(entry.index)
    const output = known?.pattern.outputs[0]
    if (!known || !output) {
      const targets = entry.keys.map((key) => key.slice(key.indexOf(':') + 1))
      const there = this.index.nodes.some((n) =>
        targets.includes(targetToText(n.target).replace(/^operator\./, '_operator.')),
      )
      if (there) return null
      return makeCause({
        kind: 'root-absent',
        entry: entry.index,
        expected: listed(targets),
        found: 'no such node',
        sentence: `${this.titleOf(entry.index)} is never tried: it starts at ${listed(targets)}, and the graph has no such node`,
      })
    }
    const root = isGetitem(output) ? (output.inputs()[0] ?? output) : output
    if (this.index.of(keyOf(root)).length > 0) return null
    return makeCause(
      {
        kind: 'root-absent',
        pattern: root,
        entry: entry.index,
        expected: operatorOf(root),
        found: 'no such node',
        sentence: `${this.titleOf(entry.index)} is never tried: it starts at ${operatorOf(root)}, and the graph has no such node`,
      },
      (p) => known.pattern.indexOf(p),
    )
  }
}

interface Place {
  output: Node
  anchor: Node
  value: number
  /** Counting nodes of the output's computation. */
  size: number
}

interface Retraced {
  alignment: Alignment
  bound: ReadonlyMap<string, Arg>
  /** Operators the re-traced pattern has more, and fewer. */
  added: string[]
  dropped: string[]
  same: boolean
}

/** Causes that are not about a value. */
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

/** Arguments bound to a cast, bound to what it casts; null when none is. */
function withoutCasts(bound: ReadonlyMap<string, Arg>): Map<string, Arg> | null {
  const out = new Map(bound)
  for (const [name, value] of bound)
    if (value instanceof FxNode && passesThrough(value) && /convert_element_type|_to_copy/.test(value.target))
      out.set(name, value.inputs()[0] ?? value)
  return [...out].some(([k, v]) => bound.get(k) !== v) ? out : null
}

const valOf = (a: Arg | undefined): Val | undefined => (a instanceof FxNode ? a.meta.val : undefined)

/** `x is float32 in the examples and bfloat16 in the graph`; null when dtype and rank agree. */
function otherVal(name: string, example: Val | undefined, graph: Val | undefined): string | null {
  if (example?.kind !== 'tensor' || graph?.kind !== 'tensor') return null
  if (example.dtype !== graph.dtype)
    return `${name} is ${example.dtype} in the examples and ${graph.dtype} in the graph`
  const ranks = [example.shape.length, graph.shape.length]
  return ranks[0] === ranks[1]
    ? null
    : `${name} has ${ranks[0]} dimensions in the examples and ${ranks[1]} in the graph`
}

/** The placeholders' argument names; a search function with list arguments has more placeholders than names. */
function namesOf(graph: Graph, argNames: readonly string[]): readonly string[] {
  const placeholders = [...graph.nodes()].filter((n) => n.op === 'placeholder')
  return placeholders.length === argNames.length ? argNames : placeholders.map((n) => n.target)
}

const KINDS: Readonly<Record<string, Cause['kind']>> = {
  constant_args: 'constant',
  get_attr_value: 'constant',
  function_mismatch: 'wrong-operator',
  arity: 'arity',
  multiple_users: 'escaping-intermediate',
  kwarg_mismatch: 'kwarg-conflict',
  args_structure: 'structure',
  non_list: 'structure',
  repeated_pattern: 'repeated-argument',
  exclusive_arg: 'exclusive-argument',
  no_anchor: 'output-unused',
  no_match: 'output-unused',
}

/** PyTorch's own mismatch as a cause, where the alignment has nothing to say. */
function fallback(fold: Pick<NearMissFold, 'phase' | 'mismatch' | 'anchors' | 'sentence'>): Cause {
  const m = fold.mismatch
  return {
    ...makeCause({
      kind: (m && KINDS[m.kind]) ?? 'other',
      graphNode: m?.graphNode ?? fold.anchors[0] ?? null,
      argument: m?.argument ?? null,
      expected: m?.expected ?? null,
      found: m?.found ?? null,
      stage: fold.phase,
      sentence: fold.sentence,
    }),
    patternNode: m?.patternNode ?? null,
  }
}

function alignedSentence(f: NearMissFold): string {
  const places = f.count === 1 ? '1 place' : `${f.count} places`
  return `${places} where ${f.score} of ${f.of} nodes align: ${f.causes?.[0]?.sentence ?? 'no cause found'}`
}

/** Nearest first: what aligned most, with the fewest causes, most often. */
function sorted(folds: readonly NearMissFold[]): NearMissFold[] {
  const share = (f: NearMissFold): number => (f.of ? (f.score ?? 0) / f.of : 0.5)
  return [...folds].sort(
    (a, b) =>
      Number(a.taken) - Number(b.taken) ||
      share(b) - share(a) ||
      (a.causes?.length ?? 9) - (b.causes?.length ?? 9) ||
      b.count - a.count ||
      a.entry - b.entry,
  )
}
