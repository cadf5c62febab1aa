/** Candidates that rewrite a call: like the graph's, with swapped operands, or with another operator. */
import { Node, type Arg, wrappedOperator, packetOf, operatorOf, isGetitem, isFunctionalized } from '../../../fx'
import { plainKwargs } from '../../align/arguments'
import { callCode, targetCode } from '../code'
import { unpackedTo, type Expression, type PatternSite } from '../pattern_site'
import {
  functionAround,
  isAtom,
  listField,
  nodeField,
  paramNames,
  textField,
  type SyntaxNode,
  namesIn,
  objectOf,
} from '../syntax'
import { writtenConstants } from './constant_sites'
import { FreeParameters, parameterNote } from './new_parameters'
import { ONE_GRAPH, SizeWriter, type ShapeSource } from './size_code'
import { brief, placed, replaced, type Candidate, type MakeCandidates, type CauseSite } from './types'
import { signOf } from '../python_style'

/** The expressions that a call computes from: a method's object, then arguments, then keyword arguments. */
export function operandsOf(e: Expression): SyntaxNode[] {
  const { node } = e
  if (node.type === 'Call') {
    const object = objectOf(node)
    return [
      ...(object && isValue(object, e) ? [object] : []),
      ...listField(node, 'args'),
      ...listField(node, 'keywords').flatMap((k) => nodeField(k, 'value') ?? []),
    ]
  }
  return ['left', 'right', 'operand', 'value'].flatMap((key) => nodeField(node, key) ?? [])
}

/** True for a local value and not a module: `h0` in `h0.relu()`, not `torch` in `torch.relu(h0)`. */
function isValue(object: SyntaxNode, e: Expression): boolean {
  if (object.type === 'Attribute') return isValue(nodeField(object, 'value')!, e)
  if (object.type !== 'Name') return true
  const fn = functionAround(e.node)
  const name = textField(object, 'id')!
  if (!fn || name === 'self') return false
  return paramNames(fn).includes(name) || namesIn(fn, name, 'Store').length > 0
}

/** True for a method of a value: `h0.relu()`, not `torch.relu(h0)`. */
function isMethod(e: Expression): boolean {
  const object = objectOf(e.node)
  return object !== null && isValue(object, e)
}

interface CallCode {
  text: string
  /** True if the code contains a size of this graph as a number. */
  oneGraph: boolean
  /** Parameters beyond the pattern's own operands. */
  free: FreeParameters
}

/** A graph value whose shape can be read from the code of its pattern value: a variable, because a call would be repeated. */
function shapeOf({ meta: { val } }: Node, text: string | null): ShapeSource[] {
  return text !== null && /^\w+$/.test(text) && val?.kind === 'tensor' ? [{ text, shape: val.shape }] : []
}

/** Code of a graph node's call with the pattern's own operands. */
function graphCallCode({ site, pattern, graph: node }: CauseSite, e: Expression): CallCode | null {
  if (!node || !pattern) return null
  const operands = operandsOf(e)
  const inputs = node.inputs()
  const mine = pattern.inputs()
  const texts = new Map<Node, string | null>()
  const free = new FreeParameters(site, e)
  const nodeText = (g: Node): string | null => {
    let text = texts.get(g)
    if (text !== undefined) return text
    text = null
    const known = site.patternNodesFor(g)
    const position = inputs.indexOf(g)
    const sameCount = mine.length === inputs.length && !isFunctionalized(node)
    for (const q of [
      ...known.filter((p) => mine.includes(p)),
      ...known.filter((p) => !mine.includes(p)),
      ...(sameCount && mine[position] ? [mine[position]] : []),
    ]) {
      text = site.textOf(q, e)
      if (text !== null) break
    }
    text ??= sameKeyword(e, node, g)
    // An operand at the same place, unless it is a constant of the pattern or the graph's value is a size.
    const sized = g.meta.val?.kind === 'scalar'
    if (text === null && !sized && !isFunctionalized(node) && mine[position] && inputs.length <= operands.length)
      text = operands[position] ? e.file.source(operands[position]) : null
    text ??= free.nameOf(g)
    // A constant that only the graph has.
    if (text === null && g.op === 'call_function' && g.inputs().length === 0) text = callCode(g, () => null)
    texts.set(g, text)
    return text
  }
  const own = inputs.flatMap((g) => shapeOf(g, nodeText(g)))
  const sizes = SizeWriter.at(site, e, own)
  const written = writtenConstants(e, isMethod(e), pattern, node)
  const code = callCode(
    node,
    nodeText,
    (value, key, text) => written.get(key) ?? sizes.argumentsOf(node)(value, key, text),
  )
  if (code === null) return null
  const text = withOwnNames(code, pattern, node, e)
  const added = droppedDefaults({ site, pattern, graph: node }, e).map((given) => `, ${given}`)
  const whole = text.endsWith(')') ? `${text.slice(0, -1)}${added.join('')})` : text
  return { text: whole, oneGraph: sizes.literal, free }
}

