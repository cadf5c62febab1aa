/** Compares two traced functions as programs over the same inputs. */
import type { Graph } from '../../fx'
import type { OperatorBodies } from '../programs/operator_bodies'
import type { MatchKind } from './regions'
import { variantPrograms } from '../programs/run_program'

/** Null if their arguments or results do not correspond by position. */
export function functionKind(title: string, a: Graph, b: Graph, bodies?: OperatorBodies | null): MatchKind | null {
  const [mine, theirs] = [a, b].map((g) => [...g.nodes()].filter((n) => n.op === 'placeholder').map((n) => n.name))
  if (!mine || !theirs || mine.length !== theirs.length || mine.some((n, i) => n !== theirs[i])) return null
  try {
    const programs = variantPrograms(title, a, b, bodies)
    return { key: '', anchor: title, count: 1, programs, changedType: null }
  } catch {
    return null
  }
}
