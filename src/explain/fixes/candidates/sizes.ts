/** Candidates that read literal sizes from a tensor's shape instead. */
import { Node, type Arg } from '../../../fx'
import type { PatternSite } from '../pattern_site'
import { listField, within } from '../syntax'
import { ONE_GRAPH, SizeWriter } from './size_code'
import { brief, replaced, type Candidate, type MakeCandidates } from './types'
import { catalogSchema } from '../../../ops/schema'

/** True for `view`, `expand` and other methods that take sizes as a list after a tensor. */
const isSized = (target: string): boolean => /^(?:size|shape)$/.test(catalogSchema(target)?.args[1]?.name ?? '')

/**
 * Replaces literal sizes with sizes read from tensors, so that the pattern also fits other shapes than its examples': first in all
 * calls at once, because a single literal makes the re-trace fail, then in one call at a time.
 */
export const literalSizes: MakeCandidates = ({ site }) => {
  const each = (site.pattern?.nodes ?? []).flatMap((p): Candidate[] => {
    const made = isSized(p.target) ? sizesAt(site, p) : null
    return made ? [made] : []
  })
  const changes = each.flatMap((c) => c.changes)
  const note = each.some((c) => c.title.endsWith(ONE_GRAPH)) ? ONE_GRAPH : ''
  const all: Candidate[] =
    each.length > 1 ? [{ title: `Read the sizes of ${each.length} calls from the inputs' shapes${note}`, changes }] : []
  return [...all, ...each]
}

function sizesAt(site: PatternSite, p: Node): Candidate | null {
  const e = site.expression(p)
  const g = site.partner(p)
  const of = g instanceof Node ? g.inputs()[0] : undefined
  const val = of?.meta.val
  const sizes = g instanceof Node ? g.args[1] : undefined
  if (!(g instanceof Node) || e?.node.type !== 'Call' || val?.kind !== 'tensor' || !Array.isArray(sizes)) return null
  const lists = [...within(e.node)].filter((n) => n.type === 'List' || n.type === 'Tuple')
  const list = lists.find((n) => listField(n, 'elts').length === sizes.length)
  const written = list ? listField(list, 'elts') : listField(e.node, 'args').slice(-sizes.length)
  if (written.length !== sizes.length) return null
  const source = p.inputs()[0]
  const base = source && (site.variableOf(source) ?? site.textOf(source, e))
  const own = base && /^\w+$/.test(base) ? [{ text: base, shape: val.shape }] : []
  const writer = SizeWriter.at(site, e, own)
  const code = (sizes as readonly Arg[]).map((size, i) => writer.code(size, g, i))
  if (code.includes(null)) return null
  const changed = written.flatMap((node, i) => (e.file.source(node) === code[i] ? [] : [{ node, text: code[i]! }]))
  if (changed.length === 0) return null
  const note = changed.some(({ text }) => /^\d+$/.test(text) && text !== '1') ? ONE_GRAPH : ''
  return {
    title: `Write the sizes in ${brief(e.file.source(e.node), 30)} as ${brief(code.join(', '))}${note}`,
    changes: changed.map(({ node, text }) => replaced({ ...e, node }, text)),
  }
}
