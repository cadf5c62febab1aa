/**
 * Explains why the patterns of a pass did not fire: near misses over all anchors with every cause, and causes that
 * concern no single anchor.
 */
import { GraphIndex, MAX_ANCHORS } from './align/anchors'
import type { Attempt } from '../matcher/types'
import { makeCause, rankCauses, type Cause } from './causes'
import { applyErrorCause, droppedCause } from './reasons/dropped'
import { sorted, withAlignedMessage } from './folds'
import { graphLevelCause, isSubgraph, isTraced, otherFormCause, patternLevelCause } from './reasons/graph_level'
import { foldAbsent, neverMatches, rootAbsent } from './reasons/impossible'
import { withDecompositions } from './reasons/inductor_decomposition'
import { PassIndex, type AlignablePattern } from './pass_index'
import { foldNearMisses, type NearMissFold, isUnshaped, NO_MESSAGE } from './near_misses'
import { withLayers } from './layers'
import { complete, Pace } from './pace'
import type { PassExplanation, PassToExplain } from './pass'
import { aligned } from './align/unattempted_anchors'
import { Retracing } from './reasons/retrace'
import type { Node } from '../fx'
import { Aligner, type Alignment } from './align/align'
import { firstMismatch } from './reasons/first_mismatch'
import type { EntryView } from '../matcher/registry'
import { listed } from '../base/english'

export type { PassExplanation, PassToExplain } from './pass'

/** Yields every few milliseconds; the caller may stop there. */
export function* explainSlices(pass: PassToExplain): Generator<void, PassExplanation> {
  if (pass.entries.length === 0) return { nearMisses: [], causes: [nothingRegistered(pass.name)] }
  const pace = new Pace()
  const facts = new PassIndex(pass, yield* GraphIndex.slices(pass.graph, pace))
  const retracing = new Retracing(facts)
  if (pace.due()) yield
  const context = {
    matched: (n: string) => facts.takenBy.has(n),
    sameOperator: (a: Attempt) => facts.sameOperator(a),
  }
  const attempts = yield* foldNearMisses(pass.attempts, context, pace)
  if (pace.due()) yield
  const folds: NearMissFold[] = []
  for (const fold of attempts) {
    const full = explained(fold, facts, retracing)
    folds.push(isSubgraph(pass.entries[fold.entry]) ? withAlignedMessage(full) : full)
    if (pace.due()) yield
  }
  const fired = new Set(pass.matches.map((m) => m.entry))
  const unfired = pass.entries.filter((entry) => !fired.has(entry.index))
  let unseen = 0
  for (const entry of pass.entries) {
    if (pace.due()) yield
    if (pace.spent()) unseen++
    else folds.push(...(yield* aligned(entry, folds, fired.has(entry.index), { facts, retracing, pace })))
  }
  const causes: Cause[] = []
  if (pass.applyError) causes.push(errorCause(pass, pass.applyError))
  const level = pass.applyError
    ? null
    : graphLevelCause(
        unfired.filter((e) => !isSubgraph(e)),
        facts,
      )
  if (level) causes.push(level)
  const neverTried: Cause[] = []
  for (const entry of unfired) {
    const never = neverMatches(entry, facts)
    if (never) causes.push(never)
    if (folds.some((f) => f.entry === entry.index)) continue
    const absent = patternLevelCause(entry, facts) ?? rootAbsent(entry, facts, otherFormCause(entry, facts))
    // The graph's level explains why it lacks a traced pattern's root.
    if (absent && !(level && isTraced(entry))) neverTried.push(absent)
  }
  causes.push(...foldAbsent(neverTried))
  return {
    nearMisses: withLayers(pass, sorted(folds.map((f) => withDecompositions(f, facts)))),
    causes: rankCauses(causes),
    ...leftOut(unseen, facts.capped.size, pass.entries.length),
  }
}

/** explainSlices without pauses. */
export function explainPass(pass: PassToExplain): PassExplanation {
  return complete(explainSlices(pass))
}

/**
 * Explains why one entry does not match at one node ("this should match here"), however different they are.
 * @param node name of a node of the pass's graph
 * @returns null if there is no such node or entry; a fold without causes if nothing prevents the match
 */
export function explainPair(pass: PassToExplain, entry: number, node: string): NearMissFold | null {
  const facts = new PassIndex(pass)
  return pairOf(entry, node, facts, new Retracing(facts))
}

function leftOut(unseen: number, capped: number, of: number): { leftOut?: string } {
  const parts = [
    ...(unseen > 0
      ? [`time ran out: for ${unseen} of ${of} patterns only the matcher’s own attempts were examined`]
      : []),
    ...(capped > 0
      ? [
          `for ${capped} of ${of} patterns only the first ${MAX_ANCHORS} candidate anchors were examined, so counts may be higher`,
        ]
      : []),
  ]
  return parts.length > 0 ? { leftOut: parts.join('; ') } : {}
}

const nothingRegistered = (pass: string): Cause =>
  makeCause({
    reason: { kind: 'empty-pass', pass },
    expected: 'at least one pattern',
    found: '0 patterns',
  })

/** The cause of an exception that ended the pass. */
function errorCause(pass: PassToExplain, error: string): Cause {
  const last = pass.attempts.filter((a) => a.ok && a.dropped === undefined).at(-1) ?? null
  const entry = last && pass.entries[last.entry]
  return applyErrorCause(
    { text: error, unusedArgument: pass.unusedArgument, retrace: pass.retraceRaised === true },
    last,
    entry ? { title: entry.registration.title, checked: entry.registration.extraCheck !== null } : null,
  )
}

