/** Why patterns did not fire, worked out after the report: in slices, so that the worker can hear of a newer request. */
import { explainPass } from '../explain/explain'
import type { AppliedPass } from './passes'
import type { PassExplained } from './protocol'

/** Yields where it may be left for good; what it returns goes into the report by found.ts. */
export function* explainApplied(applied: readonly AppliedPass[]): Generator<void, PassExplained[]> {
  const out: PassExplained[] = []
  for (const [pass, { toExplain }] of applied.entries()) {
    const started = performance.now()
    const { nearMisses, causes } = explainPass(toExplain)
    out.push({
      pass,
      nearMisses: nearMisses.map((fold, index) => ({ index, ...fold })),
      causes,
      lints: [],
      explainMs: performance.now() - started,
    })
    yield
  }
  return out
}

/** Runs a sliced computation to its end. */
export function complete<T>(slices: Generator<unknown, T>): T {
  for (;;) {
    const step = slices.next()
    if (step.done) return step.value
  }
}
