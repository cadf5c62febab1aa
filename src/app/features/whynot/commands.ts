/** Commands that step through the near misses and pin a pattern to a node. */
import type { Selection } from '../../../workspace/types'
import type { Command } from '../../commands/types'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { choosePattern, usePin } from '../../on_screen/pin_store'
import { whyNot } from '../../../engine/queries/why_not'
import { placesOf } from '../../../engine/queries/why_not_places'

const view = useView.getState

export const WHY_NOT_COMMANDS: readonly Command[] = [
  {
    id: 'next-miss',
    title: 'Next near miss',
    group: 'Graph',
    keys: [']'],
    enabled: () => missPlaces().length > 0,
    run: () => stepMiss(1),
  },
  {
    id: 'previous-miss',
    title: 'Previous near miss',
    group: 'Graph',
    keys: ['['],
    enabled: () => missPlaces().length > 0,
    run: () => stepMiss(-1),
  },
  {
    id: 'pin',
    title: 'Why doesn’t a pattern match at the selected node?…',
    group: 'Graph',
    keys: ['Y'],
    enabled: () => pinnable() !== null,
    run: () => {
      const node = pinnable()
      if (node) choosePattern(node)
    },
  },
  {
    id: 'unpin',
    title: 'Unpin the pattern',
    group: 'Graph',
    enabled: () => usePin.getState().pin !== null,
    run: () => usePin.getState().pinTo(null),
  },
]

/** One selection for each anchor of each near miss, in the order of the Why-not panel. */
function missPlaces(): Extract<Selection, { kind: 'nearMiss' }>[] {
  const report = useRun.getState().explained.value
  if (!report) return []
  return whyNot(report).near.flatMap(({ lead: { pass, miss } }) =>
    placesOf(report, miss).map(({ anchor }) => ({
      kind: 'nearMiss' as const,
      pass: pass.name,
      index: miss.index,
      place: anchor,
    })),
  )
}

function stepMiss(step: 1 | -1): void {
  const places = missPlaces()
  const s = view().selection
  const same = places.findIndex(
    (p) => s?.kind === 'nearMiss' && p.pass === s.pass && p.index === s.index && (s.place ?? p.place) === p.place,
  )
  const at = same < 0 ? (step > 0 ? -1 : 0) : same
  const next = places[(at + step + places.length) % places.length]
  if (!next) return
  view().select(next)
  view().setPanel('whynot')
}

/** The selected node of the graph before, if any pattern is registered; else null. */
function pinnable(): string | null {
  const { selection } = view()
  const { value: report, sent: summary } = useRun.getState().result
  if (summary || !report?.passes.some((p) => p.entries.length > 0)) return null
  return selection?.kind === 'node' && selection.side === 'before' ? selection.name : null
}
