/** Stamps of saves: they tell whether a stored workspace is the one that a tab last saw. */
import type { Stamp } from './types'

export const stampOf = (tab: string, count: number): Stamp => `${tab}:${count}`

/** True if `stored` is an earlier save of the tab that made `next`, or the same one. */
export function followsOwn(stored: Stamp, next: Stamp): boolean {
  const [a, b] = [parse(stored), parse(next)]
  return a.tab === b.tab && a.count <= b.count
}

function parse(stamp: Stamp): { tab: string; count: number } {
  const colon = stamp.lastIndexOf(':')
  return { tab: stamp.slice(0, colon), count: Number(stamp.slice(colon + 1)) }
}
