/** Candidates that edit a pattern written as CallFunction(…) and, if a constant occurs in both, its handler. */
import { Node, type Arg } from '../../../fx'
import type { CauseKind } from '../../causes'
import type { Change } from '../change'
import { valueCode } from '../code'
import type { Expression, PatternSite } from '../pattern_site'
import { constantRepr, listField, nodeField, objectOf, textField, within, type SyntaxNode, paramNames } from '../syntax'
import { brief, inserted, replaced, type Candidate, type CauseSite } from '../candidates/types'
import { inGraphForm, rootForms } from './call_forms'
import {
  importedToo,
  isConstant,
  patternCode,
  source,
  targetText,
  writtenCalls,
  type WrittenCall,
  type WrittenSite,
} from './written_calls'

type MakeWritten = (wrong: WrittenSite) => Candidate[]

/** Candidates for a cause of a pattern that a handler replaces. */
export function handlerCandidates(wrong: CauseSite): Candidate[] {
  const { cause, site, graph } = wrong
  const calls = writtenCalls(site)
  if (cause.kind === 'root-absent') return calls[0] ? otherRoot(site, calls[0]) : []
  // Without a near miss, only the root has a counterpart in the graph.
  const at = wrong.site.miss ? graph : null
  const call = graph ? calls.find((c) => c.node === at) : undefined
  return call ? (MAKERS[cause.kind] ?? []).flatMap((make) => make({ ...wrong, call })) : []
}

const otherTarget: MakeWritten = ({ site, call }) => (call.node ? matching(site, call, call.node) : [])

/** The call with the target of a node of the graph. */
function matching(site: PatternSite, call: WrittenCall, node: Node): Candidate[] {
  const form = inGraphForm(call, node)
  const mine = source(call, call.target)
  if (!form || form.text === mine) return []
  return [{ title: `Match ${form.text} instead of ${mine} ${site.at(call.at)}`, changes: form.changes }]
}

/** Replaces the root's operator by an overload that the graph has, or by another form of the same call. */
function otherRoot(site: PatternSite, call: WrittenCall): Candidate[] {
  const mine = source(call, call.target)
  const packet = mine.split('.').slice(-3, -1).join('.')
  const nodes = [...new Map([...site.index.graph.nodes()].map((n) => [n.target, n])).values()]
  const overloads = nodes.filter((n) => n.target.startsWith(`${packet}.`) && targetText(call, n.target) !== mine)
  return [...overloads, ...rootForms(call, site.index.nodes)].flatMap((n) => matching(site, call, n))
}

/** Replaces the pattern's constants by the graph's: in pattern and handler, then in the pattern alone. */
const otherConstant: MakeWritten = ({ site, call }) => {
  const { node, args, keywords } = call
  if (!node) return []
  const pairs: [SyntaxNode, Arg | undefined][] = [
    ...args.map((a, i): [SyntaxNode, Arg | undefined] => [a, node.args[i]]),
    ...keywords.map((k): [SyntaxNode, Arg | undefined] => [
      nodeField(k, 'value')!,
      node.kwargs.get(textField(k, 'arg') ?? ''),
    ]),
  ]
  return pairs.flatMap(([written, value]): Candidate[] => {
    const text = value === undefined || value instanceof Node ? null : valueCode(value, () => null)
    const old = source(call, written)
    if (text === null || text === old) return []
    const named = written.type === 'Name' ? definitionOf(call, written) : null
    if (named) {
      const title = `Change ${old} to ${brief(text, 30)} ${site.at(named)}, where it is defined`
      return [{ title, changes: [replaced(named, text)] }]
    }
    if (!isConstant(written)) return []
    const own = replaced({ ...call.at, node: written }, text)
    const title = `Change ${brief(old, 30)} to ${brief(text, 30)} ${site.at({ ...call.at, node: written })}`
    const also = sameInHandler(site, written, text)
    const alone: Candidate = { title, changes: [own] }
    return also.length === 0 ? [alone] : [{ title: `${title}, in pattern and handler`, changes: [own, ...also] }, alone]
  })
}

