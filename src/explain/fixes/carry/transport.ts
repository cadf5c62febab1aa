/**
 * Repeats a change of the search function in the replacement: finds the replacement's expression with the changed expression's
 * value, and changes it in the same way.
 */
import { clone, type Graph, type Node } from '../../../fx'
import { inlined } from '../candidates/inlined'
import { replaced } from '../candidates/types'
import { applyChanges, type Change } from '../change'
import type { Fn, PatternSite } from '../pattern_site'
import { isInfix } from '../python_style'
import type { SearchClock } from '../search_clock'
import {
  functionAround,
  isAtom,
  nodeField,
  paramNames,
  SyntaxFile,
  textField,
  within,
  type SyntaxNode,
  namesIn,
} from '../syntax'
import type { TrialRunner } from '../trials'
import { SameValues, valueOfName, valuesOf, type ValuesOf } from './values'

/** An expression of the search function, before and after a change. */
interface Rewritten {
  node: SyntaxNode
  /** The value before the change; null for an argument of the function. */
  value: Node | null
  before: string
  after: string
}

/** Maximum number of ways to repeat one change. */
const MAX_WAYS = 4

export interface Carrying {
  trials: TrialRunner
  clock: SearchClock
  /** The entry before the change. */
  site: PatternSite
}

/** Sets of changes of the replacement, most likely first, in the positions of the files before the change. */
export function* transported(carrying: Carrying, changes: readonly Change[]): Generator<null, Change[][]> {
  const transport = Transport.of(carrying, changes)
  return transport ? yield* transport.run() : []
}

class Transport {
  private constructor(
    private readonly carrying: Carrying,
    private readonly search: Fn,
    private readonly replace: Fn,
    private readonly graphs: { search: Graph; replacement: Graph },
    private readonly changes: readonly Change[],
  ) {
    this.mine = valuesOf(carrying.site, search, graphs.search)
    this.theirs = valuesOf(carrying.site, replace, graphs.replacement)
    this.equality = new SameValues(carrying.trials, carrying.clock, graphs.search, graphs.replacement)
  }

  private readonly mine: ValuesOf
  private readonly theirs: ValuesOf
  private readonly equality: SameValues

  static of(carrying: Carrying, changes: readonly Change[]): Transport | null {
    const { search, replace, entry, pass } = carrying.site
    const replacement = pass.replacement(entry.index)
    if (!search || !replace || search.node === replace.node || !entry.searchGraph || !replacement) return null
    const inside = changes.filter(
      (c) => c.file === search.file.name && c.from >= search.node.from && c.to <= search.node.to,
    )
    const graphs = { search: clone(entry.searchGraph).graph, replacement }
    return inside.length === 0 ? null : new Transport(carrying, search, replace, graphs, inside)
  }

  *run(): Generator<null, Change[][]> {
    const rewrites = this.rewrites()
    if (rewrites.length === 0) return []
    const ways: Change[][] = []
    for (const rewrite of rewrites) {
      const own = yield* this.carried(rewrite)
      if (own.length === 0) continue
      // Rewrites of different expressions belong together.
      if (ways.length === 0) ways.push(...own)
      else ways.splice(0, ways.length, ...ways.flatMap((w) => own.map((o) => [...w, ...o])))
    }
    return ways.slice(0, MAX_WAYS)
  }

  /** The smallest changed expressions that have a value. */
  private rewrites(): Rewritten[] {
    const byNode = new Map<SyntaxNode, Change[]>()
    const arounds = this.changes.flatMap((c) => this.valueAround(c) ?? [])
    for (const change of this.changes) {
      const own = this.valueAround(change)
      // Changes inside a changed expression belong to it.
      const around = own && (arounds.find((o) => o !== own && contains(o, own)) ?? own)
      if (around) byNode.set(around, [...(byNode.get(around) ?? []), change])
    }
    const { file } = this.search
    return [...byNode].map(([node, own]) => {
      const text = applyChanges([{ name: file.name, text: file.text }], own)![0]!.text
      const grown = text.length - file.text.length
      const value = this.valueOf(node)
      return { node, value, before: file.source(node), after: text.slice(node.from, node.to + grown) }
    })
  }

