/** Searches for changes of patterns that fire wrongly: after the change, the lint is gone. */
import { lintPass } from '../../lints/lint'
import type { Lint } from '../../lints/types'
import { applyChanges, type Change } from '../change'
import { PatternSite, type Expression, type Fn } from '../pattern_site'
import { pythonFix, same } from '../python_fix'
import { onlyComputing } from '../withheld'
import type { SearchClock } from '../search_clock'
import type { FixPass, FixRun, TrialRunner } from '../trials'
import { verify, type Verified } from '../verify'
import { Node, type TensorMeta } from '../../../fx'
import type { AppliedMatch } from '../../../matcher/observer'
import { functionAround, listField, nodeField, within, type SyntaxNode } from '../syntax'
import { moreExamples, oneMore, parameter, registeredArgument, registrationBeside } from '../call_edits'
import { deviceKeyword, dtypeKeyword, emptyCode, tensorNames } from '../candidates/example_inputs'
import { freshName } from '../candidates/inlined'
import { replaced, type Candidate } from '../candidates/types'

/** Kinds of lints that a code change may remove. */
const MENDED: ReadonlySet<Lint['kind']> = new Set([
  'ignored-kwarg',
  'dtype-unchecked',
  'other-reduction',
  'needless-output',
])
/** Maximum number of lints tried per pass: a wrong pattern has the same lint in each of its variants. */
const MAX_LINTS = 4

export const isMended = ({ kind }: Lint): boolean => MENDED.has(kind)

/** The fixes of each lint, by its index. */
export function* lintFixes(
  trials: TrialRunner,
  base: FixRun,
  { pass, lints }: { pass: FixPass; lints: readonly Lint[] },
  clock: SearchClock,
): Generator<null, { lint: number; found: Verified }[]> {
  const fixes: { lint: number; found: Verified }[] = []
  const chosen = lints.map((lint, i) => ({ lint, i })).filter(({ lint }) => isMended(lint))
  for (const { lint, i } of chosen.slice(0, MAX_LINTS)) {
    const entry = pass.toExplain.entries[lint.entry]
    const match = pass.matches.find(
      (m) => m.entry === lint.entry && (m.nodes.includes(lint.graphNode ?? '') || isBound(m.kwargs, lint.graphNode)),
    )
    if (!entry || !match || clock.late()) continue
    const site = new PatternSite(trials, base, pass, entry, null)
    for (const { title, changes } of lintCandidates(lint, site, match)) {
      const files = applyChanges(base.files, changes)
      if (!files || same(base.files, files)) continue
      const run = trials.run(files)
      yield null
      const key = pass.keyOf(lint.entry)
      const now = run.passes.find((p) => p.key === pass.key)
      const index = now?.entryOf(key) ?? null
      if (run.failure || !now || index === null || now.toExplain.applyError || shows(now, index, lint)) continue
      const [before, after] = [pass.fired(lint.entry), now.fired(index)]
      if (lint.kind === 'ignored-kwarg' && after < before) continue
      const plain = pythonFix(title, base.files, files, before, after)
      const change = onlyComputing(plain, pass.toExplain.graph, base.files, files)
      const found = yield* verify(trials, { base, run, pass: pass.key, key }, change, clock)
      if (found.offered) fixes.push({ lint: i, found })
    }
  }
  return fixes
}

const isBound = (kwargs: Readonly<Record<string, string>>, name: string | null): boolean =>
  Object.values(kwargs).some((v) => v === name)

/** True if a pattern still has the lint. */
function shows({ toExplain, before, after, matches, replacement }: FixPass, entry: number, lint: Lint): boolean {
  const found = lintPass({
    entries: toExplain.entries,
    schemaOf: toExplain.schemaOf,
    before,
    after,
    matches: matches.filter((m) => m.entry === entry),
    replacements: toExplain.entries.map((e) => (e.index === entry ? replacement(entry) : null)),
  })
  return found.some((l) => l.kind === lint.kind && l.argument === lint.argument)
}

/** @param match one with the lint */
function lintCandidates(lint: Lint, site: PatternSite, match: AppliedMatch): Candidate[] {
  if (lint.kind === 'ignored-kwarg') return carriedKeyword(lint, site, match)
  if (lint.literal) return otherLiteral(lint.argument, lint.literal, site)
  return lint.kind === 'dtype-unchecked' ? dtypeGuard(lint, site, match) : []
}

/** The constant of the replacement, at each place where it is written. */
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

/** Adds an argument for the keyword's value, which pattern and replacement pass on. */
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

/** Calls of the replacement through the same function, with the same operator if it is a wrapper's first argument. */
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

/**
 * Makes the registration refuse matches in which an input has another dtype than a second input whose dtype it shares in the
 * examples.
 */
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

/** The call of an extra_check with this code. */
function called({ file, node }: Expression): string {
  const text = file.source(node)
  return /^[\w.]+$/.test(text) ? `${text}(match)` : `(${text})(match)`
}
