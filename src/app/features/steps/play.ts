/** Plays the timeline: one row at a time, until a breakpoint, a failure or the end. */
import { hits, isMismatch, moved } from '../../on_screen/steps/timeline'
import { useSteps } from '../../on_screen/steps/store'

/** Time between two steps, in ms: long enough to read a sentence. */
const PACE = 1400

/** Why playing stops at a step; null if it continues. */
export type StopReason = 'breakpoint' | 'failure' | 'end'

export function stopAt(at: number): StopReason | null {
  const { timeline, level, breakpoints, stopsAtFailure } = useSteps.getState()
  const indexed = timeline.value
  if (!indexed) return 'end'
  const step = indexed.steps[at]!
  if (hits(breakpoints, step, indexed.timeline.pass)) return 'breakpoint'
  if (stopsAtFailure && isMismatch(indexed, step, level)) return 'failure'
  return moved(indexed, level, at, 1) === null ? 'end' : null
}

/** Moves to the next row. @returns false if there is none, or playing stops there */
export function playOn(): boolean {
  const { timeline, level, at, goTo } = useSteps.getState()
  const indexed = timeline.value
  const next = indexed && moved(indexed, level, at, 1)
  if (next === null) return false
  goTo(next)
  return stopAt(next) === null
}

/** Starts or stops playing; from the end it starts over. */
export function togglePlay(): void {
  const { playing, timeline, level, at, goTo } = useSteps.getState()
  const indexed = timeline.value
  if (playing) return useSteps.setState({ playing: false })
  if (!indexed) return
  if (moved(indexed, level, at, 1) === null) goTo(0)
  useSteps.setState({ playing: true })
}

/** Runs while the panel is on screen and `playing` is set. @returns stops it */
export function playEvery(): () => void {
  const timer = setInterval(() => {
    if (!playOn()) useSteps.setState({ playing: false })
  }, PACE)
  return () => clearInterval(timer)
}
