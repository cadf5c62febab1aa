/** Constants: the literal that carries the value, wherever it stands; else the argument itself. */
import { Node, type Arg } from '../../../fx'
import type { Cause } from '../../causes'
import { valueCode } from '../code'
import type { Expression, Place } from '../place'
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
import { brief, replaced, type Candidate, type MakeCandidates } from './types'

/** Places tried for one constant. */
const MOST = 6

export const constant: MakeCandidates = ({ cause, place, pattern, graph }) => {
  const wanted = pattern && wantedConstant(cause, graph)
  if (!wanted) return []
  const { text, expected } = wanted
  return constantSites(place, pattern, cause, expected)
    .slice(0, MOST)
    .map((e): Candidate => {
      const old = e.file.source(e.node)
      const title = `Change ${brief(old, 30)} to ${brief(text, 30)} ${place.at(e)}`
      const there = inReplacement(place, e)
      if (there.length === 1)
        return {
          title: `${title}, in pattern and replacement`,
          changes: [replaced(e, text), replaced(there[0]!, text)],
        }
      const kept = there.length > 0 ? `; the replacement has ${old} too, and keeps it` : ''
      return { title: title + kept, changes: [replaced(e, text)] }
    })
}

/** Values that stand in most code and mean another thing each time. */
const COMMON = new Set(['0', '1', '2', '-1', 'None', 'True', 'False'])

/** The same constant in the replacement, where the one in the pattern is its own. */
function inReplacement({ search, replace }: Place, e: Expression): Expression[] {
  const value = constantRepr(e.node)
  if (!search || !replace || search.node === replace.node || value === null || COMMON.has(value)) return []
  return [...within(search.node)].includes(e.node) ? constantsIn(replace, value) : []
}

/** The constant that the graph has, as code, and the one that the pattern has, as Python prints it. */
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

/** Where the user's text has a constant that a pattern node got, the likeliest first. */
export function constantSites(place: Place, pattern: Node, cause: Cause, expected: string): Expression[] {
  const path = cause.argument ?? ''
  const sites: Expression[] = []
  const add = (e: Expression): void => {
    if (!sites.some((s) => s.node === e.node)) sites.push(e)
  }
  const expressions = place.expressions(pattern)
  const direct = expressions.slice(0, 1).flatMap((e) => argumentExpressions(e, path))
  for (const e of direct) if (constantRepr(e.node) === expected) add(e)
  for (const [depth, e] of expressions.entries()) {
    for (const c of constantsIn(e, expected)) add(c)
    for (const c of carriers(place, e, expected, expressions[depth + 1] ?? null)) add(c)
  }
  // A search function made in a loop or a class may take the value from anywhere in its file.
  const from = expressions[0] ?? null
  if (from && sites.length === 0) {
    const all = from.file.nodes
      .filter((n) => constantRepr(n) === expected && !(n.parent?.type === 'UnaryOp'))
      .sort((a, b) => Math.abs(a.from - from.node.from) - Math.abs(b.from - from.node.from))
    for (const node of all.slice(0, 4)) add({ file: from.file, node })
  }
  // The argument itself, whatever it is computed from.
  for (const e of direct) if (constantRepr(e.node) !== expected) add(e)
  return sites
}

const literalText = (found: string): string | null =>
  /^(True|False|None|-?[\d.]+(e[+-]?\d+)?|'[^']*'|\[[-\d., e]*\]|\([-\d., e]*\)|torch\.\w+)$/.test(found) ? found : null

/** The value at `group_size`, `1`, `0[2]`. */
function argumentAt(node: Node, path: string): Arg | undefined {
  const [root, ...indices] = path.split(/[[\]]+/).filter((p) => p !== '')
  if (root === undefined) return undefined
  let at: Arg | undefined = /^\d+$/.test(root) ? node.args[Number(root)] : node.kwargs.get(root)
  for (const i of indices) {
    const items: readonly Arg[] | null = Array.isArray(at)
      ? (at as readonly Arg[])
      : typeof at === 'object' && at !== null && 'kind' in at && at.kind === 'tuple'
        ? at.items
        : null
    at = items?.[Number(i)]
  }
  return at
}

/** The expressions that may be an argument: by its keyword, by its position, by its position after a method's object. */
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

function constantsIn(e: Expression, expected: string): Expression[] {
  return [...within(e.node)]
    .filter((n) => constantRepr(n) === expected && n.parent?.type !== 'UnaryOp')
    .map((node) => ({ file: e.file, node }))
}