/**
 * Arguments that the user passes but tracing dropped, because they equal the schema's default here: other variants pass other
 * values. By name, if the graph's operator takes them too and the graph leaves them at its default.
 */
function droppedDefaults(
  { site, pattern, graph }: { site: PatternSite; pattern: Node; graph: Node },
  e: Expression,
): string[] {
  const { schemaOf } = site.pass.toExplain
  const [mine, theirs] = [schemaOf(operatorOf(pattern)), schemaOf(operatorOf(graph))]
  if (!mine || !theirs || operatorOf(pattern) === operatorOf(graph) || isFunctionalized(graph)) return []
  if (e.node.type !== 'Call' || isMethod(e)) return []
  const positional = listField(e.node, 'args').map((n, i) => ({ name: mine.args[i]?.name, value: n }))
  const named = listField(e.node, 'keywords').map((k) => ({ name: textField(k, 'arg'), value: nodeField(k, 'value') }))
  return [...positional, ...named].flatMap(({ name, value }, i) => {
    const [ours, place] = [mine.args.findIndex((a) => a.name === name), theirs.args.findIndex((a) => a.name === name)]
    if (!name || !value || ours < 0 || place < 0 || value.type === 'Constant' || value.type === 'Starred') return []
    const traced = i < positional.length ? ours < pattern.args.length : pattern.kwargs.has(name)
    const passed = place < graph.args.length || graph.kwargs.has(name)
    return traced || passed ? [] : [`${name}=${e.file.source(value)}`]
  })
}

