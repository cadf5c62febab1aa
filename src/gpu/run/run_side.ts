/** Cost of one side of a match: launches, bytes, and its time relative to a plain copy. */
import { PARALLEL } from '../../ops/kernel'
import type { Lowered } from '../lower/lower'
import type { SideReport, Spread } from '../types'

export function sideOf(lowered: Lowered): SideReport {
  const steps = lowered.steps.map((s) => ({
    node: s.node,
    target: s.target,
    launches: s.kernel.plan(s.call, PARALLEL).length,
    bytesRead: s.bytesRead,
    bytesWritten: s.bytesWritten,
  }))
  const sum = (pick: (s: (typeof steps)[number]) => number): number => steps.reduce((a, s) => a + pick(s), 0)
  return {
    launches: sum((s) => s.launches),
    bytesRead: sum((s) => s.bytesRead),
    bytesWritten: sum((s) => s.bytesWritten),
    steps,
    time: null,
    gbps: null,
  }
}

export const bytesOf = (side: SideReport): number => side.bytesRead + side.bytesWritten

export function setTime(side: SideReport, time: Spread, copyGbps: number): void {
  side.time = time
  side.gbps = bytesOf(side) / (time.median * 1e6)
  side.copyShare = side.gbps / copyGbps
}
