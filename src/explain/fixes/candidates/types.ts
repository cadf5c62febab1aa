/** Candidates: changes that may fix a cause. They are offered only after a successful trial. */
import type { Node } from '../../../fx'
import type { Cause } from '../../causes'
import type { Change } from '../change'
import type { Expression, PatternSite } from '../pattern_site'

export interface Candidate {
  title: string
  /** In the user's files. */
  changes: Change[]
  /** Says that it matches less of what the pattern has now: what fires may then be a small part of it. */
  narrows?: true
  /** Says that it registers further patterns, one of which is to fire; what there is stays. */
  adds?: true
}

/** A cause with both of its nodes looked up. */
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

/** Code short enough for a button. */
export const brief = (text: string, most = 48): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