/** Keeps the user's own names for the operator and its wrapper if both sides have the same namespace. */
function withOwnNames(text: string, pattern: Node, node: Node, e: Expression): string {
  const [mine, theirs] = [wrappedOperator(pattern), wrappedOperator(node)]
  if (mine === null && theirs === null) return renamedCall(text, pattern, node, e)
  const first = e.node.type === 'Call' ? listField(e.node, 'args')[0] : undefined
  if (mine === null || theirs === null || !first) return text
  const operator = renamed(e.file.source(first), mine, theirs)
  const own = operator === null ? text : text.replace(`(${targetCode(theirs) ?? theirs}`, `(${operator}`)
  const func = nodeField(e.node, 'func')
  return pattern.target === node.target && func && /^[\w.]+\(/.test(own) && !isMethod(e)
    ? own.replace(/^[\w.]+/, e.file.source(func))
    : own
}

/** `ops.norm_bias(x)` for `torch.ops.npu.norm_bias.default(x)`, if the pattern calls `ops.norm`. */
function renamedCall(text: string, pattern: Node, node: Node, e: Expression): string {
  const func = e.node.type === 'Call' ? nodeField(e.node, 'func') : null
  const full = targetCode(node.target)
  if (!func || full === null || !text.startsWith(`${full}(`)) return text
  const code = e.file.source(func)
  const packet = renamed(code, packetOf(pattern.target), packetOf(node.target))
  const name = packet ?? renamed(code, pattern.target, node.target)
  return name === null ? text : name + text.slice(full.length)
}

/**
 * Renames an operator within its namespace: `C.quant.default` to `C.quant_v3.default`. Null if the code has another
 * form.
 */
function renamed(code: string, mine: string, theirs: string): string | null {
  if (mine === theirs) return code
  const dot = mine.indexOf('.')
  const tail = mine.slice(dot)
  return theirs.startsWith(mine.slice(0, dot + 1)) && code.endsWith(tail)
    ? code.slice(0, -tail.length) + theirs.slice(dot)
    : null
}

/** The code of the keyword argument by which the graph's call passes a node. */
function sameKeyword(e: Expression, node: Node, g: Node): string | null {
  if (e.node.type !== 'Call') return null
  for (const [name, value] of plainKwargs(node)) {
    const given = value === g ? listField(e.node, 'keywords').find((k) => textField(k, 'arg') === name) : undefined
    const code = given && nodeField(given, 'value')
    if (code) return e.file.source(code)
  }
  return null
}

/** Rewrites the call like the graph's. */
export const asInGraph: MakeCandidates = (wrong) => {
  const { cause, site, pattern, graph } = wrong
  // Rewriting one node does not fix differences in users and outputs.
  if (!pattern || !graph || (cause.kind === 'structure' && cause.argument === null)) return []
  return site.expressions(pattern).flatMap((e): Candidate[] => {
    const code = graphCallCode(wrong, e)
    if (code === null || code.text === e.file.source(e.node)) return []
    const { text, oneGraph, free } = code
    const title = titleOf(wrong, e, text) + parameterNote(free.used) + (oneGraph ? ONE_GRAPH : '')
    return [{ title, changes: [placed(e, text), ...free.changes()] }]
  })
}

/** Describes the change: the operator, its wrapper, or a node in between. */
function titleOf({ cause, site, pattern, graph }: CauseSite, e: Expression, text: string): string {
  const [mine, theirs] = [operatorOf(pattern!), operatorOf(graph!)]
  if (cause.kind === 'functionalization') return `Wrap ${theirs} in ${cause.found} ${site.at(e)}`
  if (mine !== theirs && !isGetitem(graph!)) return `Call ${theirs} instead of ${mine} ${site.at(e)}`
  return `Replace ${brief(e.file.source(e.node), 36)} with ${brief(text)}`
}

/** Replaces the operator and keeps the user's style: `torch.relu`, a method, `+`. */
export const otherOperator: MakeCandidates = ({ site, pattern, graph }) => {
  if (!pattern || !graph || graph.op !== 'call_function') return []
  const packet = packetOf(operatorOf(graph))
  const [mine, name] = [packetOf(operatorOf(pattern)).split('.').at(-1)!, packet.split('.').at(-1)!]
  if (mine === name || isGetitem(graph)) return []
  return site.expressions(pattern).flatMap((e): Candidate[] => {
    if (e.node.type === 'BinOp') {
      const operator = signOf(packet)
      const [left, right] = [nodeField(e.node, 'left')!, nodeField(e.node, 'right')!]
      if (!operator) return []
      const text = `${bracketed(e, left)} ${operator} ${bracketed(e, right)}`
      return [{ title: `Compute ${brief(text)}`, changes: [replaced(e, bracketedIn(e, text))] }]
    }
    const func = e.node.type === 'Call' ? nodeField(e.node, 'func') : null
    if (func?.type !== 'Attribute' || textField(func, 'attr') !== mine || !packet.startsWith('aten.')) return []
    const at = { file: e.file.name, from: func.to - mine.length, to: func.to, text: name }
    return [{ title: `Call ${name} instead of ${mine}`, changes: [at] }]
  })
}

/** Swaps the first two operands. */
export const swappedOperands: MakeCandidates = ({ site, pattern }) => {
  if (!pattern) return []
  return site.expressions(pattern).flatMap((e): Candidate[] => {
    const [a, b] =
      e.node.type === 'Compare'
        ? [nodeField(e.node, 'left'), listField(e.node, 'comparators')[0]]
        : e.node.type === 'BinOp' || e.node.type === 'Call'
          ? operandsOf(e)
          : []
    if (!a || !b || a.from < 0 || b.from < 0) return []
    const [x, y] = [e.file.source(a), e.file.source(b)]
    return [
      {
        title: `Swap ${brief(x, 24)} and ${brief(y, 24)}`,
        changes: [replaced({ ...e, node: a }, bracketed(e, b)), replaced({ ...e, node: b }, bracketed(e, a))],
      },
    ]
  })
}

/** Takes another item of an operator's result. */
export const otherItem: MakeCandidates = ({ cause, site, pattern, graph }) => {
  if (!pattern || !graph || !isGetitem(graph)) return []
  const index = indexText(graph.args[1])
  if (index === null) return []
  const title = `Take item ${index}`
  if (!isGetitem(pattern)) {
    // The item was None, and is an argument of the call.
    const e = site.expression(pattern)
    const given = e && listField(e.node, 'keywords').find((k) => textField(k, 'arg') === cause.argument)
    const value = given && nodeField(given, 'value')
    const slice = value?.type === 'Subscript' ? nodeField(value, 'slice') : null
    return slice ? [{ title, changes: [replaced({ ...e!, node: slice }, index)] }] : []
  }
  const out = site.values(pattern).flatMap((e): Candidate[] => {
    const slice = e.node.type === 'Subscript' ? nodeField(e.node, 'slice') : null
    return slice ? [{ title, changes: [replaced({ ...e, node: slice }, index)] }] : []
  })
  const own = site.expression(pattern)
  const names = own ? unpackedTo(own.node) : []
  const [mine, theirs] = [names[Number(pattern.args[1] as bigint)], names[Number(index)]]
  if (own && mine && theirs)
    out.push({
      title: `${title}: swap ${own.file.source(mine)} and ${own.file.source(theirs)}`,
      changes: [
        replaced({ ...own, node: mine }, own.file.source(theirs)),
        replaced({ ...own, node: theirs }, own.file.source(mine)),
      ],
    })
  return out
}

const indexText = (a: Arg | undefined): string | null => (typeof a === 'bigint' ? a.toString() : null)

function bracketed(e: Expression, n: SyntaxNode): string {
  const text = e.file.source(n)
  return isAtom(n) || e.node.type === 'Call'
    ? isAtom(n) || n.type !== 'GeneratorExp'
      ? text
      : `(${text})`
    : `(${text})`
}

/** Adds parentheses around code that would otherwise bind less tightly than its new context. */
function bracketedIn(e: Expression, text: string): string {
  const parent = e.node.parent
  const closer = parent && ['BinOp', 'UnaryOp', 'Attribute', 'Compare'].includes(parent.type)
  const enclosed = e.file.text[e.node.from - 1] === '(' && e.file.text[e.node.to] === ')'
  return closer && !enclosed ? `(${text})` : text
}