/** Returns a fold of attempts with all causes at its first anchor. */
function explained(fold: NearMissFold, facts: PassIndex, retracing: Retracing): NearMissFold {
  const anchor = facts.index.byName.get(fold.anchors[0]!)
  const known = facts.alignableOf(fold.entry)
  const of = known?.pattern.calls.length
  if (fold.taken) return { ...fold, ...(of === undefined ? {} : { of }), causes: [facts.takenCause(fold.anchors[0]!)] }
  if (fold.mismatch === null) {
    const attempt = facts.pass.attempts.find(
      (a) => a.entry === fold.entry && a.node === fold.anchors[0] && a.phase === fold.phase && a.dropped !== undefined,
    )
    if (attempt)
      return {
        ...fold,
        ...(of === undefined ? {} : { score: of, of }),
        ...(known && anchor && isUnshaped(fold) ? { differing: differing(known, anchor, facts) } : {}),
        causes: rankCauses([
          droppedCause(attempt, facts.titleOf(fold.entry), facts.index, facts.pass.schemaOf),
          ...(known && anchor && fold.dropReason?.kind === 'retrace-raised' ? symbolic(known, anchor, facts) : []),
        ]),
      }
  }
  if (!known || !anchor) return { ...fold, causes: [firstMismatch(fold)] }
  const output = known.pattern.outputs[0]!
  const best = fold.anchors
    .slice(0, 8)
    .map((name) => facts.index.byName.get(name) ?? anchor)
    .reduce((a, b) => (known.aligner.value(output, b) > known.aligner.value(output, a) ? b : a), anchor)
  const alignment = retracing.at(fold.entry, known, output, best)
  const causes = alignment.causes.length > 0 ? alignment.causes : [firstMismatch(fold)]
  // An attempt ends at its first mismatch; the fold also includes what aligns beyond it.
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

/** Number of constants that differ between the graph and the trace of the example inputs; some may be sizes. */
function differing({ pattern }: AlignablePattern, anchor: Node, facts: PassIndex): number {
  const exact = new Aligner(pattern, { schemaOf: facts.pass.schemaOf, stage: 'specific', index: facts.index })
  return exact.align(pattern.outputs[0]!, anchor).causes.length
}

/**
 * Sizes that are literals in the pattern and symbols in the graph; reported only where no re-trace gives a better
 * cause.
 */
function symbolic({ pattern }: AlignablePattern, anchor: Node, facts: PassIndex): Cause[] {
  const exact = new Aligner(pattern, { schemaOf: facts.pass.schemaOf, stage: 'specific', index: facts.index })
  return exact.align(pattern.outputs[0]!, anchor).causes.filter((c) => c.kind === 'symbolic-shape')
}

/** Explains one pattern at one pinned node ("this should match here"). */
function pairOf(entry: number, name: string, facts: PassIndex, retracing: Retracing): NearMissFold | null {
  const node = facts.index.byName.get(name)
  const view = facts.pass.entries[entry]
  if (!node || !view) return null
  const attempts = facts.pass.attempts.filter((a) => a.entry === entry && a.node === name)
  const last = attempts.at(-1)
  const base = {
    entry,
    phase: last?.phase ?? ('initial' as const),
    count: 1,
    anchors: [name],
    mismatch: last?.mismatch ?? null,
    reason: last?.dropped ?? last?.reason ?? '',
    taken: false,
  }
  const done = (fold: Pick<NearMissFold, 'aligned' | 'score' | 'of' | 'causes'>): NearMissFold =>
    withAlignedMessage({ ...base, ...NO_MESSAGE, ...fold })
  const matcherText = (): Cause =>
    firstMismatch(base, {
      kind: 'matcher-text',
      node: name,
      mismatch: base.mismatch,
      text: base.reason.slice(0, 200),
    })
  const known = facts.alignableOf(entry)
  const best = known && bestAt(node, known.pattern.outputs, (output) => retracing.at(entry, known, output, node))
  const reported: Cause[] = []
  const by = facts.takenBy.get(name)
  if (by && by.entry !== entry) reported.push(facts.takenCause(name))
  if (last?.dropped !== undefined)
    reported.push(droppedCause(last, facts.titleOf(entry), facts.index, facts.pass.schemaOf))
  const never = neverMatches(view, facts)
  if (never) reported.push(never)
  if (!known || !best) {
    if (last && !last.ok && reported.length === 0) reported.push(matcherText())
    if (!last && reported.length === 0) reported.push(otherRoot(view, node))
    return done({ aligned: [...(last?.nodes ?? last?.reached ?? [])], causes: reported })
  }
  const causes = rankCauses([...reported, ...best.causes])
  if (causes.length === 0 && last && !last.ok) causes.push(matcherText())
  return done({
    aligned: [...best.pairs.values()].map((g) => g.name),
    score: best.score,
    of: best.of,
    causes,
  })
}

/** Explains a hand-written pattern that was never tried at the node. */
function otherRoot({ keys }: EntryView, node: Node): Cause {
  const targets = keys.map((key) => key.slice(key.indexOf(':') + 1))
  return makeCause({
    reason: {
      kind: 'not-tried-at',
      node: node.name,
      roots: targets,
      found: node.op === 'call_function' ? { operator: node.target } : { op: node.op },
    },
    graph: node,
    expected: listed(targets),
    found: node.op === 'call_function' ? node.target : node.op,
  })
}

/** The alignment that starts at the output that fits the node best; the first output if none fits. */
function bestAt(node: Node, outputs: readonly Node[], at: (output: Node) => Alignment): Alignment | null {
  let best: Alignment | null = null
  for (const output of outputs) {
    const found = at(output)
    if (!best || found.score > best.score) best = found
  }
  return best
}