/** Literals that names in an expression stand for: assignments, defaults, arguments of the call that led here. */
function* carriers(
  place: Place,
  e: Expression,
  expected: string,
  caller: Expression | null,
  steps = 0,
): Generator<Expression> {
  const names = [...within(e.node)]
  const fits = (node: SyntaxNode | null | undefined): boolean => !!node && constantRepr(node) === expected
  for (const n of names) {
    if (n.type === 'Name') yield* named(place, e.file, n, textField(n, 'id')!, fits, caller)
    if (n.type === 'Attribute') {
      const attr = textField(n, 'attr')!
      for (const file of place.files.flatMap((f) => place.file(f.name) ?? []))
        for (const a of file.nodes) {
          const target =
            a.type === 'Assign' ? listField(a, 'targets')[0] : a.type === 'AnnAssign' ? nodeField(a, 'target') : null
          const name = target && (textField(target, 'attr') ?? textField(target, 'id'))
          const value = name === attr ? (nodeField(a, 'value') ?? undefined) : null
          if (value) {
            if (value && fits(value)) yield { file, node: value }
            else if (value.type === 'Attribute' && steps < 4)
              yield* carriers(place, { file, node: value }, expected, null, steps + 1)
            else if (value.type === 'Name') yield* named(place, file, value, textField(value, 'id')!, fits, null)
          }
          // A field of a class: what its constructor is given for it.
          if (value === undefined && a.parent?.type === 'ClassDef' && name === attr) yield* constructed(file, a, fits)
          if (a.type === 'keyword' && textField(a, 'arg') === attr) {
            const value = nodeField(a, 'value')
            if (value && fits(value)) yield { file, node: value }
          }
        }
    }
  }
}