  private valueAround({ from, to }: Change): SyntaxNode | null {
    let best: SyntaxNode | null = null
    for (const n of within(this.search.node))
      if (n.from >= 0 && n.from <= from && n.to >= to && (this.mine.has(n) || this.isLoaded(n)))
        if (best === null || n.to - n.from < best.to - best.from) best = n
    return best
  }

  /** True for a use of a parameter or of a name with a traced value. */
  private isLoaded(n: SyntaxNode): boolean {
    if (n.type !== 'Name' || textField(n, 'ctx') !== 'Load') return false
    const name = textField(n, 'id')!
    return paramNames(this.search.node).includes(name) || valueOfName(this.search, this.mine, name) !== null
  }

  private valueOf(node: SyntaxNode): Node | null {
    return (
      this.mine.get(node) ?? (node.type === 'Name' ? valueOfName(this.search, this.mine, textField(node, 'id')!) : null)
    )
  }

  private *carried(rewrite: Rewritten): Generator<null, Change[][]> {
    const { value, node } = rewrite
    const places = value ? yield* this.placesOf(value) : this.usesOf(textField(node, 'id') ?? '')
    const made: Change[][] = []
    for (const place of places) {
      const text = yield* this.textAt(place, rewrite)
      if (text !== null) made.push([replaced({ file: this.replace.file, node: place }, text)])
    }
    return made.length > 1 ? [made.flat(), ...made] : made
  }

  /** Expressions of the replacement with the value, without those inside another. */
  private *placesOf(value: Node): Generator<null, SyntaxNode[]> {
    const found: SyntaxNode[] = []
    for (const [node, theirs] of this.theirs) if (yield* this.equality.same(value, theirs)) found.push(node)
    return found.filter((n) => !found.some((o) => o !== n && contains(o, n)))
  }

  /** Uses of the parameter of the replacement that corresponds to one of the search function. */
  private usesOf(name: string): SyntaxNode[] {
    const theirs = paramNames(this.replace.node)[paramNames(this.search.node).indexOf(name)]
    return namesIn(this.replace.node, theirs, 'Load')
  }

