/** Candidates that read literal sizes from a tensor's shape instead. */
import { Node, type Arg } from '../../../fx'
import { listField, within } from '../syntax'
import { argumentExpressions, constantsIn } from './constant_sites'
import { brief, replaced, type Candidate, type MakeCandidates } from './types'

/** Replaces a literal size, where the graph has a symbol, with a size of the argument that has it. */
export const symbolicSize: MakeCandidates = ({ cause, site, pattern, graph }) => {
  if (!pattern || !graph || !site.alignment) return []
  const size = graph.meta.val?.kind === 'scalar' ? graph.meta.val.value : null
  const expr = size !== null && typeof size === 'object' ? size.expr : null
  const sites: string[] = []
  for (const [name, bound] of site.alignment.bound) {
    const val = bound instanceof Node ? bound.meta.val : undefined
    if (val?.kind !== 'tensor') continue
    val.shape.forEach((d, i) => {
      if (expr !== null && d === expr) sites.push(`${name}.shape[${i}]`)
      if (graph.inputs()[0] === bound && BigInt(i) === graph.args[1]) sites.unshift(`${name}.shape[${i}]`)
    })
  }
  const e = site.expression(pattern)
  if (!e) return []
  const from = argumentExpressions(e, cause.argument ?? '')
  const same = constantsIn(e, cause.expected ?? '')
  return sites.slice(0, 3).flatMap((text) =>
    [...from, ...same].slice(0, 3).map((at) => ({
      title: `Replace the literal size ${brief(at.file.source(at.node), 24)} with ${text}`,
      changes: [replaced(at, text)],
    })),
  )
}

/**
 * Replaces literal sizes with sizes read from the tensor, so that the pattern also fits shapes other than its
 * examples'.
 */
export const literalSizes: MakeCandidates = ({ site }) =>
  (site.pattern?.nodes ?? []).flatMap((p): Candidate[] => {
    if (!/^aten\.(view|reshape|_unsafe_view|expand)\./.test(p.target)) return []
    const e = site.expression(p)
    const g = site.partner(p)
    const of = g instanceof Node ? g.inputs()[0] : undefined
    const val = of?.meta.val
    const sizes = g instanceof Node ? g.args[1] : undefined
    if (e?.node.type !== 'Call' || val?.kind !== 'tensor' || !Array.isArray(sizes)) return []
    const lists = [...within(e.node)].filter((n) => n.type === 'List' || n.type === 'Tuple')
    const list = lists.find((n) => listField(n, 'elts').length === sizes.length)
    const written = list ? listField(list, 'elts') : listField(e.node, 'args').slice(-sizes.length)
    if (written.length !== sizes.length) return []
    const source = p.inputs()[0]
    const base = source && (site.variableOf(source) ?? site.textOf(source, e))
    if (!base) return []
    const code = (sizes as readonly Arg[]).map((size, i) => {
      const scalar = size instanceof Node && size.meta.val?.kind === 'scalar' ? size.meta.val.value : null
      const symbol = typeof scalar === 'object' && scalar !== null ? scalar.expr : null
      if (typeof size !== 'bigint' && symbol === null) return null
      const wanted = symbol ?? Number(size)
      const at = wanted === 1 ? undefined : [i, ...val.shape.keys()].find((d) => val.shape[d] === wanted)
      if (at === undefined) return typeof size === 'bigint' ? size.toString() : null
      return `${base}.shape[${at}]`
    })
    if (code.includes(null)) return []
    return [
      {
        title: `Read the sizes in ${brief(e.file.source(e.node), 30)} from ${brief(base, 20)}`,
        changes: written.map((n, i) => replaced({ ...e, node: n }, code[i]!)),
      },
    ]
  })
