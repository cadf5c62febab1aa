/** Chooses the near misses that a link carries. */
import type { Cause, Report } from '../../../engine/protocol'
import type { CarriedCause, CarriedNearMiss } from '../../../workspace/carried'
import type { Selection } from '../../../workspace/types'
import type { NearMissesByPass } from '../../session/summary'
import { whyNot, type PassMiss } from '../../../engine/queries/why_not'

/** A near miss takes about 100 to 400 characters of a link. */
const MAX_NEAR_MISSES = 8
/** Maximum number of places per near miss; the count includes all. */
const MAX_ANCHORS = 64

/** The selected near miss, then the nearest near miss of each cause that the panel lists. */
export function carriedMisses(report: Report, selection: Selection | null): NearMissesByPass {
  const why = whyNot(report)
  const all = [...why.near, ...why.further, ...why.taken].flatMap((g) => g.misses)
  const selected = all.filter(
    ({ pass, miss }) =>
      selection?.kind === 'nearMiss' && selection.pass === pass.name && selection.index === miss.index,
  )
  const chosen = [...new Set([...selected, ...why.near.map((g) => g.lead)])].slice(0, MAX_NEAR_MISSES)
  const byPass = new Map<string, CarriedNearMiss[]>()
  for (const { pass, miss } of chosen) {
    const place = selection?.kind === 'nearMiss' && selected[0]?.miss === miss ? selection.place : undefined
    byPass.set(pass.name, [...(byPass.get(pass.name) ?? []), carriedMiss(miss, place)])
  }
  return byPass
}

export function carriedMiss(miss: PassMiss['miss'], place?: string): CarriedNearMiss {
  const { index, entry, phase, count, aligned, differing, score, of, why, dropReason } = miss
  const anchors = miss.anchors.slice(0, MAX_ANCHORS)
  return {
    index,
    entry,
    phase,
    count,
    anchors: place === undefined || anchors.includes(place) ? anchors : [...anchors, place],
    aligned,
    ...(differing !== undefined && { differing }),
    ...(score !== undefined && { score }),
    ...(of !== undefined && { of }),
    why,
    ...(dropReason?.kind === 'unknown-shape' && {
      unshaped: { node: dropReason.node, nodes: [...dropReason.nodes] },
    }),
    causes: miss.causes.map(carriedCause),
  }
}

function carriedCause(cause: Cause): CarriedCause {
  const { kind, patternNode, graphNode, argument, expected, found, stage, minor, source, parts, fixes, tried } = cause
  return {
    ...{ kind, patternNode, graphNode, argument, expected, found, stage, parts },
    source: source && { file: source.file, line: source.line },
    ...(minor && { minor }),
    ...(fixes && fixes.length > 0 && { fixes }),
    ...(tried && tried.length > 0 && { tried }),
  }
}