/** The literal that a module-level name holds: the handler may read the name too. */
function definitionOf({ at: { file } }: WrittenCall, name: SyntaxNode): Expression | null {
  const assigned = file.of('Assign').filter((n) => {
    const target = listField(n, 'targets')[0]
    return n.parent?.type === 'Module' && target?.type === 'Name' && textField(target, 'id') === textField(name, 'id')
  })
  const value = assigned.length === 1 ? nodeField(assigned[0]!, 'value') : null
  return value && constantRepr(value) !== null ? { file, node: value } : null
}

function sameInHandler({ handler }: PatternSite, written: SyntaxNode, text: string): Change[] {
  const value = constantRepr(written)
  if (!handler || value === null) return []
  const decorators = new Set(listField(handler.node, 'decorator_list').flatMap((d) => [...within(d)]))
  return [...within(handler.node)]
    .filter((n) => !decorators.has(n) && constantRepr(n) === value && n.parent?.type !== 'UnaryOp')
    .map((node) => replaced({ file: handler.file, node }, text))
}

/** Adds the arguments that the graph passes, or removes those that it does not pass. */
const sameArguments: MakeWritten = ({ site, call }) => {
  const { node, args, at } = call
  if (!node) return []
  const where = site.at(at)
  const last = args.at(-1) ?? call.target
  if (node.args.length > args.length) {
    const codes = node.args.slice(args.length).map((a) => valueCode(a, () => null))
    if (codes.includes(null)) return []
    const text = codes.join(', ')
    const noun = codes.length === 1 ? 'argument' : 'arguments'
    return [{ title: `Add the ${noun} ${brief(text)} ${where}`, changes: [inserted(at.file, last.to, `, ${text}`)] }]
  }
  const surplus = args.slice(node.args.length)
  if (surplus.length === 0 || !surplus.every(isConstant)) return []
  const before = args[node.args.length - 1] ?? call.target
  const title = `Leave out ${brief(surplus.map((n) => source(call, n)).join(', '))} ${where}`
  return [{ title, changes: [{ file: at.file.name, from: before.to, to: last.to, text: '' }] }]
}

/** Passes or leaves out one keyword argument. */
const sameKeyword: MakeWritten = ({ cause, site, call }) => {
  const { node, keywords, args, at } = call
  const name = cause.argument
  if (!node || name === null) return []
  const given = keywords.find((k) => textField(k, 'arg') === name)
  const value = node.kwargs.get(name)
  if (given && value === undefined) {
    const before = [call.target, ...args, ...keywords].filter((n) => n.to <= given.from).at(-1)!
    const title = `Leave out ${source(call, given)} ${site.at(at)}`
    return [{ title, changes: [{ file: at.file.name, from: before.to, to: given.to, text: '' }] }]
  }
  const text = given || value === undefined ? null : valueCode(value, () => null)
  if (text === null) return []
  const last = [call.target, ...args, ...keywords].at(-1)!
  const title = `Pass ${name}=${text} ${site.at(at)}`
  return [{ title, changes: [inserted(at.file, last.to, `, ${name}=${text}`)] }]
}

const swappedArguments: MakeWritten = ({ site, call }) => {
  const [a, b] = call.args
  if (!a || !b) return []
  const [x, y] = [source(call, a), source(call, b)]
  const title = `Swap ${brief(x, 36)} and ${brief(y, 36)} ${site.at(call.at)}`
  return [{ title, changes: [replaced({ ...call.at, node: a }, y), replaced({ ...call.at, node: b }, x)] }]
}

/** Allows users outside the match: the handler's erase_nodes keeps a node that is still used. */
const anyUsers: MakeWritten = ({ site, call, graph }) => {
  const { at, target, args, keywords } = call
  const written = listField(at.node, 'keywords').find((k) => textField(k, 'arg') === '_users')
  const last = [target, ...args, ...keywords].sort((a, b) => a.to - b.to).at(-1)!
  const ways: [string, Change[]][] = [...manyUsers(call), [String(graph?.users.size ?? 1), []]]
  return ways.map(([text, also]) => ({
    title: `Allow other users of ${brief(source(call, target))}: pass _users=${text} ${site.at(at)}`,
    changes: [
      written
        ? replaced({ ...at, node: nodeField(written, 'value')! }, text)
        : inserted(at.file, last.to, `, _users=${text}`),
      ...also,
    ],
  }))
}

