/** Candidates that change the literal behind a constant, or else the argument itself. */
import { Node, type Arg, isKind } from '../../../fx'
import type { Cause } from '../../causes'
import { valueCode } from '../code'
import type { Expression, PatternSite } from '../pattern_site'
import { constantRepr, functionAround, listField, within } from '../syntax'
import { constantSites, constantsIn } from './constant_sites'
import { NewParameters } from './new_parameters'
import { isSize, ONE_GRAPH, parameterShapes, SizeWriter } from './size_code'
import { brief, replaced, type Candidate, type MakeCandidates } from './types'

/** Maximum number of sites to try per constant. */
const MAX_CONSTANT_SITES = 6

export const constant: MakeCandidates = ({ cause, site, pattern, graph }) => {
  const wanted = pattern && wantedConstant(cause, graph)
  if (!wanted) return []
  const { expected } = wanted
  return constantSites(site, pattern, cause, expected)
    .slice(0, MAX_CONSTANT_SITES)
    .map((e): Candidate => {
      const old = e.file.source(e.node)
      const { text, note } = codeAt(site, e, cause, graph) ?? { text: wanted.text, note: '' }
      const title = `Change ${brief(old, 30)} to ${brief(text, 30)} ${site.at(e)}${note}`
      const there = inReplacement(site, e)
      if (there.length === 1) {
        const theirs = codeAt(site, there[0]!, cause, graph)?.text ?? wanted.text
        return {
          title: `${title}, in pattern and replacement`,
          changes: [replaced(e, text), replaced(there[0]!, theirs)],
        }
      }
      const kept = there.length > 0 ? `; the replacement also has ${old} and keeps it` : ''
      return { title: title + kept, changes: [replaced(e, text)] }
    })
}

/** The code of a size, read from a shape if the tensor is available at that place; null for another kind of constant. */
function codeAt(
  site: PatternSite,
  e: Expression,
  { argument }: Cause,
  graph: Node | null,
): { text: string; note: string } | null {
  const path = pathOf(argument ?? '')
  const value = graph && argumentAt(graph, argument ?? '')
  if (!path || !graph || value === null || value === undefined || !isSize(site, graph, path.root)) return null
  const around = functionAround(e.node)
  const fn = [site.search, site.replace].find((f) => f !== null && f.node === around) ?? null
  const sizes = new SizeWriter(site, parameterShapes(site, fn))
  const text = sizes.code(value, graph, path.indices[0] ?? null)
  return text === null ? null : { text, note: sizes.literal ? ONE_GRAPH : '' }
}

/** Values too common in code to identify one constant. */
const COMMON = new Set(['0', '1', '2', '-1', 'None', 'True', 'False'])

/** The same constant in the replacement, if only the pattern uses it. */
function inReplacement({ search, replace }: PatternSite, e: Expression): Expression[] {
  const value = constantRepr(e.node)
  if (!search || !replace || search.node === replace.node || value === null || COMMON.has(value)) return []
  return [...within(search.node)].includes(e.node) ? constantsIn(replace, value) : []
}

/** The graph's constant as code, and the pattern's constant as Python prints it. */
export function wantedConstant(cause: Cause, graph: Node | null): { text: string; expected: string } | null {
  const value = graph && argumentAt(graph, cause.argument ?? '')
  const plain = (cause.found ?? '').replace(/^\w+=/, '').replace(/, by default$/, '')
  const text =
    value === undefined || value === null || value instanceof Node || Array.isArray(value) !== plain.startsWith('[')
      ? literalText(plain)
      : (valueCode(value, () => null) ?? literalText(plain))
  const expected = (cause.expected ?? '').replace(/^\w+=/, '').replace(/, by default$/, '')
  return text === null ? null : { text, expected }
}

const literalText = (found: string): string | null =>
  /^(True|False|None|-?[\d.]+(e[+-]?\d+)?|'[^']*'|\[[-\d., e]*\]|\([-\d., e]*\)|torch\.\w+)$/.test(found) ? found : null

/** The value at a path such as `group_size`, `1`, `0[2]`. */
function argumentAt(node: Node, path: string): Arg | undefined {
  const parts = pathOf(path)
  if (!parts) return undefined
  const { root, indices } = parts
  let at: Arg | undefined = typeof root === 'number' ? node.args[root] : node.kwargs.get(root)
  for (const i of indices) {
    const items: readonly Arg[] | null = Array.isArray(at)
      ? (at as readonly Arg[])
      : isKind(at, 'tuple')
        ? at.items
        : null
    at = items?.[i]
  }
  return at
}

/** `0[2]` is item 2 of the first argument. */
function pathOf(path: string): { root: string | number; indices: number[] } | null {
  const [root, ...indices] = path.split(/[[\]]+/).filter((p) => p !== '')
  return root === undefined ? null : { root: /^\d+$/.test(root) ? Number(root) : root, indices: indices.map(Number) }
}

/** A new argument in place of a literal for which the graph has a tensor. */
export const tensorForLiteral: MakeCandidates = ({ cause, site, pattern, graph }) => {
  const tensor = graph && argumentAt(graph, cause.argument ?? '')
  if (!pattern || !(tensor instanceof Node)) return []
  return constantSites(site, pattern, cause, cause.expected ?? '')
    .slice(0, MAX_CONSTANT_SITES)
    .flatMap((e): Candidate[] => {
      const added = new NewParameters(site, e)
      const name = added.nameOf(tensor)
      if (name === null) return []
      const title = `Pass ${name} as an argument instead of ${brief(e.file.source(e.node), 30)} ${site.at(e)}`
      return [{ title, changes: [replaced(e, name), ...added.changes()] }]
    })
}

/** A tensor constant's values, or the whole constant if its dtype differs. */
export const tensorConstant: MakeCandidates = ({ cause, site, pattern }) => {
  const [mine, theirs] = [tensorCode(cause.expected), tensorCode(cause.found)]
  if (pattern?.op !== 'get_attr' || !mine || !theirs) return []
  return site.expressions(pattern).flatMap((e): Candidate[] => {
    const first = e.node.type === 'Call' ? listField(e.node, 'args')[0] : null
    if (!first) return []
    const [node, text] = mine.rest === theirs.rest ? [first, theirs.values] : [e.node, cause.found!]
    return [
      {
        title: `Change ${brief(e.file.source(node), 30)} to ${brief(text, 30)}`,
        changes: [replaced({ ...e, node }, text)],
      },
    ]
  })
}

/** Splits `torch.tensor([1, 2], dtype=torch.int64)` into its values and the rest; null if the values are unknown. */
function tensorCode(text: string | null): { values: string; rest: string } | null {
  const found = /^torch\.tensor\((.*?), (dtype=.*)\)$/s.exec(text ?? '')
  return found && found[1] !== '...' ? { values: found[1]!, rest: found[2]! } : null
}
