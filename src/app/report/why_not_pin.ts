/** Finds a pin's pattern in each new report: registrations move while the user edits. */
import type { Cause, EntryReport, Fix, NearMiss, PassReport, Report } from '../../engine/protocol'
import type { Pin } from '../../workspace/types'

const bindingsOf = (entry: EntryReport): string =>
  Object.entries(entry.bindings)
    .map(([k, v]) => `${k}=${v}`)
    .join(', ')

export const pinOf = (pass: PassReport, entry: EntryReport, node: string): Pin => ({
  pass: pass.name,
  entry: entry.index,
  title: entry.title,
  bindings: bindingsOf(entry),
  node,
})

/** The pinned entry: the one with the same title and bindings, else the one of that title at the same index. */
export function entryOfPin(report: Report, pin: Pin): { pass: PassReport; entry: EntryReport } | null {
  const pass = report.passes.find((p) => p.name === pin.pass)
  if (!pass) return null
  const titled = pass.entries.filter((e) => e.title === pin.title)
  const same = titled.filter((e) => bindingsOf(e) === pin.bindings)
  const entry = same.find((e) => e.index === pin.entry) ?? same[0] ?? titled.find((e) => e.index === pin.entry)
  return entry ? { pass, entry } : null
}

/** Patterns to choose from for a node: those with a near miss at it first, those that fire there last. */
export function patternsFor(
  report: Report,
  node: string,
): { pass: PassReport; entry: EntryReport; near: boolean; fires: boolean }[] {
  return report.passes
    .flatMap((pass) =>
      pass.entries.map((entry) => ({
        pass,
        entry,
        near: pass.nearMisses.some(
          (m) => m.entry === entry.index && !m.taken && (m.anchors.includes(node) || m.aligned.includes(node)),
        ),
        fires: pass.matches.some((m) => m.entry === entry.index && m.nodes.includes(node)),
      })),
    )
    .sort((a, b) => Number(a.fires) - Number(b.fires) || Number(b.near) - Number(a.near))
}

/** Fixes are tried for near misses; a fix for the same cause of the same pattern applies to the pair. */
export function fixesOf(pass: PassReport, miss: NearMiss, cause: Cause): readonly Fix[] {
  if (cause.fixes) return cause.fixes
  const facts = (c: Cause): string => [c.kind, c.patternNode, c.argument, c.expected].join('\u0000')
  for (const m of pass.nearMisses) {
    const first = m.entry === miss.entry ? m.causes?.[0] : undefined
    if (first?.fixes && facts(first) === facts(cause)) return first.fixes
  }
  return []
}
