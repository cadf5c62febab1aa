/** Causes of patterns that cannot match at any anchor of the graph. */
import { targetToText, type Node, isGetitem, operatorOf, packetOf } from '../../fx'
import type { EntryView } from '../../matcher/registry'
import { makeCause, withReason, type Cause, type CauseParts } from '../causes'
import type { PassIndex } from '../pass_index'
import { listed } from '../../base/english'
import { closeOperator } from './close_operator'
import { isNative } from './native'
import { isComposite, keyOf, mayDecompose } from './operators'
import { coneOf } from '../align/pattern_graph'
import { decomposedPattern, decomposition } from './decompositions'
import { byInductor } from './inductor_decomposition'
import { producerOf } from './node_terms'

/**
 * An output that shares no computation with earlier outputs can never be found: PyTorch searches along shared nodes.
 */
export function neverMatches(entry: EntryView, facts: PassIndex): Cause | null {
  const known = facts.alignableOf(entry.index)
  // SubgraphMatcher searches for each output separately.
  if (!known || known.pattern.subgraph) return null
  const [first, ...others] = known.pattern.outputs
  if (!first) return null
  const reached = new Set(coneOf(first))
  for (const output of others) {
    const cone = coneOf(output)
    if (!cone.some((n) => reached.has(n)))
      return makeCause(
        {
          pattern: output,
          entry: entry.index,
          reason: {
            kind: 'unrelated-outputs',
            pattern: facts.titleOf(entry.index),
            operator: operatorOf(output),
          },
          expected: 'outputs that share a value',
          found: `output ${known.pattern.outputs.indexOf(output)} shares none`,
        },
        (p) => known.pattern.indexOf(p),
      )
    cone.forEach((n) => reached.add(n))
  }
  return null
}

/** The pattern starts at an operator that is not in the graph. @param other the same operator, if the graph has it in another form */
export function rootAbsent(entry: EntryView, facts: PassIndex, other: Cause | null = null): Cause | null {
  const known = facts.alignableOf(entry.index)
  const output = known?.pattern.outputs[0]
  if (!known || !output) {
    const targets = entry.keys.map((key) => key.slice(key.indexOf(':') + 1))
    const there = [...facts.index.targets].some((t) =>
      targets.includes(targetToText(t).replace(/^operator\./, '_operator.')),
    )
    if (there) return null
    return makeCause({
      entry: entry.index,
      reason: {
        kind: 'root-absent',
        pattern: facts.titleOf(entry.index),
        roots: targets,
        others: 0,
        ...closeTo(targets[0], facts),
      },
      expected: listed(targets),
      found: 'no such node',
    })
  }
  const root = isGetitem(output) ? (output.inputs()[0] ?? output) : output
  if (facts.index.of(keyOf(root)).length > 0) return null
  if (other) return other
  const whole = writtenOut(root, facts) ?? inParts(root, facts) ?? byInductor(root, facts)
  if (whole) return makeCause({ ...whole, entry: entry.index }, (p) => known.pattern.indexOf(p))
  return makeCause(
    {
      pattern: root,
      entry: entry.index,
      reason: {
        kind: 'root-absent',
        pattern: facts.titleOf(entry.index),
        roots: [operatorOf(root)],
        others: 0,
        ...closeTo(operatorOf(root), facts),
        ...(known.pattern.calls.some((n) => n.op === 'get_attr') && { constant: true as const }),
        ...undeclared(root, facts),
      },
      expected: operatorOf(root),
      found: 'no such node',
    },
    (p) => known.pattern.indexOf(p),
  )
}

/** The declaration that an operator needs in PyTorch; in the graph, whatever recorded it has declared it. */
function undeclared(root: Node, { pass }: PassIndex): { undeclared?: string } {
  const guess = pass.guesses?.().get(root.target)
  return guess ? { undeclared: guess.declaration } : {}
}

function closeTo(root: string | undefined, { index }: PassIndex): { close?: string } {
  const close = root === undefined ? null : closeOperator(root, index.targets)
  return close === null ? {} : { close }
}

/** The graph has one operator for the whole pattern. */
function writtenOut(root: Node, { index }: PassIndex): CauseParts | null {
  for (const target of index.targets) {
    const node = isComposite(target) ? index.of(packetOf(target))[0] : undefined
    const cause = node && decomposedPattern(root, node)
    if (cause) return cause
  }
  return null
}

/** The graph has the operators that make up the pattern's custom operator. */
function inParts(root: Node, { pass }: PassIndex): CauseParts | null {
  if (root.op !== 'call_function' || isNative(operatorOf(root))) return null
  const nodes = [...pass.graph.nodes()]
  if (!mayDecompose(producerOf(root), nodes)) return null
  for (const node of nodes) {
    const cause = decomposition(root, node)
    if (cause) return cause
  }
  return null
}

/** Merges variants of one pattern that start at the same operator into the first of them, with a count. */
export function foldAbsent(causes: readonly Cause[]): Cause[] {
  const byRoot = new Map<string | null, Cause[]>()
  for (const c of causes) byRoot.set(c.expected, [...(byRoot.get(c.expected) ?? []), c])
  return [...byRoot.values()].map(([first, ...rest]) =>
    first!.reason.kind === 'root-absent' && rest.length > 0
      ? withReason(first!, { ...first!.reason, others: rest.length })
      : first!,
  )
}