/** MULTIPLE in the file's notation, with the edit that imports it. */
function manyUsers({ at: { file, node } }: WrittenCall): [string, Change[]][] {
  const module = objectOf(node)
  if (module) return [[`${file.source(module)}.MULTIPLE`, []]]
  const also = importedToo(file, 'MULTIPLE')
  return also ? [['MULTIPLE', also]] : []
}

/** Matches the graph's extra operator around an argument. */
const wrappedCall: MakeWritten = ({ site, call }) => {
  const { node, at } = call
  const input = node?.inputs()[0]
  if (!node || !input) return []
  const own = source(call, at.node)
  const text = patternCode({ call, site }, node, (n) => (n === input ? own : null))
  if (text === null) return []
  return [{ title: `Add ${node.target} to the pattern ${site.at(at)}`, changes: [replaced(at, text)] }]
}

const MAKERS: Readonly<Partial<Record<CauseKind, readonly MakeWritten[]>>> = {
  'wrong-overload': [otherTarget],
  'wrong-operator': [otherTarget, wrappedCall],
  constant: [otherConstant],
  'symbolic-shape': [otherConstant],
  'getitem-index': [otherConstant],
  decomposed: [decomposedCall],
  arity: [sameArguments, sameKeyword, otherConstant],
  'kwarg-missing': [sameKeyword],
  'kwarg-extra': [sameKeyword],
  'operand-order': [swappedArguments],
  'escaping-intermediate': [anyUsers],
  'inserted-node': [wrappedCall],
}

/** Replaces the CallFunction of an operator by the result of Inductor's decomposition of it. */
function decomposedCall({ cause: { reason }, site, graph, call }: WrittenSite): Candidate[] {
  if (reason.kind !== 'decomposed-in-graph' || !reason.inductor || !graph) return []
  const { at, args } = call
  const inside = new Set(reason.nodes)
  const written = new Map(reason.inductor.flatMap((name, i) => (name !== null && args[i] ? [[name, args[i]]] : [])))
  const uses = new Map<string, number>()
  const texts = new Map<string, string>()
  /** The code of a node's pattern. If the graph shares the node, the code is repeated, which matches the same node. */
  const code = (node: Node): string | null => {
    const given = written.get(node.name)
    if (given) {
      uses.set(node.name, (uses.get(node.name) ?? 0) + 1)
      return texts.get(node.name) ?? source(call, given)
    }
    if (!inside.has(node.name)) return null
    return patternCode(
      { call, site },
      node,
      code,
      node === graph || node.users.size === 1 ? [] : [`_users=${node.users.size}`],
    )
  }
  let text = code(graph)
  const also: Change[] = []
  for (const [name, times] of uses) {
    const named = times > 1 ? asKeyword({ site, call }, written.get(name)!) : undefined
    if (named === null) return []
    if (named === undefined) continue
    texts.set(name, named.text)
    also.push(...named.also)
  }
  if (texts.size > 0) text = code(graph)
  if (text === null) return []
  const title = `Match what Inductor decomposes ${reason.operator} into ${site.at(at)}`
  return [{ title, changes: [replaced(at, text), ...also] }]
}

/**
 * Arg() would pass an argument to the handler each time that the pattern contains it.
 * @returns undefined for another argument; null if it cannot have a name
 */
function asKeyword(
  { site, call }: Pick<WrittenSite, 'site' | 'call'>,
  written: SyntaxNode,
): { text: string; also: Change[] } | null | undefined {
  const text = source(call, written)
  if (!/^(\w+\.)*Arg\(\)$/.test(text)) return undefined
  const positional = writtenCalls(site).flatMap((c) => c.args.filter((a) => /^(\w+\.)*Arg\(\)$/.test(source(c, a))))
  // The arguments after it would move.
  const name = site.handler && paramNames(site.handler.node)[positional.length]
  if (positional.at(-1) !== written || !name) return null
  const keyword = text.replace(/Arg\(\)$/, 'KeywordArg')
  const also = keyword === 'KeywordArg' ? importedToo(call.at.file, keyword) : []
  return also && { text: `${keyword}(${JSON.stringify(name)})`, also }
}
