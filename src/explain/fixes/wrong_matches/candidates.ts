/** Changes for patterns that fire where they should not, or lose a keyword: the lint is gone with them. */
import { Node, type TensorMeta } from '../../../fx'
import type { AppliedMatch } from '../../../matcher/observer'
import type { Lint } from '../../lints/types'
import type { Change } from '../change'
import type { Expression, Fn, PatternSite } from '../pattern_site'
import { functionAround, listField, nodeField, within, type SyntaxNode } from '../syntax'
import { moreExamples, oneMore, parameter, registeredArgument, registrationBeside } from '../call_edits'
import { deviceKeyword, dtypeKeyword, emptyCode, tensorNames } from '../candidates/example_inputs'
import { freshName } from '../candidates/inlined'
import { replaced, type Candidate } from '../candidates/types'

/** @param match one that shows the lint */
export function lintCandidates(lint: Lint, site: PatternSite, match: AppliedMatch): Candidate[] {
  if (lint.kind === 'ignored-kwarg') return carriedKeyword(lint, site, match)
  if (lint.literal) return otherLiteral(lint.argument, lint.literal, site)
  return lint.kind === 'dtype-unchecked' ? dtypeGuard(lint, site, match) : []
}

/** The constant of the replacement, wherever it is written there. */
function otherLiteral(
  argument: string | null,
  { is, asks }: NonNullable<Lint['literal']>,
  { replace }: PatternSite,
): Candidate[] {
  if (!replace) return []
  const plain = (text: string): string => text.replaceAll('"', "'").replace(/\s/g, '')
  const { file } = replace
  const written = [...within(replace.node)].filter((n) => plain(file.source(n)) === is.replace(/\s/g, ''))
  const changes = written.map((node) => replaced({ file, node }, asks.replaceAll("'", '"')))
  return written.length > 0
    ? [{ title: `Change ${argument ?? 'the constant'} from ${is} to ${asks} in the replacement`, changes }]
    : []
}

/** Pattern and replacement take the keyword's value as an argument and pass it on. */
function carriedKeyword({ argument, graphNode }: Lint, site: PatternSite, match: AppliedMatch): Candidate[] {
  const { search, replace, entry } = site
  const index = match.map.find(([, name]) => name === graphNode)?.[0]
  const nodes = entry.searchGraph ? [...entry.searchGraph.nodes()].filter((n) => n.op !== 'output') : []
  const pattern = index === undefined ? undefined : nodes[index]
  const value = argument === null ? undefined : site.index.byName.get(graphNode ?? '')?.kwargs.get(argument)
  const val = value instanceof Node ? value.meta.val : undefined
  if (!search || !replace || !pattern || val?.kind !== 'tensor' || argument === null) return []
  const call = site.expressions(pattern).find((e) => functionAround(e.node) === search.node)
  if (call?.node.type !== 'Call') return []
  const same = replace.node === search.node ? [] : sameCalls(replace, call)
  if (same.length === 0 && replace.node !== search.node) return []
  const mine = freshName(search, argument)
  const theirs = freshName(replace, argument)
  const changes = [
    oneMore(call, `${argument}=${mine}`),
    ...parameter(search, mine),
    ...same.map((e) => oneMore(e, `${argument}=${theirs}`)),
    ...(replace.node === search.node ? [] : parameter(replace, theirs)),
    moreExamples(site, exampleOf(val)),
  ]
  const title = `Take ${argument} as an argument, in pattern and replacement`
  return changes.includes(null) ? [] : [{ title, changes: changes as Change[] }]
}

const exampleOf = (val: TensorMeta): string =>
  emptyCode(
    val.shape.map((d) => (typeof d === 'number' ? d : 8)),
    [...dtypeKeyword(val.dtype), ...deviceKeyword(val)],
  )

/** Calls of the replacement by the same function, with the same operator where it is a wrapper's first argument. */
function sameCalls(fn: Fn, { file, node }: Expression): Expression[] {
  const callee = (of: Fn['file'], n: SyntaxNode): string => of.source(nodeField(n, 'func')!)
  const first = (of: Fn['file'], n: SyntaxNode): string => {
    const [argument] = listField(n, 'args')
    return argument && /functionalized/.test(callee(of, n)) ? of.source(argument) : ''
  }
  return [...within(fn.node)]
    .filter((n) => n.type === 'Call' && functionAround(n) === fn.node)
    .filter((n) => callee(fn.file, n) === callee(file, node) && first(fn.file, n) === first(file, node))
    .map((n) => ({ file: fn.file, node: n }))
}

/** The registration refuses matches in which an input has another dtype than the one it has in common with another in the examples. */
function dtypeGuard({ argument }: Lint, site: PatternSite, match: AppliedMatch): Candidate[] {
  const call = registrationBeside(site)
  const { registration } = site.entry
  if (!call || argument === null || !('exampleInputs' in registration)) return []
  const names = tensorNames(site)
  const dtypeIn = (name: string): string | null => {
    const example = registration.exampleInputs[names.indexOf(name)]
    return example?.kind === 'tensor' ? example.dtype : null
  }
  const dtypeHere = (name: string): string | null => {
    const val = site.index.byName.get(match.kwargs[name] ?? '')?.meta.val
    return val?.kind === 'tensor' ? val.dtype : null
  }
  const own = dtypeIn(argument)
  const other = names.find(
    (n) => n !== argument && dtypeIn(n) === own && dtypeHere(n) !== null && dtypeHere(n) !== dtypeHere(argument),
  )
  const dtypeOf = (name: string): string => `match.kwargs["${name}"].meta["val"].dtype`
  const test = `${dtypeOf(argument)} == ${other === undefined ? `torch.${own}` : dtypeOf(other)}`
  const given = registeredArgument(site, 'extra_check', 5)
  const change = given
    ? replaced(given, `lambda match: ${called(given)} and ${test}`)
    : oneMore(call, `extra_check=lambda match: ${test}`)
  const than = other === undefined ? `torch.${own}` : `${other}`
  return change ? [{ title: `Refuse matches whose ${argument} has another dtype than ${than}`, changes: [change] }] : []
}

/** The call of an extra_check by its code. */
function called({ file, node }: Expression): string {
  const text = file.source(node)
  return /^[\w.]+$/.test(text) ? `${text}(match)` : `(${text})(match)`
}
