/** Types of candidates: changes that may fix a cause. A candidate is offered only after a successful trial. */
import type { Node } from '../../../fx'
import type { Cause } from '../../causes'
import type { Change } from '../change'
import type { Expression, PatternSite } from '../pattern_site'

export interface Candidate {
  title: string
  /** Edits of user files. */
  changes: Change[]
  /** True if it deliberately narrows the pattern: what fires may be a small part of it. */
  narrows?: true
  /** True if it registers additional patterns, one of which is expected to fire, and keeps the existing ones. */
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
