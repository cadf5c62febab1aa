/** Types of candidates: changes that may fix a cause. A candidate is offered only after a successful trial. */
import type { Node } from '../../../fx'
import type { Cause } from '../../causes'
import type { Change } from '../change'
import type { Expression, PatternSite } from '../pattern_site'
import { isInfix } from '../python_style'
import { nodeField } from '../syntax'

export interface Candidate {
  title: string
  /** The title of a second change that belongs to this one. */
  also?: string
  /** Edits of user files. */
  changes: Change[]
  /** True if it deliberately narrows the pattern, so that only a small part of it fires. */
  narrows?: true
  /** True if it keeps the existing patterns and registers additional ones, one of which should fire. */
  adds?: true
}

/** A cause together with its two nodes. */
export interface CauseSite {
  cause: Cause
  site: PatternSite
  pattern: Node | null
  graph: Node | null
}

export type MakeCandidates = (wrong: CauseSite) => Candidate[]

export const replaced = ({ file, node }: Expression, text: string): Change => ({
  file: file.name,
  from: node.from,
  to: node.to,
  text,
})

/** Replaces an expression with code that may be an operation, adding parentheses if needed. */
export function placed(e: Expression, code: string): Change {
  const { parent } = e.node
  const tight =
    parent !== null &&
    (['BinOp', 'UnaryOp', 'Compare'].includes(parent.type) ||
      (['Attribute', 'Subscript'].includes(parent.type) && nodeField(parent, 'value') === e.node))
  const enclosed = e.file.text[e.node.from - 1] === '(' && e.file.text[e.node.to] === ')'
  return replaced(e, tight && !enclosed && isInfix(code) ? `(${code})` : code)
}

export const inserted = (file: { name: string }, at: number, text: string): Change => ({
  file: file.name,
  from: at,
  to: at,
  text,
})

/** Shortens code to fit a button. */
export const brief = (text: string, most = 48): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