function* constructed(
  file: SyntaxFile,
  field: SyntaxNode,
  fits: (n: SyntaxNode | null | undefined) => boolean,
): Generator<Expression> {
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

function* named(
  place: Place,
  file: SyntaxFile,
  at: SyntaxNode,
  name: string,
  fits: (n: SyntaxNode | null | undefined) => boolean,
  caller: Expression | null,
): Generator<Expression> {
  const fn = functionAround(at)
  if (fn && caller?.node.type === 'Call' && paramNames(fn).includes(name)) {
    const i = paramNames(fn).indexOf(name) - (paramNames(fn)[0] === 'self' ? 1 : 0)
    const given =
      listField(caller.node, 'keywords').find((k) => textField(k, 'arg') === name) ?? listField(caller.node, 'args')[i]
    const value = given?.type === 'keyword' ? nodeField(given, 'value') : given
    if (value && fits(value)) yield { file: caller.file, node: value }
  }
  for (const f of file.nodes.filter(isFunction)) {
    const args = nodeField(f, 'args')
    if (!args) continue
    const params = paramsOf(f)
    const defaults = listField(args, 'defaults')
    const i = params.findIndex((p) => textField(p, 'arg') === name)
    const value = i < 0 ? null : defaults[i - (params.length - defaults.length)]
    if (value && fits(value)) yield { file, node: value }
    // What any call passes for it.
    if (i >= 0 && f.type === 'FunctionDef')
      for (const call of file.of('Call')) {
        const func = nodeField(call, 'func')
        const called = func && (textField(func, 'id') ?? textField(func, 'attr'))
        if (
          called !== textField(f, 'name') &&
          !(textField(f, 'name') === '__init__' && f.parent && textField(f.parent, 'name') === called)
        )
          continue
        const shift = textField(params[0]!, 'arg') === 'self' ? 1 : 0
        const passed = listField(call, 'args')[i - shift]
        if (passed && fits(passed)) yield { file, node: passed }
        const byName = listField(call, 'keywords').find((k) => textField(k, 'arg') === name)
        const keyworded = byName && nodeField(byName, 'value')
        if (keyworded && fits(keyworded)) yield { file, node: keyworded }
      }
  }
  for (const f of place.files.flatMap((x) => place.file(x.name) ?? []))
    for (const n of f.nodes) {
      if (n.type === 'Assign' || n.type === 'AnnAssign') {
        const target = n.type === 'Assign' ? listField(n, 'targets')[0] : nodeField(n, 'target')
        const value = nodeField(n, 'value')
        if (target?.type === 'Name' && textField(target, 'id') === name && value && fits(value))
          yield { file: f, node: value }
        // a, b = 1, 2
        if (target?.type === 'Tuple' && value?.type === 'Tuple')
          for (const [i, t] of listField(target, 'elts').entries()) {
            const v = listField(value, 'elts')[i]
            if (textField(t, 'id') === name && v && fits(v)) yield { file: f, node: v }
          }
      }
      // for n in (64, 128)
      if (n.type === 'For') {
        const target = nodeField(n, 'target')
        const iter = nodeField(n, 'iter')
        if (target && iter && textField(target, 'id') === name)
          for (const v of listField(iter, 'elts')) if (v && fits(v)) yield { file: f, node: v }
      }
    }
}

/** A tensor constant's values, or with another dtype the whole of it. */
export const tensorConstant: MakeCandidates = ({ cause, place, pattern }) => {
  const [mine, theirs] = [tensorCode(cause.expected), tensorCode(cause.found)]
  if (pattern?.op !== 'get_attr' || !mine || !theirs) return []
  return place.expressions(pattern).flatMap((e): Candidate[] => {
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

/** `torch.tensor([1, 2], dtype=torch.int64)` in its values and the rest; null where the values are not known. */
function tensorCode(text: string | null): { values: string; rest: string } | null {
  const found = /^torch\.tensor\((.*?), (dtype=.*)\)$/s.exec(text ?? '')
  return found && found[1] !== '...' ? { values: found[1]!, rest: found[2]! } : null
}

/** A literal size in place of which the graph has a symbol: asked of the argument that has it. */
export const symbolicSize: MakeCandidates = ({ cause, place, pattern, graph }) => {
  if (!pattern || !graph || !place.alignment) return []
  const size = graph.meta.val?.kind === 'scalar' ? graph.meta.val.value : null
  const expr = size !== null && typeof size === 'object' ? size.expr : null
  const sites: string[] = []
  for (const [name, bound] of place.alignment.bound) {
    const val = bound instanceof Node ? bound.meta.val : undefined
    if (val?.kind !== 'tensor') continue
    val.shape.forEach((d, i) => {
      if (expr !== null && d === expr) sites.push(`${name}.shape[${i}]`)
      if (graph.inputs()[0] === bound && BigInt(i) === graph.args[1]) sites.unshift(`${name}.shape[${i}]`)
    })
  }
  const e = place.expression(pattern)
  if (!e) return []
  const from = argumentExpressions(e, cause.argument ?? '')
  const same = constantsIn(e, cause.expected ?? '')
  return sites.slice(0, 3).flatMap((text) =>
    [...from, ...same].slice(0, 3).map((at) => ({
      title: `Ask for the size: ${text} in place of ${brief(at.file.source(at.node), 24)}`,
      changes: [replaced(at, text)],
    })),
  )
}

/** A constant where the pattern makes a tensor of it. */
export const plainConstant: MakeCandidates = ({ cause, place, pattern }) => {
  if (!pattern || cause.graphNode !== null || cause.argument !== null || literalText(cause.found ?? '') === null)
    return []
  return place.expressions(pattern).map((e) => ({
    title: `Write ${cause.found} in place of ${brief(e.file.source(e.node), 36)}`,
    changes: [replaced(e, cause.found!)],
  }))
}

/** Sizes written out, asked of the tensor instead: the pattern then fits other shapes than its examples'. */
export const literalSizes: MakeCandidates = ({ place }) =>
  (place.pattern?.nodes ?? []).flatMap((p): Candidate[] => {
    if (!/^aten\.(view|reshape|_unsafe_view|expand)\./.test(p.target)) return []
    const e = place.expression(p)
    const g = place.partner(p)
    const of = g instanceof Node ? g.inputs()[0] : undefined
    const val = of?.meta.val
    const sizes = g instanceof Node ? g.args[1] : undefined
    if (e?.node.type !== 'Call' || val?.kind !== 'tensor' || !Array.isArray(sizes)) return []
    const lists = [...within(e.node)].filter((n) => n.type === 'List' || n.type === 'Tuple')
    const list = lists.find((n) => listField(n, 'elts').length === sizes.length)
    const written = list ? listField(list, 'elts') : listField(e.node, 'args').slice(-sizes.length)
    if (written.length !== sizes.length) return []
    const source = p.inputs()[0]
    const base = source && (place.variableOf(source) ?? place.textOf(source, e))
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
        title: `Ask ${brief(base, 20)} for its sizes in ${brief(e.file.source(e.node), 30)}`,
        changes: written.map((n, i) => replaced({ ...e, node: n }, code[i]!)),
      },
    ]
  })
