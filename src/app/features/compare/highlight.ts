/** The nodes of both graphs that a chosen match or change lights. */
import type { CompareReport } from '../../../engine/compare/types'
import { pairsOf } from '../../report/compared_pairs'
import type { CompareStore } from '../../on_screen/compare/store'

export interface Lit {
  old: ReadonlySet<string>
  now: ReadonlySet<string>
}

const NOTHING: Lit = { old: new Set(), now: new Set() }

export function litNodes(report: CompareReport, picked: CompareStore['picked']): Lit {
  if (!picked) return NOTHING
  if (picked.list === 'node') {
    const other = pairsOf(report)[picked.side].get(picked.name) ?? []
    const [own, there] = [new Set([picked.name]), new Set(other)]
    return picked.side === 'before' ? { old: own, now: there } : { old: there, now: own }
  }
  if (picked.list === 'changes') {
    const place = report.changes[picked.index]?.places[picked.place]
    return place ? { old: new Set(place.old), now: new Set(place.now) } : NOTHING
  }
  const place = report[picked.list][picked.index]?.places[picked.place]
  if (!place) return NOTHING
  const [here, there] = [new Set(place.nodes), new Set(place.others)]
  return picked.list === 'lost' ? { old: here, now: there } : { old: there, now: here }
}
