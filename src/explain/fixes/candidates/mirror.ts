/** Repeats a change of the search function in the replacement, if the replacement contains the same expression. */
import type { Change } from '../change'
import type { Fn, PatternSite } from '../pattern_site'
import { constantRepr, listField, nodeField, returnedBy, textField, within, type SyntaxNode } from '../syntax'
import { replaced } from './types'

/** An expression of the search function, before and after a change. */
export interface Rewrite {
  before: string
  after: string
  /** Position of the pattern output that is this expression; null for any other value. */
  output: number | null
}

const EXPRESSIONS = new Set([
  'Call',
  'BinOp',
  'UnaryOp',
  'Subscript',
  'Attribute',
  'Compare',
  'Name',
  'Constant',
  'List',
  'Tuple',
])

/** The changed expressions of the search function. */
export function rewritesOf({ search, replace }: PatternSite, changes: readonly Change[]): Rewrite[] {
  if (!search || !replace || search.node === replace.node) return []
  const { file, node } = search
  const byNode = new Map<SyntaxNode, Change[]>()
  const deleted: Rewrite[] = []
  for (const c of changes) {
    if (c.file !== file.name || c.from < node.from || c.to > node.to) continue
    if (c.text === '') deleted.push(...deletedAssignment(search, c))
    const around = smallestAround(search, c)
    if (around) byNode.set(around, [...(byNode.get(around) ?? []), c])
  }
  const changedNodes = [...byNode].map(([around, own]) => ({
    before: file.source(around),
    after: changed(file.source(around), around.from, own),
    output: outputOf(search, around),
  }))
  return [...changedNodes, ...deleted]
}

/** For the deleted line `c = c.unsqueeze(1)`, the value becomes `c`. */
function deletedAssignment({ file, node }: Fn, { from, to }: Change): Rewrite[] {
  return [...within(node)]
    .filter((n) => n.type === 'Assign' && n.from >= from && n.to <= to)
    .flatMap((n) => {
      const [value, target] = [nodeField(n, 'value'), listField(n, 'targets')[0]]
      const name = target && textField(target, 'id')
      return value && name ? [{ before: file.source(value), after: name, output: null }] : []
    })
}

function smallestAround(fn: Fn, { from, to }: Change): SyntaxNode | null {
  let best: SyntaxNode | null = null
  for (const n of within(fn.node))
    if (n !== fn.node && n.from >= 0 && n.from <= from && n.to >= to && EXPRESSIONS.has(n.type))
      if (best === null || n.to - n.from < best.to - best.from) best = n
  return best
}

function changed(source: string, offset: number, changes: readonly Change[]): string {
  const last = [...changes].sort((a, b) => b.from - a.from)
  return last.reduce((t, c) => t.slice(0, c.from - offset) + c.text + t.slice(c.to - offset), source)
}

function outputOf(search: Fn, node: SyntaxNode): number | null {
  const returned = returnedBy(search.node)
  const target = node.parent?.type === 'Assign' ? listField(node.parent, 'targets')[0] : undefined
  const name = target?.type === 'Name' ? textField(target, 'id') : null
  const at = returned?.items.findIndex((n) => n === node || (n.type === 'Name' && textField(n, 'id') === name)) ?? -1
  return at < 0 ? null : at
}

/**
 * @param site built from files whose search function is already changed
 * @returns sets of changes of the replacement, most likely first
 */
export function mirrored(site: PatternSite, rewrites: readonly Rewrite[]): Change[][] {
  const { replace } = site
  if (!replace || rewrites.length === 0) return []
  const same = rewrites.flatMap((r) => sameText(replace, r))
  const values = rewrites.flatMap((r) => sameValue(replace, r))
  const wraps = rewrites.map((r) => wrappedOutput(replace, r))
  return [[...same, ...values], wraps.flatMap((w) => w ?? [])].filter((changes) => changes.length > 0)
}

const plain = (code: string): string => code.replace(/\s+/g, '')

/** Finds the same expression in the replacement. */
function sameText(replace: Fn, { before, after }: Rewrite): Change[] {
  const found = [...within(replace.node)].filter(
    (n) => n.from >= 0 && EXPRESSIONS.has(n.type) && n.fields.get('ctx') !== 'Store',
  )
  return found
    .filter((n) => plain(replace.file.source(n)) === plain(before))
    .map((node) => replaced({ file: replace.file, node }, after))
}

/** A number that the replacement reads from a module-level name is changed at its definition. */
function sameValue(replace: Fn, { before, after }: Rewrite): Change[] {
  if (!/^-?[\d.]+(e[+-]?\d+)?$/i.test(before)) return []
  const names = new Set([...within(replace.node)].map((n) => (n.type === 'Name' ? textField(n, 'id') : null)))
  return replace.file.of('Assign').flatMap((assign) => {
    const target = listField(assign, 'targets')[0]
    const value = nodeField(assign, 'value')
    if (assign.parent?.type !== 'Module' || target?.type !== 'Name' || !names.has(textField(target, 'id'))) return []
    const repr = value && constantRepr(value)
    return value && repr !== null && Number(repr) === Number(before)
      ? [replaced({ file: replace.file, node: value }, after)]
      : []
  })
}

/** Applies `f` to the corresponding output of the replacement if `f(value)` replaces an output of the pattern. */
function wrappedOutput(replace: Fn, { before, after, output }: Rewrite): Change | null {
  const item = output === null ? undefined : returnedBy(replace.node)?.items[output]
  const at = after.indexOf(before)
  if (!item || at < 0 || after.indexOf(before, at + 1) >= 0) return null
  const text = after.slice(0, at) + replace.file.source(item) + after.slice(at + before.length)
  return replaced({ file: replace.file, node: item }, text)
}

/** Casts an output of the replacement to the graph's dtype. */
export function castOutput({ replace }: PatternSite, output: number, dtype: string): Change[] {
  const item = replace && returnedBy(replace.node)?.items[output]
  return item ? [replaced({ file: replace.file, node: item }, `(${replace.file.source(item)}).to(torch.${dtype})`)] : []
}
