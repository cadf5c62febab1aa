/** Candidates that insert or remove operators that only one side has between two others. */
import { Node, type Arg } from '../../../fx'
import { packetOf, passesThrough, tallied } from '../../reasons/operators'
import { callCode } from '../code'
import type { Expression, PatternSite } from '../pattern_site'
import { functionAround, textField, within } from '../syntax'
import { operandsOf } from './calls'
import { freshName } from './inlined'
import { brief, replaced, type Candidate, type MakeCandidates } from './types'

/** Inserts the graph's extra operators into the pattern, at the value's definition or at one of its uses. */
export const insertCalls: MakeCandidates = ({ site, pattern, graph }) => {
  const { search } = site
  if (!pattern || !graph || !search) return []
  const chain = chainTo(graph, site.partner(pattern))
  if (chain.length === 0) return []
  const title = `Add ${brief(addedOf(chain))} to the pattern`
  const out: Candidate[] = []
  const add = (e: Expression, base: string, named: boolean): void => {
    for (const shaped of [false, true]) {
      const code = wrapped(site, chain, e, { base, variable: named ? base : freshName(search, 'value'), shaped, named })
      if (code !== null && !out.some((c) => c.changes[0]!.text === code))
        out.push({ title: `${title} ${site.at(e)}`, changes: [replaced(e, code)] })
    }
  }
  const values = pattern.op === 'placeholder' ? [] : site.values(pattern)
  for (const own of values) add(own, own.file.source(own.node), false)
  const name = site.variableOf(pattern)
  if (name !== null && (values.length === 0 || functionAround(values[0]!.node) === search.node)) {
    const uses = [...within(search.node)].filter(
      (n) => n.type === 'Name' && textField(n, 'id') === name && textField(n, 'ctx') === 'Load',
    )
    if (uses.length > 1 || values.length === 0)
      for (const node of uses.slice(0, 4)) add({ file: search.file, node }, name, true)
  }
  return out.slice(0, 8)
}

/** The operators that a chain adds, in graph order. */
export const addedOf = (chain: readonly Node[]): string => tallied([...chain].reverse().map((n) => n.target))

/** The graph's nodes from `top` down to the pattern's node, outermost first. */
export function chainTo(top: Node, to: Arg | undefined): Node[] {
  const search = (node: Node, depth: number): Node[] | null => {
    if (node === to) return []
    if (depth === 0) return null
    for (const input of node.inputs()) {
      const rest = search(input, depth - 1)
      if (rest) return [node, ...rest]
    }
    return null
  }
  const found = search(top, 6)
  if (found && found.length > 0) return found
  const through: Node[] = []
  for (let n: Node | undefined = top; n && passesThrough(n) && through.length < 3; n = n.inputs()[0]) through.push(n)
  return through
}

interface Wrapping {
  /** Code of the wrapped value. */
  base: string
  /** Variable that holds the value. */
  variable: string
  /** True to express the sizes of a view in terms of the value's shape. */
  shaped: boolean
  /** True if `base` is the variable itself. */
  named: boolean
}

/** Code of the expression wrapped in the chain's calls; null if it cannot be written. */
function wrapped(
  site: PatternSite,
  chain: readonly Node[],
  e: Expression,
  { base, variable, shaped, named }: Wrapping,
): string | null {
  let text = base
  let below: Node | null = null
  for (const node of [...chain].reverse()) {
    const under: Node | undefined = below ?? node.inputs().find((n) => !chain.includes(n))
    const nodeText = (g: Node): string | null => {
      if (g === under) return text
      for (const p of site.patternNodesFor(g)) {
        const known = site.textOf(p, e)
        if (known !== null) return known
      }
      return null
    }
    let code = callCode(node, nodeText)
    if (shaped) {
      const sizes: string | null = below === null ? sizesOf(node, under, variable) : null
      if (sizes === null) return null
      const holder: string = named ? base : `(${variable} := ${text})`
      code = `torch.ops.${node.target}(${holder}, ${sizes})`
    }
    if (code === null) return null
    text = code
    below = node
    if (shaped && chain.length > 1) return null
  }
  return text
}

/** Expresses the sizes of a view in terms of its input's shape: literal sizes fit one shape only. */
function sizesOf(node: Node, of: Node | undefined, variable: string): string | null {
  if (!/^aten\.(view|reshape|_unsafe_view|expand)$/.test(packetOf(node.target))) return null
  const sizes = node.args[1]
  const val = of?.meta.val
  if (!Array.isArray(sizes) || val?.kind !== 'tensor') return null
  const from = val.shape
  const texts = (sizes as readonly Arg[]).map((size, i) => {
    if (typeof size !== 'bigint') return null
    if (size < 0n) return size.toString()
    const at = from[i] === Number(size) ? i : from.indexOf(Number(size))
    return at >= 0 && size !== 1n ? `${variable}.shape[${at}]` : size.toString()
  })
  return texts.includes(null) ? null : `[${texts.join(', ')}]`
}

/** Removes a call from the pattern; one of its operands replaces it. */
export const dropCall: MakeCandidates = ({ site, pattern }) => {
  if (!pattern) return []
  const e = site.expression(pattern)
  if (!e) return []
  return operandsOf(e)
    .filter((n) => n.from >= 0 && !['Constant', 'List', 'Tuple', 'UnaryOp'].includes(n.type))
    .slice(0, 2)
    .map((n) => ({
      title: `Leave out ${pattern.target} ${site.at(e)}`,
      changes: [
        { file: e.file.name, from: e.node.from, to: n.from, text: '(' },
        { file: e.file.name, from: n.to, to: e.node.to, text: ')' },
      ],
    }))
}
