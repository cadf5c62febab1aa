/** Walking what was found: matches, near misses, and the question of one pattern at one node. */
import { indexOf } from '../../session/report_index'
import { whyNot } from '../whynot/why_not'
import { placesOf } from '../whynot/why_not_places'
import { explainedOf } from '../whynot/explained'
import { usePin } from '../whynot/pin_store'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import type { Selection } from '../../../workspace/types'
import type { Command } from '../../commands/commands'

const view = useView.getState
const hasReport = (): boolean => useRun.getState().report !== null

export const FOUND_COMMANDS: readonly Command[] = [
  { id: 'next-match', title: 'Next match', group: 'Graph', keys: ['N'], enabled: hasReport, run: () => stepMatch(1) },
  {
    id: 'previous-match',
    title: 'Previous match',
    group: 'Graph',
    keys: ['Shift+N'],
    enabled: hasReport,
    run: () => stepMatch(-1),
  },
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

function stepMatch(step: 1 | -1): void {
  const { report } = useRun.getState()
  if (!report) return
  const { matches } = indexOf(report)
  if (matches.length === 0) return
  const s = view().selection
  const at =
    s?.kind === 'match'
      ? matches.findIndex((m) => m.pass.name === s.pass && m.match.index === s.index)
      : step > 0
        ? -1
        : 0
  const next = matches[(at + step + matches.length) % matches.length]!
  view().select({ kind: 'match', pass: next.pass.name, index: next.match.index })
}

/** Every place where something came near, as the Why-not panel orders them. */
function missPlaces(): Extract<Selection, { kind: 'nearMiss' }>[] {
  const report = explainedOf(useRun.getState().report, useWorkspace.getState().origin)
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

/** The node of the graph before that is selected, where there are patterns to ask about. */
function pinnable(): string | null {
  const { selection } = view()
  const { report, summary } = useRun.getState()
  if (summary || !report?.passes.some((p) => p.entries.length > 0)) return null
  return selection?.kind === 'node' && selection.side === 'before' ? selection.name : null
}

/** Asks which pattern should match at a node of the graph before. */
export function choosePattern(node: string): void {
  usePin.setState({ choosing: node })
  view().setOverlay('pin')
}
