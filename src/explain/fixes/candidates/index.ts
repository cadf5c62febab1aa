/** Generates candidate changes for each kind of cause, most likely first. */
import { Node } from '../../../fx'
import type { Cause, CauseKind } from '../../causes'
import { asComputed } from '../as_graph/candidates'
import { handlerCandidates } from '../handlers/edits'
import { atenForms, otherForm } from '../subgraph/forms'
import type { PatternSite } from '../pattern_site'
import { defaultArgument, dropArgument, transposedArgument } from './arguments'
import { bufferArgument, permutedBuffer } from '../buffers/buffers'
import { asInGraph, otherItem, otherOperator, swappedOperands } from './calls'
import { keepConnected } from './connected_outputs'
import { otherFactory } from '../buffers/factories'
import { keyword, keywordOrder } from './keyword_arguments'
import { constant, tensorConstant, tensorForLiteral } from './literals'
import { dropOutput, returnIntermediate } from './outputs'
import { patternAsGraph, patternInsert, patternSwap, type PatternCandidate } from './pattern_edits'
import { dropParameter, notExclusive, newParameter, oneArgument, ownExample, ownParameter } from './signature'
import { otherExamples, reshapedExample, withExamples } from './other_examples'
import { withoutOut } from './replacement'
import { siblingValue } from './siblings'
import { ONE_GRAPH } from './size_code'
import { literalSizes } from './sizes'
import type { Candidate, MakeCandidates, CauseSite } from './types'
import { dropCall, insertCalls } from './wrap'

const inserted: MakeCandidates = (wrong) => withExamples(wrong.site, insertCalls(wrong))
const rewritten: MakeCandidates = (wrong) => withExamples(wrong.site, asInGraph(wrong))

/**
 * Code that contains this graph's sizes comes after an argument that fits every graph. If the graph computes the buffer's strides,
 * an argument also comes before code that computes them, because the next layout has different strides.
 */
const remade: MakeCandidates = (wrong) => {
  const made = asInGraph(wrong)
  const ofOneGraph = (c: Candidate): boolean => c.title.endsWith(ONE_GRAPH)
  const computed = wrong.graph?.args[1]
  const strides = Array.isArray(computed) && computed.some((a) => a instanceof Node)
  return [
    ...made.filter((c) => !ofOneGraph(c)),
    ...(strides ? [] : otherFactory(wrong)),
    ...bufferArgument(wrong),
    ...(strides ? otherFactory(wrong) : []),
    ...made.filter(ofOneGraph),
  ]
}

const MAKERS: Readonly<Partial<Record<CauseKind, readonly MakeCandidates[]>>> = {
  constant: [tensorConstant, tensorForLiteral, newParameter, siblingValue, constant, defaultArgument, asInGraph],
  'symbolic-shape': [literalSizes, asInGraph],
  'kwarg-order': [keywordOrder, asInGraph],
  'kwarg-missing': [keyword, constant, asInGraph],
  'kwarg-extra': [keyword, constant, asInGraph],
  arity: [keyword, constant, newParameter, asInGraph],
  structure: [keepConnected, asInGraph, dropOutput],
  'operand-order': [swappedOperands, asInGraph],
  'graph-level': [atenForms],
  'wrong-operator': [otherForm, reshapedExample, otherOperator, rewritten, inserted],
  'wrong-overload': [asInGraph],
  'getitem-index': [otherItem, asInGraph],
  functionalization: [asInGraph],
  decomposed: [asInGraph],
  factory: [remade],
  'retrace-error': [literalSizes],
  'inserted-node': [permutedBuffer, inserted],
  'missing-node': [dropArgument, transposedArgument, dropCall],
  'escaping-intermediate': [returnIntermediate],
  'output-unused': [dropOutput],
  'repeated-argument': [oneArgument, ownExample, ownParameter, asInGraph],
  'kwarg-conflict': [ownParameter],
  'exclusive-argument': [notExclusive],
  'example-inputs': [otherExamples],
  'unused-argument': [dropParameter],
  'replacement-error': [withoutOut],
  'root-absent': [({ site }) => asComputed(site)],
}

/** Kinds about one node, whose counterpart in the traced pattern can be made equal to it. */
const OF_ONE_NODE: ReadonlySet<CauseKind> = new Set<CauseKind>([
  'constant',
  'kwarg-order',
  'kwarg-missing',
  'kwarg-extra',
  'arity',
  'structure',
  'wrong-operator',
  'wrong-overload',
  'getitem-index',
  'factory',
  'functionalization',
])

/** Maximum number of candidates per cause. */
const MAX_CANDIDATES = 8

export function candidatesFor(cause: Cause, site: PatternSite): Candidate[] {
  const wrong = wrongOf(cause, site)
  if ('handler' in site.entry.registration) return handlerCandidates(wrong).slice(0, MAX_CANDIDATES)
  return (MAKERS[cause.kind] ?? []).flatMap((make) => make(wrong)).slice(0, MAX_CANDIDATES)
}

export function patternCandidatesFor(cause: Cause, site: PatternSite): PatternCandidate[] {
  // A changed trace is tried by registering again, which is impossible for replace_pattern.
  if ('subgraph' in site.entry.registration) return []
  const wrong = wrongOf(cause, site)
  if (cause.kind === 'operand-order') return patternSwap(wrong)
  const made =
    cause.kind === 'inserted-node' ? patternInsert(wrong) : OF_ONE_NODE.has(cause.kind) ? patternAsGraph(wrong) : []
  return made.slice(0, MAX_CANDIDATES)
}

const wrongOf = (cause: Cause, site: PatternSite): CauseSite => ({
  cause,
  site,
  pattern: site.patternNode(cause.patternNode),
  graph: cause.graphNode === null ? null : (site.index.byName.get(cause.graphNode) ?? null),
})
