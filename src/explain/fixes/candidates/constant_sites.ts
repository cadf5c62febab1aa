/** Finds the expressions in the user's code that give a pattern node one of its constants. */
import { Node, type Arg, isFunctionalized } from '../../../fx'
import type { Cause } from '../../causes'
import type { Expression, PatternSite } from '../pattern_site'
import {
  constantRepr,
  listField,
  nodeField,
  textField,
  within,
  type SyntaxNode,
  functionAround,
  isFunction,
  paramNames,
  paramsOf,
  type SyntaxFile,
} from '../syntax'

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
 * The user's code for constants that both calls have, by the key of the graph's argument: `self.epsilon` stays, because other
 * variants of the pattern have a different value there.
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

type Fits = (node: SyntaxNode | null | undefined) => boolean

interface SourceSearch {
  site: PatternSite
  /** True for a literal with the constant's value. */
  fits: Fits
  /** The call that led to the expression, whose arguments may provide the value. */
  caller: Expression | null
}

/** Maximum length of a chain of attributes. */
const MAX_ATTRIBUTE_STEPS = 4

/** Literals that an expression's names resolve to: assignments, defaults, arguments of the calling expression. */
function* constantSources(
  site: PatternSite,
  e: Expression,
  expected: string,
  caller: Expression | null,
  steps = 0,
): Generator<Expression> {
  const fits: Fits = (node) => !!node && constantRepr(node) === expected
  for (const n of [...within(e.node)]) {
    if (n.type === 'Name') yield* nameSources({ site, fits, caller }, { file: e.file, node: n }, textField(n, 'id')!)
    if (n.type === 'Attribute')
      for (const { file, node } of attributeValues(site, textField(n, 'attr')!, fits)) {
        if (fits(node)) yield { file, node }
        else if (node.type === 'Attribute' && steps < MAX_ATTRIBUTE_STEPS)
          yield* constantSources(site, { file, node }, expected, null, steps + 1)
        else if (node.type === 'Name')
          yield* nameSources({ site, fits, caller: null }, { file, node }, textField(node, 'id')!)
      }
  }
}

const filesOf = (site: PatternSite): SyntaxFile[] => site.files.flatMap((f) => site.file(f.name) ?? [])

/** Expressions assigned or passed to an attribute of this name, in any file; a literal passed to it must fit. */
function* attributeValues(site: PatternSite, attr: string, fits: Fits): Generator<Expression> {
  for (const file of filesOf(site))
    for (const a of file.nodes) {
      const target =
        a.type === 'Assign' ? listField(a, 'targets')[0] : a.type === 'AnnAssign' ? nodeField(a, 'target') : null
      const name = target && (textField(target, 'attr') ?? textField(target, 'id'))
      const value = name === attr ? nodeField(a, 'value') : null
      if (value) yield { file, node: value }
      // For a dataclass field without a default, calls of the constructor provide the value.
      else if (name === attr && a.parent?.type === 'ClassDef') yield* constructorArguments(file, a, fits)
      if (a.type === 'keyword' && textField(a, 'arg') === attr) {
        const passed = nodeField(a, 'value')
        if (passed && fits(passed)) yield { file, node: passed }
      }
    }
}

/** Fitting arguments in a class's calls for one of its annotated fields. */
function* constructorArguments(file: SyntaxFile, field: SyntaxNode, fits: Fits): Generator<Expression> {
  const owner = field.parent!
  const i = listField(owner, 'body')
    .filter((n) => n.type === 'AnnAssign')
    .indexOf(field)
  for (const call of file.of('Call')) {
    const func = nodeField(call, 'func')
    const given = listField(call, 'args')[i]
    if (func && textField(func, 'id') === textField(owner, 'name') && given && fits(given)) yield { file, node: given }
  }
}

/** Fitting literals for a name: from the caller, from parameters of this name, from assignments and loops. */
function* nameSources(search: SourceSearch, at: Expression, name: string): Generator<Expression> {
  yield* callerArgument(search, at.node, name)
  yield* parameterValues(at.file, name, search.fits)
  for (const file of filesOf(search.site))
    for (const n of file.nodes) for (const node of boundValues(n, name)) if (search.fits(node)) yield { file, node }
}

/** The literal that the calling expression passes for a parameter. */
function* callerArgument({ caller, fits }: SourceSearch, at: SyntaxNode, name: string): Generator<Expression> {
  const fn = functionAround(at)
  if (!fn || caller?.node.type !== 'Call' || !paramNames(fn).includes(name)) return
  const i = paramNames(fn).indexOf(name) - (paramNames(fn)[0] === 'self' ? 1 : 0)
  const given =
    listField(caller.node, 'keywords').find((k) => textField(k, 'arg') === name) ?? listField(caller.node, 'args')[i]
  const value = given?.type === 'keyword' ? nodeField(given, 'value') : given
  if (value && fits(value)) yield { file: caller.file, node: value }
}

/** Defaults of parameters of this name, and arguments passed for them in the same file. */
function* parameterValues(file: SyntaxFile, name: string, fits: Fits): Generator<Expression> {
  for (const f of file.nodes.filter(isFunction)) {
    const args = nodeField(f, 'args')
    if (!args) continue
    const params = paramsOf(f)
    const defaults = listField(args, 'defaults')
    const i = params.findIndex((p) => textField(p, 'arg') === name)
    const value = i < 0 ? null : defaults[i - (params.length - defaults.length)]
    if (value && fits(value)) yield { file, node: value }
    if (i < 0 || f.type !== 'FunctionDef') continue
    const shift = textField(params[0]!, 'arg') === 'self' ? 1 : 0
    for (const call of file.of('Call')) {
      if (!calls(call, f)) continue
      const passed = listField(call, 'args')[i - shift]
      if (passed && fits(passed)) yield { file, node: passed }
      const byName = listField(call, 'keywords').find((k) => textField(k, 'arg') === name)
      const keyworded = byName && nodeField(byName, 'value')
      if (keyworded && fits(keyworded)) yield { file, node: keyworded }
    }
  }
}

/** True for a call of the function, or of the class whose `__init__` it is. */
function calls(call: SyntaxNode, f: SyntaxNode): boolean {
  const func = nodeField(call, 'func')
  const callee = func && (textField(func, 'id') ?? textField(func, 'attr'))
  return (
    callee === textField(f, 'name') ||
    !!(textField(f, 'name') === '__init__' && f.parent && textField(f.parent, 'name') === callee)
  )
}

/** Values that a statement binds to a name: `a = 1`, `a, b = 1, 2`, `for a in (64, 128)`. */
function* boundValues(n: SyntaxNode, name: string): Generator<SyntaxNode> {
  if (n.type === 'Assign' || n.type === 'AnnAssign') {
    const target = n.type === 'Assign' ? listField(n, 'targets')[0] : nodeField(n, 'target')
    const value = nodeField(n, 'value')
    if (target?.type === 'Name' && textField(target, 'id') === name && value) yield value
    if (target?.type === 'Tuple' && value?.type === 'Tuple')
      for (const [i, t] of listField(target, 'elts').entries()) {
        const v = listField(value, 'elts')[i]
        if (textField(t, 'id') === name && v) yield v
      }
  }
  if (n.type === 'For') {
    const target = nodeField(n, 'target')
    const iter = nodeField(n, 'iter')
    if (target && iter && textField(target, 'id') === name) yield* listField(iter, 'elts')
  }
}