  /** The changed text at a place in the replacement. */
  private *textAt(place: SyntaxNode, { node, before, after }: Rewritten): Generator<null, string | null> {
    const source = this.replace.file.source(place)
    const at = after.indexOf(before)
    if (at >= 0 && after.indexOf(before, at + 1) < 0) {
      const [head, tail] = [this.translated(after.slice(0, at)), this.translated(after.slice(at + before.length))]
      if (head === null || tail === null) return null
      // Parentheses around an operation are not needed around a call.
      if (isAtom(place) && /(^|[^\w])\($/.test(head) && tail.startsWith(')'))
        return bracketed(place, head.slice(0, -1) + source + tail.slice(1))
      const own = isAtom(place) || head.endsWith('(') ? source : `(${source})`
      return bracketed(place, head + own + tail)
    }
    const kept = keptOperand(this.search, node, after)
    if (kept) return yield* this.keptAt(place, kept)
    const whole = yield* this.rewritten(place, node, after)
    return whole === null || whole === source ? null : bracketed(place, whole)
  }

  /** The text of the operand that remains after a call is dropped, at a place of the replacement or anywhere in it. */
  private *keptAt(place: SyntaxNode, kept: SyntaxNode): Generator<null, string | null> {
    const { file } = this.replace
    const value = this.valueOf(kept)
    if (!value) {
      const use = this.usesOf(textField(kept, 'id') ?? '').find((n) => n.from >= place.from && n.to <= place.to)
      return use ? file.source(use) : null
    }
    const there = yield* this.sameAt(place, value)
    if (there !== null) return bracketed(place, there)
    const code = inlined(kept, this.search, this.replace)
    return code && bracketed(place, code)
  }

  /** Code outside the changed value, with the replacement's own names; null if it uses a local name. */
  private translated(code: string): string | null {
    const [mine, theirs] = [paramNames(this.search.node), paramNames(this.replace.node)]
    let known = true
    const text = code.replace(/(?<![\w.'"])[A-Za-z_]\w*(?!\s*=[^=])/g, (name) => {
      const i = mine.indexOf(name)
      if (i >= 0) return theirs[i] ?? name
      if (namesIn(this.search.node, name, 'Store').length > 0) known = false
      return name
    })
    return known ? text : null
  }

  /**
   * The changed expression in the replacement's names. Operands that the change keeps are taken from the place itself, because the
   * replacement may compute them differently.
   */
  private *rewritten(place: SyntaxNode, node: SyntaxNode, after: string): Generator<null, string | null> {
    const now = this.parsedAfter(node, after)
    if (!now) return null
    const { file } = this.search
    const own = [...within(node)].filter((n) => n !== node && n.from >= 0 && this.valueOf(n) !== null)
    const edits: Change[] = []
    const open = [now.node]
    for (let n = open.pop(); n; n = open.pop()) {
      const code = now.fn.file.source(n)
      const old = n === now.node ? undefined : own.find((o) => file.source(o) === code)
      const text = old ? yield* this.sameAt(place, this.valueOf(old)!) : null
      if (text !== null) edits.push({ file: '', from: n.from - now.node.from, to: n.to - now.node.from, text })
      else if (n.type === 'Name' && textField(n, 'ctx') === 'Load') {
        const plain = inlined(n, now.fn, this.replace)
        if (plain === null) return null
        if (plain !== code)
          edits.push({
            file: '',
            from: n.from - now.node.from,
            to: n.to - now.node.from,
            text: isInfix(plain) ? `(${plain})` : plain,
          })
      } else open.push(...childrenOf(n))
    }
    return applyChanges([{ name: '', text: now.fn.file.source(now.node) }], edits)?.[0]?.text ?? null
  }

  /** The code with the value inside a place of the replacement; null if there is none. */
  private *sameAt(place: SyntaxNode, value: Node): Generator<null, string | null> {
    for (const n of within(place)) {
      if (n === place || n.from < 0) continue
      const name = n.type === 'Name' && textField(n, 'ctx') === 'Load' ? textField(n, 'id') : null
      const theirs = this.theirs.get(n) ?? (name === null ? null : valueOfName(this.replace, this.theirs, name))
      if (!theirs || !(yield* this.equality.same(value, theirs))) continue
      const code = this.replace.file.source(n)
      return isInfix(code) ? `(${code})` : code
    }
    return null
  }

  /** The changed expression, parsed in its file. */
  private parsedAfter(node: SyntaxNode, after: string): { fn: Fn; node: SyntaxNode } | null {
    const { file, node: own } = this.search
    const text = file.text.slice(0, node.from) + after + file.text.slice(node.to)
    const data = this.carrying.trials.syntax(text)
    if (!data) return null
    const parsed = new SyntaxFile(file.name, text, data)
    const fn = parsed.nodes.find((n) => n.from === own.from && n.type === own.type)
    // The syntax of an expression omits the parentheses around it.
    const [from, to] = [text.indexOf(after.replace(/^[(\s]+/, ''), node.from), node.from + after.length]
    const now =
      fn &&
      [...within(fn)].find(
        (n) =>
          n.from === from &&
          text.slice(n.to, to).replace(/[)\s]+/, '') === '' &&
          n.to <= to &&
          functionAround(n) === fn,
      )
    return fn && now ? { fn: { file: parsed, node: fn }, node: now } : null
  }
}

const contains = (outer: SyntaxNode, inner: SyntaxNode): boolean => outer.from <= inner.from && outer.to >= inner.to

const childrenOf = (node: SyntaxNode): SyntaxNode[] => [...within(node)].filter((n) => n.parent === node)

/** The operand that remains where a change reduces a call to it. */
function keptOperand({ file }: Fn, node: SyntaxNode, after: string): SyntaxNode | null {
  const plain = after.replace(/^\((.*)\)$/s, '$1').trim()
  return [...within(node)].find((n) => n !== node && n.from >= 0 && file.source(n) === plain) ?? null
}

/** Adds parentheses around code that its new place may bind more tightly. */
function bracketed(place: SyntaxNode, text: string): string {
  const parent = place.parent
  const tight = parent && ['BinOp', 'UnaryOp', 'Compare', 'Attribute', 'Subscript'].includes(parent.type)
  const func = parent?.type === 'Call' && nodeField(parent, 'func') === place
  const atom = /^[\w.]+(\([^()]*\))?$/.test(text)
  return (tight || func) && !atom ? `(${text})` : text
}
