/** Finds the expressions in the user's code that give a pattern node one of its constants. */
import { Node, type Arg, isFunctionalized } from '../../../fx'
import type { Cause } from '../../causes'
import type { Expression, PatternSite } from '../pattern_site'
import { constantRepr, listField, nodeField, textField, within, type SyntaxNode } from '../syntax'
import { constantSources } from './constant_sources'

/** Candidate expressions for a pattern node's constant, most likely first. */
export function constantSites(site: PatternSite, pattern: Node, cause: Cause, expected: string): Expression[] {
  const path = cause.argument ?? ''
  const sites: Expression[] = []
  const add = (e: Expression): void => {
    if (!sites.some((s) => s.node === e.node)) sites.push(e)
  }
  const expressions = site.expressions(pattern)
  const direct = expressions.slice(0, 1).flatMap((e) => argumentExpressions(e, path))
  for (const e of direct) if (constantRepr(e.node) === expected) add(e)
  for (const [depth, e] of expressions.entries()) {
    for (const c of constantsIn(e, expected)) add(c)
    for (const c of constantSources(site, e, expected, expressions[depth + 1] ?? null)) add(c)
  }
  // A search function created in a loop or a class may take the value from anywhere in its file.
  const from = expressions[0] ?? null
  if (from && sites.length === 0) {
    const all = from.file.nodes
      .filter((n) => constantRepr(n) === expected && !(n.parent?.type === 'UnaryOp'))
      .sort((a, b) => Math.abs(a.from - from.node.from) - Math.abs(b.from - from.node.from))
    for (const node of all.slice(0, 4)) add({ file: from.file, node })
  }
  // The argument expression itself, however it is computed.
  for (const e of direct) if (constantRepr(e.node) !== expected) add(e)
  return sites
}

/** Expressions that may be the argument: by keyword, by position, or by position after a method's object. */
function argumentExpressions(e: Expression, path: string): Expression[] {
  const [root, ...indices] = path.split(/[[\]]+/).filter((p) => p !== '')
  if (root === undefined) return []
  const found: SyntaxNode[] = []
  if (e.node.type === 'Call') {
    const args = listField(e.node, 'args')
    if (/^\d+$/.test(root)) {
      const i = Number(root)
      const method = args.length <= i
      for (const n of method ? [args[i - 1]] : [args[i], args[i - 1]]) if (n) found.push(n)
    } else
      for (const k of listField(e.node, 'keywords'))
        if (textField(k, 'arg') === root) found.push(nodeField(k, 'value')!)
  } else if (e.node.type === 'BinOp') {
    const side = nodeField(e.node, root === '0' ? 'left' : 'right')
    if (side) found.push(side)
  }
  return found.flatMap((n): Expression[] => {
    let at: SyntaxNode | undefined = n
    for (const i of indices) at = at && listField(at, 'elts')[Number(i)]
    return at && at.from >= 0 ? [{ file: e.file, node: at }] : []
  })
}

export function constantsIn(e: Expression, expected: string): Expression[] {
  return [...within(e.node)]
    .filter((n) => constantRepr(n) === expected && n.parent?.type !== 'UnaryOp')
    .map((node) => ({ file: e.file, node }))
}

/**
 * The user's code of constants that both calls have, by the key of the graph's argument: `self.epsilon` stays, because
 * other variants of the pattern have another value there.
 */
export function writtenConstants(
  e: Expression,
  method: boolean,
  pattern: Node,
  node: Node,
): Map<string | number, string> {
  const written = new Map<string | number, string>()
  if (e.node.type !== 'Call') return written
  const keywords = new Map(
    listField(e.node, 'keywords').map((k) => [textField(k, 'arg') ?? '', nodeField(k, 'value')!] as const),
  )
  const positional = method || isFunctionalized(pattern) ? [] : listField(e.node, 'args')
  const constants = pattern.args.flatMap((value, i) => {
    const code =
      positional[i] ??
      (pattern.args.length === positional.length + keywords.size
        ? [...keywords.values()][i - positional.length]
        : undefined)
    return code && !(value instanceof Node) ? [{ value, code }] : []
  })
  const keep = (key: string | number, code: SyntaxNode | undefined): void => {
    if (code && !['Constant', 'List', 'Tuple', 'UnaryOp'].includes(code.type)) written.set(key, e.file.source(code))
  }
  node.args.forEach((value, i) => {
    const at = value instanceof Node ? -1 : constants.findIndex((c) => isPlain(value) && c.value === value)
    if (at >= 0) keep(i, constants.splice(0, at + 1).at(-1)!.code)
  })
  for (const [name, value] of node.kwargs)
    if (isPlain(value) && pattern.kwargs.get(name) === value) keep(name, keywords.get(name))
  return written
}

const isPlain = (value: Arg): boolean => ['bigint', 'number', 'string', 'boolean'].includes(typeof value)
