/** Finds the CallFunction(…) expressions of a pattern written in Python, and the graph node that each stands for. */
import { Node, type Arg } from '../../../fx'
import { inserted, type CauseSite } from '../candidates/types'
import type { Change } from '../change'
import { isSize } from '../candidates/size_code'
import { targetCode, valueCode } from '../code'
import type { Expression, PatternSite } from '../pattern_site'
import {
  constantRepr,
  functionAround,
  listField,
  nodeField,
  returnedBy,
  textField,
  type SyntaxFile,
  type SyntaxNode,
} from '../syntax'

/** One CallFunction of a pattern. */
export interface WrittenCall {
  /** The call CallFunction(target, …). */
  at: Expression
  target: SyntaxNode
  /** Its arguments, without the target and `_users`. */
  args: SyntaxNode[]
  keywords: SyntaxNode[]
  /** The graph node at its place; null if the graph has none. */
  node: Node | null
  /** The CallFunction that has it as an argument. */
  parent: WrittenCall | null
}

/** A cause at one of them. */
export interface WrittenSite extends CauseSite {
  call: WrittenCall
}

/** Maximum number of names and helpers to follow from an argument to its CallFunction. */
const MAX_STEPS = 6

const calleeOf = (call: SyntaxNode): string | null => {
  const func = call.type === 'Call' ? nodeField(call, 'func') : null
  return func && (textField(func, 'attr') ?? textField(func, 'id'))
}

/** The CallFunction expressions of the entry's pattern, outermost first; empty if its text is not found. */
export function writtenCalls(site: PatternSite): WrittenCall[] {
  const anchor = site.miss && site.index.byName.get(site.miss.anchors[0] ?? '')
  const root = patternExpression(site)
  return root ? callsFrom(root, anchor ?? null, null) : []
}

/** The first argument of the registration's call. */
function patternExpression(site: PatternSite): Expression | null {
  for (const { file, node } of site.registrationCalls()) {
    if (!/^register_(graph_pattern|lowering_pattern)$/.test(calleeOf(node) ?? '')) continue
    const first = listField(node, 'args')[0]
    return first ? resolved({ file, node: first }) : null
  }
  return null
}

/** Follows names and functions without branches to the CallFunction that they return. */
function resolved(e: Expression, steps = 0): Expression | null {
  const { file, node } = e
  if (steps > MAX_STEPS) return null
  if (node.type === 'Name') {
    const fn = functionAround(node)
    const assigned = file.of('Assign').filter((n) => {
      const target = listField(n, 'targets')[0]
      return target?.type === 'Name' && textField(target, 'id') === textField(node, 'id')
    })
    const best = assigned.find((n) => functionAround(n) === fn) ?? assigned.find((n) => functionAround(n) === null)
    const value = best && nodeField(best, 'value')
    return value ? resolved({ file, node: value }, steps + 1) : null
  }
  if (node.type !== 'Call') return null
  if (calleeOf(node) === 'CallFunction') return e
  const def = file.of('FunctionDef').find((n) => textField(n, 'name') === calleeOf(node))
  const returned = def && returnedBy(def)
  return returned ? resolved({ file, node: returned.whole }, steps + 1) : null
}

function callsFrom(at: Expression, node: Node | null, parent: WrittenCall | null): WrittenCall[] {
  const [target, ...args] = listField(at.node, 'args')
  if (!target) return []
  const keywords = listField(at.node, 'keywords').filter((k) => textField(k, 'arg') !== '_users')
  const own: WrittenCall = { at, target, args, keywords, node, parent }
  const children = [
    ...args.map((a, i) => [a, node?.args[i]] as const),
    ...keywords.map((k) => [nodeField(k, 'value')!, node?.kwargs.get(textField(k, 'arg') ?? '')] as const),
  ]
  return [own, ...children.flatMap(([child, value]) => below(own, child, value))]
}

function below(own: WrittenCall, child: SyntaxNode, value: Arg | undefined): WrittenCall[] {
  if (child.type === 'List' || child.type === 'Tuple') {
    const items: readonly Arg[] = Array.isArray(value) ? (value as readonly Arg[]) : []
    return listField(child, 'elts').flatMap((e, i) => below(own, e, items[i]))
  }
  const at = resolved({ file: own.at.file, node: child })
  return at ? callsFrom(at, value instanceof Node ? value : null, own) : []
}

/** True for an argument written as a plain constant. */
export const isConstant = (n: SyntaxNode): boolean => constantRepr(n) !== null || ['List', 'Tuple'].includes(n.type)

export const source = ({ at }: WrittenCall, node: SyntaxNode): string => at.file.source(node)

/** The operator in the user's notation: `aten.mm.default` if the text has `aten.bmm.default`. */
export function targetText(call: WrittenCall, target: string): string | null {
  const code = targetCode(target)
  const [mine, theirs] = [source(call, call.target).split('.'), target.split('.')]
  const i = mine.indexOf(theirs[0]!)
  if (i < 0 || code === null || code.startsWith('getattr')) return code
  const packet = mine.length - i === 2
  return [...mine.slice(0, i), ...(packet ? theirs.slice(0, 2) : theirs)].join('.')
}

/**
 * `CallFunction(target, …)` for a graph node, in the notation of a written call. A size of one graph becomes Ignored().
 * @param nodeText code of an argument that is a node
 * @returns null if a part has no code
 */
export function patternCode(
  { call, site }: Pick<WrittenSite, 'call' | 'site'>,
  node: Node,
  nodeText: (n: Node) => string | null,
  keywords: readonly string[] = [],
): string | null {
  const anySize = imports(call.at.file, 'Ignored') ? 'Ignored()' : null
  const parts = [
    targetText(call, node.target),
    ...node.args.map((a, i) => (isSize(site, node, i) ? anySize : valueCode(a, nodeText))),
    ...[...node.kwargs].map(([k, v]) => {
      const text = valueCode(v, nodeText)
      return text && `${k}=${text}`
    }),
    ...keywords,
  ]
  return parts.includes(null) ? null : `${source(call, nodeField(call.at.node, 'func')!)}(${parts.join(', ')})`
}

const importedNames = (file: SyntaxFile): SyntaxNode[] => file.of('ImportFrom').flatMap((n) => listField(n, 'names'))
const imports = (file: SyntaxFile, name: string): boolean =>
  importedNames(file).some((a) => textField(a, 'name') === name)

/** The edits that let a file use a name of the pattern matcher, imported next to CallFunction; null if that is impossible. */
export function importedToo(file: SyntaxFile, name: string): Change[] | null {
  if (imports(file, name)) return []
  const beside = importedNames(file).find((a) => textField(a, 'name') === 'CallFunction')
  return beside && beside.to >= 0 ? [inserted(file, beside.to, `, ${name}`)] : null
}
