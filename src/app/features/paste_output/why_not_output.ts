/** Groups located lines of PyTorch's debug output: lines that differ only in the layer form one group. */
import { layerlessText } from '../../../base/message'
import type { LocatedDebugLine } from '../../../engine/report/debug_output'

export interface OutputGroup {
  lead: LocatedDebugLine
  lines: LocatedDebugLine[]
}

export interface OutputRead {
  /** Failed attempts, in the order of the paste. */
  failed: OutputGroup[]
  matched: OutputGroup[]
  /** Number of lines that are not about the pattern matcher. */
  other: LocatedDebugLine[]
  /** Number of lines about nodes that the graph lacks. */
  elsewhere: number
}

export function readOutput(lines: readonly LocatedDebugLine[]): OutputRead {
  const about = lines.filter((l) => l.kind !== 'other')
  const matched = (l: LocatedDebugLine): boolean => l.kind === 'initial-matched' || l.kind === 'specific-matched'
  return {
    failed: grouped(about.filter((l) => !matched(l))),
    matched: grouped(about.filter(matched)),
    other: lines.filter((l) => l.kind === 'other'),
    elsewhere: about.filter((l) => l.nodeIndex === null).length,
  }
}

function grouped(lines: readonly LocatedDebugLine[]): OutputGroup[] {
  const groups = new Map<string, OutputGroup>()
  for (const line of lines) {
    const key = [line.kind, line.pass, line.entry, line.nodeIndex === null, layerlessText(line.means)].join('\u0000')
    const group = groups.get(key)
    if (group) group.lines.push(line)
    else groups.set(key, { lead: line, lines: [line] })
  }
  return [...groups.values()]
}
