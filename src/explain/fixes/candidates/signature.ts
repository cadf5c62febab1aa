/** Candidates that change the pattern's signature and registration: parameters, example inputs, options of the call. */
import { Node } from '../../../fx'
import type { Cause } from '../../causes'
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
import { dtypeKeyword, emptyCode, exampleInputs, registered, tensorNames } from './example_inputs'
import { freshName } from './inlined'
import { inserted, replaced, type Candidate, type MakeCandidates } from './types'

const addedParam = (fn: Fn, i: number, name: string): Change[] => {
  const after = paramsOf(fn.node)[i]
  return after ? [inserted(fn.file, after.to, `, ${name}`)] : []
}

/** Gives one use of an argument its own parameter. */
export const ownParameter: MakeCandidates = ({ cause, site }) => {
  const { search, replace } = site
  const name = cause.argument
  if (!search || !replace || !name) return []
  const i = paramNames(search.node).indexOf(name)
  if (i < 0) return []
  const fresh = freshName(search, `${name}_2`)
  const scalars = 'scalarWorkaround' in site.entry.registration ? site.entry.registration.scalarWorkaround : null
  const shared: Change[] = addedParam(search, i, fresh)
  if (replace.node !== search.node) shared.push(...addedParam(replace, i, fresh))
  if (scalars?.has(name)) {
    const dict = registered(site, 'scalar_workaround', 6)
    const value = scalars.get(name)!
    const last = dict && listField(dict.node, 'values').at(-1)
    if (!last) return []
    const other = typeof value === 'bigint' ? String(value + 1n) : typeof value === 'number' ? `${value}1` : null
    if (other === null) return []
    shared.push(inserted(dict.file, last.to, `, "${fresh}": ${other}`))
  } else if (!('subgraph' in site.entry.registration)) {
    const examples = exampleInputs(site)
    const item = examples?.items[tensorNames(site).indexOf(name)]
    if (!examples || !item) return []
    shared.push(inserted(examples.at.file, item.to, `, ${examples.at.file.source(item)}`))
  }
  const uses = namesIn(search.node, name, 'Load')
  const note = replace.node === search.node ? '' : '; the replacement receives it too and must use it'
  return uses
    .slice(1)
    .reverse()
    .slice(0, 3)
    .map((node) => ({
      title: `Give the second ${name} its own parameter, ${fresh}${note}`,
      changes: [...shared, replaced({ file: search.file, node }, fresh)],
    }))
}

/** Uses one argument in place of two that are the same value in the graph. */
export const oneArgument: MakeCandidates = ({ cause: { reason }, site: { search, replace } }) => {
  if (reason.kind !== 'one-value' || reason.other === null || !search || !replace) return []
  const { argument, other: kept } = reason
  const i = paramNames(search.node).indexOf(argument)
  // The replacement's parameters may have other names.
  const fns = [search, ...(replace.node === search.node ? [] : [replace])]
  const changes = fns.flatMap((fn) => {
    const [mine, theirs] = [paramNames(fn.node)[i], paramNames(fn.node)[paramNames(search.node).indexOf(kept)]]
    if (mine === undefined || theirs === undefined) return []
    const uses = [...within(fn.node)].filter((n) => n.type === 'Name' && textField(n, 'id') === mine)
    return [cut(fn.file.name, paramsOf(fn.node), i), ...uses.map((node) => replaced({ file: fn.file, node }, theirs))]
  })
  return [{ title: `Use ${kept} in place of ${argument}, which is the same value in the graph`, changes }]
}

/** Adds an argument for a tensor that the graph passes and for which the pattern passes None or nothing. */
export const newParameter: MakeCandidates = ({ cause, site, pattern, graph }) => {
  const { search, replace } = site
  const name = cause.argument
  const e = pattern && site.expression(pattern)
  const examples = exampleInputs(site)
  const last = examples?.items.at(-1)
  if (name === null || !graph || !search || !replace || !e || !examples || !last) return []
  if (functionAround(e.node) !== search.node) return []
  const fresh = freshName(search, /^[a-z]\w*$/i.test(name) ? name : `argument_${name}`)
  const passed = cause.kind === 'arity' ? appended(e, name, fresh) : inPlaceOfNone(e, cause, name, fresh)
  const tensor = graph.kwargs.get(name) ?? graph.args[cause.kind === 'arity' ? pattern.args.length : Number(name)]
  if (!passed || (cause.kind === 'arity' && !(tensor instanceof Node))) return []
  const val = tensor instanceof Node ? tensor.meta.val : undefined
  const meta = val?.kind === 'tensor' ? val : null
  const sizes = meta ? meta.shape.map((d) => (typeof d === 'number' ? d : 8)) : [1]
  const example = emptyCode(sizes, meta ? dtypeKeyword(meta.dtype) : [])
  const fns = replace.node === search.node ? [search] : [search, replace]
  return [
    {
      title: `Add the argument ${fresh}; the replacement receives it too and must use it`,
      changes: [
        ...fns.flatMap((fn) => addedParam(fn, paramsOf(fn.node).length - 1, fresh)),
        inserted(examples.at.file, last.to, `, ${example}`),
        passed,
      ],
    },
  ]
}

