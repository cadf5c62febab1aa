/** Rewrites a whole search function as the graph computes it, where the same value is computed in another way. */
import type { Node } from '../../../fx'
import { keyOf } from '../../reasons/operators'
import type { Change } from '../change'
import type { Fn, PatternSite } from '../pattern_site'
import { ONE_GRAPH } from '../candidates/size_code'
import { withExamples } from '../candidates/other_examples'
import type { Candidate } from '../candidates/types'
import { textField } from '../syntax'
import { bodyOf, statementsOf } from './body'
import { regionsFor } from './regions'

/** Maximum number of outputs of a pattern. */
const MAX_OUTPUTS = 4
/** Maximum number of graph nodes to try as the root that the pattern's operator is absent for. */
const MAX_ROOTS = 3

/** Candidates for all of the search function. */
export function asComputed(site: PatternSite): Candidate[] {
  const { search, replace } = site
  if (!search || search.node === replace?.node || !statementsOf(search)) return []
  const made: Candidate[] = []
  for (const outputs of outputsAt(site))
    for (const region of regionsFor(site, outputs))
      for (const scalars of [true, false]) {
        const body = bodyOf(site, search, region, scalars)
        const changes = body && [replacedBody(search, body.lines)]
        if (!changes || made.some((m) => m.changes[0]!.text === changes[0]!.text)) continue
        const title = `Write ${textField(search.node, 'name') ?? 'the pattern'} as the graph computes it`
        made.push({ title: title + (body.oneGraph ? ONE_GRAPH : ''), changes })
      }
  return withExamples(site, made)
}

/** The graph nodes that may stand in the places of the pattern's outputs. */
function outputsAt(site: PatternSite): Node[][] {
  const { pattern, alignment, miss, index } = site
  if (!pattern || pattern.outputs.length > MAX_OUTPUTS) return []
  if (!miss) return pattern.outputs.length === 1 ? usersOfParts(site, pattern.outputs[0]!).map((n) => [n]) : []
  const anchor = index.byName.get(miss.anchors[0] ?? '')
  const found = pattern.outputs.map((o, i) => alignment?.pairs.get(o) ?? (i === 0 ? anchor : undefined))
  if (!found.every((n) => n !== undefined) || new Set(found).size !== found.length) return []
  // The pattern's root may run earlier in the graph: as a scale of an operand and not of the product.
  const later = found.length === 1 ? [...found[0]!.users].filter((n) => n.op === 'call_function').slice(0, 1) : []
  return [found as Node[], ...later.map((n) => [n])]
}

/** Users of graph nodes that run the operator of one of the root's operands. */
function usersOfParts({ index }: PatternSite, root: Node): Node[] {
  const parts = root.inputs().filter((n) => n.op === 'call_function')
  const users = parts.flatMap((p) => index.of(keyOf(p))).flatMap((n) => [...n.users])
  return [...new Set(users)].filter((n) => n.op === 'call_function').slice(0, MAX_ROOTS)
}

function replacedBody(fn: Fn, lines: readonly string[]): Change {
  const { from, to } = statementsOf(fn)!
  const start = fn.file.text.lastIndexOf('\n', from) + 1
  const indent = fn.file.text.slice(start, from)
  return { file: fn.file.name, from, to, text: lines.join(`\n${indent}`) }
}
