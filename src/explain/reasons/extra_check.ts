/** A match that an extra_check refused: what the check read of the nodes' metadata, and on which nodes that differs. */
import type { Attempt, MetaRead } from '../../matcher/types'
import { makeCause, type Cause } from '../causes'
import { listed } from '../../base/english'

export function refusedByCheck(attempt: Attempt, title: string): Cause {
  const base = {
    kind: 'extra-check',
    graphNode: attempt.node,
    expected: 'True',
    found: 'False',
    sentence: `everything matches at ${attempt.node}, and the extra_check of ${title} returned False`,
  } as const
  const [key, reads] = decisive(attempt.reads ?? [])
  if (key === null) return makeCause(base)
  const groups = byValue(reads)
  const values = [...groups.keys()]
  const places = values.map((v) => `${v === ABSENT ? 'absent' : v} on ${listed(groups.get(v)!)}`)
  if (values.length === 1)
    return makeCause({
      ...base,
      argument: key,
      found: values[0]!,
      sentence: `${base.sentence}; it read node.meta["${key}"], which is ${places[0]!}`,
    })
  const odd = [...groups.values()].reduce((a, b) => (b.length < a.length ? b : a))
  return makeCause({
    ...base,
    graphNode: odd[0]!,
    argument: key,
    expected: `one ${key}`,
    found: values.join(', '),
    sentence: `${base.sentence}: node.meta["${key}"] is ${places.join(', and ')}. ${adviceOn(key)}`,
  })
}

/** Equal for refusals over the same values: layers fold where they differ alike. */
export const readsKey = (attempt: Attempt): string =>
  [attempt.dropped, ...new Set((attempt.reads ?? []).map(([, key, value]) => `${key}=${value}`))].join('\u0000')

const ABSENT = 'None'

/** The first key whose values differ between nodes, else the first that was read; a check may look at several. */
function decisive(reads: readonly MetaRead[]): [key: string | null, reads: readonly MetaRead[]] {
  const of = (key: string): MetaRead[] => reads.filter(([, k]) => k === key)
  const keys = [...new Set(reads.map(([, key]) => key))]
  const key = keys.find((k) => new Set(of(k).map(([, , value]) => value)).size > 1) ?? keys[0] ?? null
  return [key, key === null ? [] : of(key)]
}

function byValue(reads: readonly MetaRead[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [node, , value] of reads) groups.set(value ?? ABSENT, [...(groups.get(value ?? ABSENT) ?? []), node])
  return groups
}

function adviceOn(key: string): string {
  if (/stream/i.test(key))
    return `They run on several streams, and a fused operator runs on one: to fuse them, put all of them on one stream in the model, so that their ${key} is the same`
  return `Where it is the same on all of them, the check has no such reason to refuse`
}