/** Passes the new argument in place of None. */
function inPlaceOfNone(e: Expression, cause: Cause, name: string, fresh: string): Change | null {
  if (cause.expected !== 'None') return null
  const given = listField(e.node, 'keywords').find((k) => textField(k, 'arg') === name)
  const value = given ? nodeField(given, 'value') : listField(e.node, 'args')[Number(name)]
  return value ? replaced({ file: e.file, node: value }, fresh) : null
}

/** Appends the new argument to the arguments of the call. */
function appended(e: Expression, name: string, fresh: string): Change | null {
  const given = [...listField(e.node, 'args'), ...listField(e.node, 'keywords')]
  const last = given.sort((a, b) => a.to - b.to).at(-1)
  return last ? inserted(e.file, last.to, `, ${name}=${fresh}`) : null
}

/** Removes an unused argument. */
export const dropParameter: MakeCandidates = ({ cause, site }) => {
  const { search, replace } = site
  if (!search || !replace) return []
  const names = paramNames(search.node)
  const used = new Set([...within(search.node)].flatMap((n) => (n.type === 'Name' ? (textField(n, 'id') ?? []) : [])))
  const unused = [cause.argument, ...names.filter((n) => !used.has(n))].filter(
    (n, i, all): n is string => n !== null && names.includes(n) && all.indexOf(n) === i,
  )
  return unused.slice(0, 2).flatMap((name): Candidate[] => {
    const i = names.indexOf(name)
    const examples = exampleInputs(site)
    const at = tensorNames(site).indexOf(name)
    if (!examples || at < 0) return []
    const changes = [cut(search.file.name, paramsOf(search.node), i), cut(examples.at.file.name, examples.items, at)]
    if (replace.node !== search.node) changes.push(cut(replace.file.name, paramsOf(replace.node), i))
    return [{ title: `Remove the unused argument ${name}`, changes }]
  })
}

function cut(file: string, items: readonly SyntaxNode[], i: number): Change {
  const [item, next, before] = [items[i]!, items[i + 1], items[i - 1]]
  return next
    ? { file, from: item.from, to: next.from, text: '' }
    : { file, from: before ? before.to : item.from, to: item.to, text: '' }
}

/** Allows two arguments to be the same graph value. */
export const notExclusive: MakeCandidates = ({ cause, site }) => {
  const list = registered(site, 'exclusive_arg_names', 7)
  if (!list) return []
  const items = listField(list.node, 'elts')
  const rest = items.filter((n) => textField(n, 'repr')?.slice(1, -1) !== cause.argument)
  if (rest.length === items.length) return []
  const texts = rest.map((n) => list.file.source(n))
  const text =
    list.node.type === 'List' ? `[${texts.join(', ')}]` : `(${texts.join(', ')}${texts.length === 1 ? ',' : ''})`
  return [
    { title: `Allow ${cause.argument} to be the same value as another argument`, changes: [replaced(list, text)] },
  ]
}

/** Gives each of two arguments its own example tensor: one tensor object for both makes them one argument. */
export const ownExample: MakeCandidates = ({ cause, site }) => {
  const { registration } = site.entry
  const examples = exampleInputs(site)
  const ids = 'exampleIds' in registration ? registration.exampleIds : undefined
  if (!ids || cause.argument === null) return []
  if (!examples) return repeatedExample(site)
  return tensorNames(site).flatMap((name, i): Candidate[] => {
    const first = ids.indexOf(ids[i] ?? null)
    const item = examples.items[i]
    if (ids[i] === null || first === i || !item) return []
    const text = `torch.empty_like(${examples.at.file.source(item)})`
    return [
      {
        title: `Give ${name} its own example tensor`,
        changes: [replaced({ file: examples.at.file, node: item }, text)],
      },
    ]
  })
}

/** `[t] * 2`: a list of one tensor, repeated. */
function repeatedExample(site: PatternSite): Candidate[] {
  const at = registered(site, 'example_inputs', 2)
  const list = at?.node.type === 'BinOp' ? nodeField(at.node, 'left') : null
  const items = list?.type === 'List' ? listField(list, 'elts') : []
  if (!at || items.length !== 1) return []
  const text = at.file.source(items[0]!)
  // A call makes a new tensor each time it runs.
  const own = items[0]!.type === 'Call' ? text : `torch.empty_like(${text})`
  const all = tensorNames(site).map((_, i) => (i === 0 ? text : own))
  return [{ title: 'Give each argument its own example tensor', changes: [replaced(at, `[${all.join(', ')}]`)] }]
}
