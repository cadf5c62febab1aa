/** Candidates that insert or remove operators that only one side has between two other operators. */
import { Node, type Arg } from '../../../fx'
import { passesThrough, tallied } from '../../reasons/operators'
import { callCode } from '../code'
import type { Expression, PatternSite } from '../pattern_site'
import type { Change } from '../change'
import { functionAround, listField, textField, type SyntaxNode, namesIn } from '../syntax'
import { operandsOf } from './calls'
import { freshName } from './inlined'
import { NewParameters, parameterNote } from './new_parameters'
import { ONE_GRAPH, SizeWriter } from './size_code'
import { brief, placed, type Candidate, type MakeCandidates } from './types'

/** Inserts the graph's extra operators into the pattern, at the value's definition or at one of its uses. */
export const insertCalls: MakeCandidates = ({ site, pattern, graph }) => {
  const { search } = site
  if (!pattern || !graph || !search) return []
  const chain = chainTo(graph, site.partner(pattern))
  if (chain.length === 0) return []
  const title = `Add ${brief(addedOf(chain))} to the pattern`
  const out: Candidate[] = []
  const add = (e: Expression, base: string, named: boolean): void => {
    const variable = named ? base : freshName(search, 'value')
    const plain = wrapped(site, chain, e, { base, variable: named ? base : null })
    // If a value has no name, its sizes are read through a name that the change introduces.
    const shaped =
      plain?.oneGraph && !named ? wrapped(site, chain, e, { base: `(${variable} := ${base})`, variable }) : null
    const code = shaped && !shaped.oneGraph ? shaped : plain
    if (code === null || out.some((c) => c.changes[0]!.text === code.text)) return
    const note = code.oneGraph ? ONE_GRAPH : ''
    const { added } = code
    out.push({
      title: `${title}${parameterNote(added.used)} ${site.at(e)}${note}`,
      changes: [placed(e, code.text), ...added.changes()],
    })
  }
  const values = pattern.op === 'placeholder' ? [] : site.values(pattern)
  for (const own of values) add(own, own.file.source(own.node), false)
  const name = site.variableOf(pattern)
  if (name !== null && (values.length === 0 || functionAround(values[0]!.node) === search.node)) {
    const uses = namesIn(search.node, name, 'Load')
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
  /** Code of the value that the chain wraps. */
  base: string
  /** Variable that has the value, if one has. */
  variable: string | null
}

/** Code of the expression with the chain's calls around it; null if it cannot be written. */
function wrapped(
  site: PatternSite,
  chain: readonly Node[],
  e: Expression,
  { base, variable }: Wrapping,
): { text: string; oneGraph: boolean; added: NewParameters } | null {
  const first = chain
    .at(-1)
    ?.inputs()
    .find((n) => !chain.includes(n))
  const val = first?.meta.val
  const own = variable !== null && val?.kind === 'tensor' ? [{ text: variable, shape: val.shape }] : []
  const sizes = SizeWriter.at(site, e, own)
  const added = new NewParameters(site, e)
  let text = base
  let below: Node | null = null
  for (const node of [...chain].reverse()) {
    const under: Node | undefined = below ?? first
    const nodeText = (g: Node): string | null => {
      if (g === under) return text
      for (const p of site.patternNodesFor(g)) {
        const known = site.textOf(p, e)
        if (known !== null) return known
      }
      return added.nameOf(g)
    }
    const code = callCode(node, nodeText, sizes.argumentsOf(node))
    if (code === null) return null
    text = code
    below = node
  }
  return { text, oneGraph: sizes.literal, added }
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
      changes: [withoutAssignment(e, n) ?? placed(e, e.file.source(n))],
    }))
}

/** Deletes the line `c = c.unsqueeze(1)`, which would become `c = c`; null for any other statement. */
function withoutAssignment({ file, node }: Expression, kept: SyntaxNode): Change | null {
  const { parent } = node
  const [target, ...more] = parent?.type === 'Assign' ? listField(parent, 'targets') : []
  if (!parent || target?.type !== 'Name' || more.length > 0 || kept.type !== 'Name') return null
  if (textField(target, 'id') !== textField(kept, 'id')) return null
  const from = file.text.lastIndexOf('\n', parent.from) + 1
  const end = file.text.indexOf('\n', parent.to)
  const line = end < 0 ? '' : file.text.slice(from, end)
  return line.trim() === file.source(parent) ? { file: file.name, from, to: end + 1, text: '' } : null
}
