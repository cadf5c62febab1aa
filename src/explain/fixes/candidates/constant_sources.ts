/** Finds the literals from which a name or an attribute takes its value. */
import type { Expression, PatternSite } from '../pattern_site'
import {
  constantRepr,
  functionAround,
  isFunction,
  listField,
  nodeField,
  paramNames,
  paramsOf,
  textField,
  within,
  type SyntaxFile,
  type SyntaxNode,
} from '../syntax'

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
export function* constantSources(
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
      // A dataclass field without a default: the calls of its constructor provide the value.
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
