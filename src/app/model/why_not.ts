/** Near misses as a person reads them: the ones that matched and then failed first, then the rest, equal causes once. */
import type { Cause, EntryReport, NearMiss, PassReport, Report } from '../../engine/protocol'

export interface PassMiss {
  pass: PassReport
  miss: NearMiss
}

/** Near misses of one cause: of several entries, or of one. */
export interface MissGroup {
  /** The engine's best one; its sentence speaks for all. */
  lead: PassMiss
  misses: PassMiss[]
}

export interface WhyNot {
  /** What is wrong before any place in the graph is looked at. */
  causes: { pass: PassReport | null; entry: EntryReport | null; cause: Cause }[]
  /** The initial stage matched: one thing stands between the pattern and firing. */
  close: MissGroup[]
  further: MissGroup[]
  /** Another pattern matched there: nothing is wrong. */
  taken: MissGroup[]
}

const made = new WeakMap<Report, WhyNot>()

export function whyNot(report: Report): WhyNot {
  let value = made.get(report)
  if (!value) made.set(report, (value = build(report)))
  return value
}

function build(report: Report): WhyNot {
  const misses = report.passes.flatMap((pass) => pass.nearMisses.map((miss) => ({ pass, miss })))
  const open = groups(misses.filter(({ miss }) => !miss.taken))
  return {
    causes: [
      ...(report.causes ?? []).map((cause) => ({ pass: null, entry: null, cause })),
      ...report.passes.flatMap((pass) =>
        (pass.causes ?? []).map((cause) => ({
          pass,
          entry: cause.entry === undefined ? null : (pass.entries[cause.entry] ?? null),
          cause,
        })),
      ),
    ],
    close: open.filter((g) => isClose(g.lead.miss)),
    further: open.filter((g) => !isClose(g.lead.miss)),
    taken: groups(misses.filter(({ miss }) => miss.taken)),
  }
}

function groups(misses: readonly PassMiss[]): MissGroup[] {
  const byCause = new Map<string, MissGroup>()
  for (const m of misses) {
    const key = [m.pass.name, m.miss.phase, bare(m.miss.sentence)].join('\u0000')
    const group = byCause.get(key)
    if (group) group.misses.push(m)
    else byCause.set(key, { lead: m, misses: [m] })
  }
  for (const g of byCause.values()) g.misses.sort((a, b) => a.miss.entry - b.miss.entry)
  return [...byCause.values()]
}

/** Matched in the initial stage, and failed or was dropped after it. */
const isClose = (m: NearMiss): boolean => m.phase === 'specific' || /^[\d,]+ attempts? matched\b/.test(m.sentence)

/** `mul_12` and `mul_31` are one cause found in two layers. */
const bare = (sentence: string): string => sentence.replace(/\b([A-Za-z]\w*?)_\d+\b/g, '$1')

/** A near miss's sentence in its parts: how often and where it failed, why, and at which node. */
export function sentenceParts(sentence: string): { lead: string; why: string; where: string } {
  const m = /^([\d,]+ .*?: )(.*?)( \([^()]*\))?$/s.exec(sentence)
  return m ? { lead: m[1]!, why: m[2]!, where: m[3] ?? '' } : { lead: '', why: sentence, where: '' }
}
