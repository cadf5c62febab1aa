/** The acts of a match: its attempts in stage one and stage two, with their outcomes. */
import type { Step } from '../../../engine/session/steps_types'
import type { IndexedTimeline } from '../../on_screen/steps/timeline'

export interface Act {
  /** Index of its first step. */
  index: number
  phase: Step['phase']
  title: string
  /** `matches`, `fails at mul_3`, or empty while the timeline does not contain its end. */
  outcome: string
  ok: boolean | null
  /** True if the step is in this act. */
  current: boolean
}

/** The attempts of the pattern that is tried at a step, in order; none between patterns. */
export function actsAt({ steps }: IndexedTimeline, at: number): Act[] {
  const begins = (s: Step): boolean => s.kind === 'candidate' || s.kind === 'entry'
  let from = at
  while (from > 0 && !begins(steps[from]!)) from--
  // The first step of a timeline belongs to its first pattern.
  if (steps[from]?.kind === 'candidate') from++
  let to = from + 1
  while (to < steps.length && !begins(steps[to]!)) to++
  const starts: number[] = []
  for (let i = from; i < to; i++) if (steps[i]!.kind === 'attempt') starts.push(i)
  return starts.map((start, k) => {
    const end = starts[k + 1] ?? to
    const { phase } = steps[start]!
    const verdict = steps.slice(start, end).find((s) => s.kind === 'verdict')
    return {
      index: start,
      phase,
      title: phase === 'specific' ? 'Stage two' : starts.length > 1 || phase === 'initial' ? 'Stage one' : 'The match',
      outcome: verdict ? outcomeOf(verdict) : '',
      ok: verdict?.ok ?? null,
      current: at >= start && at < end,
    }
  })
}

const outcomeOf = (verdict: Step): string =>
  verdict.ok ? 'matches' : verdict.graphNode ? `fails at ${verdict.graphNode}` : 'fails'
