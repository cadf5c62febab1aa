/** The Why not panel, and the commands that step through the near misses and pin a pattern to a node. */
import { inGroup } from '../../commands/types'
import type { Selection } from '../../../workspace/types'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { choosePattern, usePin } from '../../on_screen/pin_store'
import { whyNot } from '../../../engine/queries/why_not'
import { placesOf } from '../../../engine/queries/why_not_places'
import type { Feature, PanelBadge } from '../types'
import { useExplained } from '../../on_screen/explained'
import { pinPart } from './pins'
import { WhyNotPanel } from './WhyNotPanel'

const view = useView.getState

const hasMiss = (): boolean => missPlaces().length > 0

const COMMANDS = inGroup('Graph', [
  { id: 'next-miss', title: 'Next near miss', keys: [']'], enabled: hasMiss, run: () => stepMiss(1) },
  { id: 'previous-miss', title: 'Previous near miss', keys: ['['], enabled: hasMiss, run: () => stepMiss(-1) },
  {
    id: 'pin',
    title: 'Why doesn’t a pattern match at the selected node?…',
    keys: ['Y'],
    enabled: () => pinnable() !== null,
    run: () => choosePattern(pinnable()!),
  },
  {
    id: 'unpin',
    title: 'Unpin the pattern',
    enabled: () => usePin.getState().pin !== null,
    run: () => usePin.getState().pinTo(null),
  },
])

/** One selection for each anchor of each near miss, in the order of the Why-not panel. */
function missPlaces(): Extract<Selection, { kind: 'nearMiss' }>[] {
  const report = useRun.getState().explained.value
  if (!report) return []
  return whyNot(report).near.flatMap(({ lead: { pass, miss } }) =>
    placesOf(report, miss).map(({ anchor: place }) => {
      return { kind: 'nearMiss', pass: pass.name, index: miss.index, place } as const
    }),
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

/** The number of causes that the panel lists. */
function useBadge(): PanelBadge | null {
  const { report } = useExplained()
  if (!report) return null
  const { general, apart, near } = whyNot(report)
  const reasons = general.length + apart.length + near.length
  return reasons > 0 ? { text: `${reasons}`, tone: 'neutral' } : null
}

export const whyNotFeature: Feature = {
  panel: { id: 'whynot', label: 'Why not', title: 'Why not', key: 'W', useBadge, Component: WhyNotPanel },
  commands: COMMANDS,
  sessionPart: pinPart,
}
