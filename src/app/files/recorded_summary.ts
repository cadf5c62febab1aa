/** PyTorch's results in a run of a capture, as a summary: shown if no code runs, and before Fusescope has matched. */
import { code, message, type Message } from '../../base/message'
import { runsOf } from '../../engine/capture/runs'
import { titleOf } from '../../engine/capture/titles'
import type { Capture, CapturedApplication, CapturedAttempt } from '../../engine/capture/records'
import type { CarriedNearMiss } from '../../workspace/carried'
import type { PassSummary, ReportSummary, SummaryMatch } from '../../workspace/types'

/** Maximum number of listed near misses per pass. */
const LISTED = 50

/** @param run one of `runsOf(capture)` */
export function recordedSummary(capture: Capture, run: number): ReportSummary {
  const names = runsOf(capture).find((r) => r.run === run)?.passes ?? []
  const matches: SummaryMatch[] = []
  const applications = capture.applications.filter(
    (a) => a.run === run && a.before !== null && capture.graphs.has(a.before),
  )
  const passes = applications.map((application, i): PassSummary => {
    const times = names.slice(0, i).filter((n) => n === names[i]).length
    const name = times === 0 ? names[i]! : `${names[i]}#${times + 1}`
    const ids = [...new Set(application.table.flatMap(([, , entries]) => entries))]
    const fired = application.attempts.filter((a) => a.applied && a.raised === null)
    for (const a of fired)
      matches.push({ pass: name, index: matches.length, entry: ids.indexOf(a.entry), node: a.node, nodes: nodesOf(a) })
    const missed = missesOf(application, ids)
    const listed = missed.slice(0, LISTED)
    return {
      name,
      count: application.count ?? 0,
      entries: ids.length,
      fired: ids.map((id, entry) => ({
        entry,
        title: titleIn(capture, id),
        count: fired.filter((a) => a.entry === id).length,
      })),
      ...(listed.length > 0 && { nearMisses: listed }),
      ...(missed.length > LISTED && { nearMissesLeftOut: missed.length - LISTED }),
    }
  })
  const sizeOf = (id: number | null | undefined): number | null =>
    id == null ? null : (capture.graphs.get(id)?.nodes.length ?? null)
  return {
    recorded: capture.header.torch,
    nodesBefore: sizeOf(applications[0]?.before) ?? 0,
    nodesAfter: sizeOf(applications.at(-1)?.after),
    passes,
    matches,
    notes: applications.flatMap(({ error }, i) => (error === null ? [] : [`${passes[i]!.name} raised: ${error}`])),
  }
}

const nodesOf = ({ nodes, second }: CapturedAttempt): string[] => [...(second?.nodes ?? nodes ?? [])]

function titleIn({ entries }: Capture, id: number): string {
  const entry = entries.get(id)
  return entry ? titleOf(entry) : `pattern ${id}`
}

/** Places that no match holds, one per pattern and reason; places that passed stage one come first. */
function missesOf({ attempts }: CapturedApplication, ids: readonly number[]): CarriedNearMiss[] {
  const inside = new Set(attempts.filter((a) => a.applied).flatMap(nodesOf))
  const groups = new Map<string, CapturedAttempt[]>()
  const failed = attempts.filter((a) => !a.applied && !inside.has(a.node))
  for (const a of [...failed.filter((f) => f.ok), ...failed.filter((f) => !f.ok)]) {
    const key = `${a.entry} ${reasonOf(a).replace(/\d*_\d+\b/g, '')}`
    const alike = groups.get(key)
    if (alike) alike.push(a)
    else groups.set(key, [a])
  }
  return [...groups.values()].map((of, index): CarriedNearMiss => {
    const [first] = of as [CapturedAttempt]
    const phase = first.ok ? 'specific' : 'initial'
    const why: Message = message`PyTorch: ${code(reasonOf(first))}`
    return {
      index,
      entry: ids.indexOf(first.entry),
      phase,
      count: of.length,
      anchors: of.map((a) => a.node),
      aligned: first.ok ? nodesOf(first) : [],
      why,
      causes: [
        {
          kind: 'other',
          ...{ patternNode: null, graphNode: null, argument: null, expected: null, found: null, source: null },
          stage: phase,
          parts: why,
        },
      ],
    }
  })
}

/** PyTorch's own words. */
function reasonOf({ second, dropped, reason, raised }: CapturedAttempt): string {
  if (raised !== null) return `raised ${raised}`
  if (second && !second.ok) return second.reason ?? 'no reason was recorded'
  if (dropped) return dropped.text ? `${dropped.why}: ${dropped.text}` : dropped.why
  return reason ?? 'no reason was recorded'
}
