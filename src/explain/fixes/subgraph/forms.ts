/** Candidates for SubgraphMatcher patterns: calls in the graph's form (function, method, ATen operator). */
import { isOverload, packetOf, type Node } from '../../../fx'
import { targetCode } from '../../../fx/code/targets'
import { BINARY_SIGN } from '../../../fx/operators'
import { callText } from '../../align/subgraph_rules'
import { bareName } from '../../reasons/operators'
import { operandsOf } from '../candidates/calls'
import { brief, placed, type Candidate, type MakeCandidates } from '../candidates/types'
import type { Expression, PatternSite } from '../pattern_site'
import { isInfix } from '../python_style'
import { listField, textField, within, type SyntaxNode } from '../syntax'

/** The call, and the replacement's calls of the same function, in the graph's form. */
export const otherForm: MakeCandidates = ({ cause, site, pattern, graph }) =>
  cause.reason.kind !== 'other-call' || !pattern || !graph
    ? []
    : inForms(site, (n) => (n.op === pattern.op && n.target === pattern.target ? graph : null))

/** Every torch function of pattern and replacement, replaced by the ATen operator of the same name that the graph has. */
export const atenForms: MakeCandidates = ({ cause, site }) => {
  if (cause.reason.kind !== 'pattern-level') return []
  const operators = site.index.nodes.filter((n) => n.op === 'call_function' && isOverload(n.target))
  const byName = new Map(operators.map((n) => [bareName(n.target), n]))
  return inForms(site, (n) => (n.op.startsWith('call') ? (byName.get(bareName(n.target)) ?? null) : null))
}

/** @param formOf returns a call of the graph whose form a node of pattern or replacement should take */
function inForms(site: PatternSite, formOf: (n: Node) => Node | null): Candidate[] {
  const { registration } = site.entry
  const replacement = 'subgraph' in registration ? registration.subgraph?.replacement : null
  const forms = new Map<SyntaxNode, Node>()
  const written = new Map<SyntaxNode, Expression>()
  const names = new Set<string>()
  for (const n of [...(site.pattern?.calls ?? []), ...(replacement?.nodes() ?? [])]) {
    const form = formOf(n)
    const e = form && site.spansOf(n)[0]
    if (!form || !e) continue
    forms.set(e.node, form)
    written.set(e.node, e)
    names.add(`${callText(n)} as ${signOf(form) ?? callText(form)}`)
  }
  const outer = [...written].filter(([node]) => !enclosing(node).some((n) => written.has(n)))
  const texts = outer.map(([node, e]) => [e, rendered(node, e, forms)] as const)
  if (texts.length === 0 || texts.some(([, text]) => text === null)) return []
  const changes = texts.map(([e, text]) => placed(e, text!))
  return [{ title: `Write ${brief([...names].join(', '), 90)}`, changes }]
}

function enclosing(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let n = node.parent; n; n = n.parent) found.push(n)
  return found
}

/** The source of an expression with each call in its new form; null if a form has no code. */
function rendered(node: SyntaxNode, e: Expression, forms: ReadonlyMap<SyntaxNode, Node>): string | null {
  const form = forms.get(node)
  if (form) {
    const operands = operandsOf({ ...e, node })
    const names = node.type === 'Call' ? listField(node, 'keywords').map((k) => textField(k, 'arg')) : []
    const texts = operands.map((o) => rendered(o, e, forms))
    if (texts.includes(null)) return null
    const args = texts.map((text, i) => {
      const name = names[i - (operands.length - names.length)]
      return name == null ? text! : `${name}=${text!}`
    })
    if (form.op === 'call_method') return `${atom(args[0]!)}.${form.target}(${args.slice(1).join(', ')})`
    if (form.op !== 'call_function') return null
    const sign = signOf(form)
    if (sign !== null) return args.length === 2 && !names.some(Boolean) ? args.map(operand).join(` ${sign} `) : null
    const target = targetCode(form.target)
    return target && `${target}(${args.join(', ')})`
  }
  let text = e.file.source(node)
  const inner = [...within(node)].filter(
    (n) => n !== node && forms.has(n) && !enclosing(n).some((o) => o !== node && forms.has(o) && isInside(o, node)),
  )
  for (const n of inner.sort((a, b) => b.from - a.from)) {
    const made = rendered(n, e, forms)
    if (made === null) return null
    text = text.slice(0, n.from - node.from) + operand(made) + text.slice(n.to - node.from)
  }
  return text
}

const isInside = (inner: SyntaxNode, outer: SyntaxNode): boolean => outer.from <= inner.from && inner.to <= outer.to

/** `*` of operator.mul; null for a call that is no sign between two values. */
const signOf = ({ op, target }: Node): string | null =>
  op === 'call_function' ? (BINARY_SIGN.get(packetOf(target)) ?? null) : null

const operand = (text: string): string => (isInfix(text) ? `(${text})` : text)

const atom = (text: string): string => (/^[\w.]+(\(.*\))?$/s.test(text) ? text : `(${text})`)
