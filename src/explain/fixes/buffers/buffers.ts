/** Turns a buffer that the pattern allocates into an argument of pattern and replacement. */
import { type TensorMeta, packetOf } from '../../../fx'
import { isFactory } from '../../reasons/operators'
import type { Change } from '../change'
import type { Expression, Fn, PatternSite } from '../pattern_site'
import {
  functionAround,
  listField,
  nodeField,
  paramNames,
  paramsOf,
  textField,
  within,
  type SyntaxNode,
  namesIn,
} from '../syntax'
import { moreExamples, oneMore, parameter, registrationBeside } from '../call_edits'
import { deviceKeyword, emptyCode } from '../candidates/example_inputs'
import { freshName } from '../candidates/inlined'
import { inserted, replaced, type MakeCandidates } from '../candidates/types'

/**
 * The graph may allocate the buffer in any way, with any strides; as an argument, it fits the pattern. A helper that allocates the
 * buffer gets a parameter for it, and allocates if its other callers pass none.
 */
export const bufferArgument: MakeCandidates = ({ site, pattern, graph }) => {
  const { search, replace } = site
  const val = pattern?.meta.val
  if (!pattern || !graph || !search || !replace) return []
  if (val?.kind !== 'tensor' || !isFactory(pattern) || !isFactory(graph)) return []
  const taken = takenIn(search, site.expressions(pattern))
  const example = taken && moreExamples(site, exampleOf(val))
  if (!taken || !example) return []
  const { name, made } = taken
  const changes = [...taken.changes, ...parameter(search, name)]
  if (replace.node !== search.node) {
    const same = made.flatMap((e) => assignmentOf(replace, name, e) ?? [])[0]
    const used =
      paramNames(replace.node).includes(name) || [...within(replace.node)].some((n) => textField(n, 'id') === name)
    changes.push(...(same ? [same] : []), ...parameter(replace, same || !used ? name : freshName(replace, name)))
  }
  const { entries } = site.pass.toExplain
  const variants = entries.filter((other) => other.registration.title === site.entry.registration.title).length
  const note = variants > 1 ? '; its example input has the sizes of this variant' : ''
  const title = `Take the buffer ${name} as an argument, as ${graph.target} of the graph makes it`
  const all = [...changes, example]
  const once = variants > 1 ? withoutDuplicates(site) : null
  return [
    { title: title + note, changes: all },
    // The kept variant may be another one.
    ...(once
      ? [
          {
            title: `${title}, and skip variants that become equal${note}`,
            changes: [...all, once],
            adds: true as const,
          },
        ]
      : []),
  ]
}

interface Taken {
  name: string
  changes: Change[]
  /** The calls that created the buffer, innermost first. */
  made: Expression[]
}

/**
 * The search function with the buffer as a separate value.
 * @param calls that led to it, innermost first, up to one in the function
 */
function takenIn(search: Fn, calls: readonly Expression[]): Taken | null {
  const top = calls.findIndex((e) => functionAround(e.node) === search.node)
  const outer = calls[top]
  if (!outer) return null
  if (top === 0) {
    const assigned = assignedName(outer)
    const line = assigned === null || !isFirstStore(search, assigned, outer) ? null : lineOf(outer)
    const name = line ? assigned! : freshName(search, 'buffer')
    return { name, changes: [line ?? replaced(outer, name)], made: [outer] }
  }
  const at = calls.findIndex((e, i) => i < top && assignedName(e) !== null)
  const inner = calls[at]
  const helper = inner && functionAround(inner.node)
  if (!inner || !helper) return null
  const own = assignedName(inner)!
  const given = takenByHelper({ file: inner.file, node: helper }, inner, own)
  // Functions in between pass their keywords on.
  if (!given || !calls.slice(at + 1, top).every((e) => forwardsKeywords(e))) return null
  const name = isFirstStore(search, own, outer) ? own : freshName(search, own)
  const passed = outer.node.type === 'Call' ? oneMore(outer, `${own}=${name}`) : null
  if (!passed) return null
  return { name, changes: [...given, passed], made: calls.slice(0, at + 1) }
}

/** The variable that an assignment gives the whole expression to. */
function assignedName({ node }: Expression): string | null {
  const targets = node.parent?.type === 'Assign' ? listField(node.parent, 'targets') : []
  return targets.length === 1 && targets[0]!.type === 'Name' ? textField(targets[0]!, 'id') : null
}

/** A helper's parameter for a buffer; the helper allocates the buffer if it is None. */
function takenByHelper(helper: Fn, e: Expression, name: string): Change[] | null {
  const { file } = helper
  const line = lineOf(e)
  const statement = e.node.parent
  if (!line || !statement) return null
  const args = nodeField(helper.node, 'args')
  const known = paramNames(helper.node).includes(name)
  const end = args && Math.max(...[...paramsOf(helper.node), ...listField(args, 'defaults')].map((n) => n.to))
  if (!known && (!end || !Number.isFinite(end) || !isFirstStore(helper, name, e))) return null
  const indent = file.text.slice(line.from, statement.from)
  const before = assertedNone(file, line.from, name)
  const text = `${indent}if ${name} is None:\n${file.text.slice(line.from, line.to).replace(/^(?=.)/gm, '    ')}`
  return [
    { file: file.name, from: before ?? line.from, to: line.to, text },
    ...(known ? [] : [inserted(file, end!, `, ${name}=None`)]),
  ]
}

/** Start of the line `assert NAME is None` directly before a position; null for another line. */
function assertedNone(file: Fn['file'], at: number, name: string): number | null {
  const from = file.text.lastIndexOf('\n', at - 2) + 1
  return file.text.slice(from, at).trim() === `assert ${name} is None` ? from : null
}

/** True for `f(…, **kwargs)`. */
const forwardsKeywords = ({ node }: Expression): boolean =>
  node.type === 'Call' && listField(node, 'keywords').some((k) => textField(k, 'arg') === null)

/** Lets the registration skip patterns that equal an earlier one. */
function withoutDuplicates(site: PatternSite): Change | null {
  const call = registrationBeside(site)
  const given = call && listField(call.node, 'keywords').some((k) => textField(k, 'arg') === 'skip_duplicates')
  return call && !given ? oneMore(call, 'skip_duplicates=True') : null
}

/** The graph allocates the buffer with permuted dimensions and permutes it back: write the same with the pattern's sizes. */
export const permutedBuffer: MakeCandidates = ({ site, pattern, graph }) => {
  const permute = [graph, ...(graph?.inputs() ?? [])].find((n) => n && packetOf(n.target) === 'aten.permute')
  const buffer = [pattern, ...(pattern?.inputs() ?? [])].find((n) => n && isFactory(n))
  const source = permute?.inputs()[0]
  const dims = permute?.args[1]
  if (!buffer || !source || !isFactory(source) || !Array.isArray(dims)) return []
  const order = dims.map(Number)
  return site.expressions(buffer).flatMap((e) => {
    const sizes = e.node.type === 'Call' ? listField(e.node, 'args')[0] : undefined
    const items = sizes && ['Tuple', 'List'].includes(sizes.type) ? listField(sizes, 'elts') : []
    if (!sizes || items.length !== order.length) return []
    const code = order.map((_, d) => e.file.source(items[order.indexOf(d)]!)).join(', ')
    return [
      {
        title: `Allocate the buffer as the graph does, with its dimensions in the order [${order.join(', ')}]`,
        changes: [
          { file: e.file.name, from: sizes.from, to: sizes.to, text: `(${code})` },
          inserted(e.file, e.node.to, `.permute(${order.join(', ')})`),
        ],
      },
    ]
  })
}

const exampleOf = (val: TensorMeta): string => emptyCode(val.shape, [`dtype=torch.${val.dtype}`, ...deviceKeyword(val)])

/** True if the variable is not a parameter and has no value before the expression's. */
function isFirstStore(fn: Fn, name: string, e: Expression): boolean {
  const stores = namesIn(fn.node, name, 'Store')
  return !paramNames(fn.node).includes(name) && stores.every((n) => n.from >= e.node.parent!.from)
}

/** Removes the line of an expression's assignment; null if the line contains more. */
function lineOf({ file, node }: { file: Fn['file']; node: SyntaxNode }): Change | null {
  const { parent } = node
  if (parent?.type !== 'Assign') return null
  const from = file.text.lastIndexOf('\n', parent.from) + 1
  const end = file.text.indexOf('\n', parent.to)
  return end >= 0 && file.text.slice(from, end).trim() === file.source(parent)
    ? { file: file.name, from, to: end + 1, text: '' }
    : null
}

/** Removes the replacement's own allocation of the same buffer, made by the same code or the same helper. */
function assignmentOf(fn: Fn, name: string, made: Expression): Change | null {
  for (const n of within(fn.node)) {
    const value = n.type === 'Assign' ? nodeField(n, 'value') : null
    if (!value || assignedName({ file: fn.file, node: value }) !== name) continue
    const same =
      fn.file.source(value) === made.file.source(made.node) || (helperOf(value) ?? '') === helperOf(made.node)
    if (same) return lineOf({ file: fn.file, node: value })
  }
  return null
}

/** The name `make_scale` in `self.make_scale(…)`; null for another call. */
function helperOf(node: SyntaxNode): string | null {
  const func = node.type === 'Call' ? nodeField(node, 'func') : null
  return func?.type === 'Attribute' ? textField(func, 'attr') : null
}
