/** Requests timelines from the engine, and refreshes the open one after each run. */
import { numberOf, sameSteps, indexTimeline } from './timeline'
import { askRun } from '../../session/ask/ask_run'
import { isHeld, useRun } from '../../session/run_store'
import { done, NONE } from '../../session/section'
import { useSteps, type StepsOf } from './store'
import { toast, useView } from '../../session/view_store'
import { messageOf } from '../../../base/error_message'
import { engine } from '../../session/runner'
import { currentSession, type OpenPart } from '../../session/session'

/** Opens the Steps panel on a node. @param at index of the initial step; absent: the first */
export async function openSteps(of: StepsOf, at = 0): Promise<void> {
  useView.getState().setPanel('steps')
  await load(of, at)
  focusSteps()
}

/**
 * Focuses the timeline once it is on screen. Does nothing without a timeline, because a later one must not take the focus from the
 * editor.
 */
export const focusSteps = (): void => useSteps.setState(({ timeline }) => ({ wantsFocus: timeline.value !== null }))

async function load(of: StepsOf, at: number): Promise<void> {
  const { value: shown } = useSteps.getState().timeline
  // The steps that a link carries stay until its code runs.
  if (shown?.numbers && isHeld(useRun.getState()))
    return toast('Other steps appear after the code of this link has run here.')
  const signal = currentSession().only('steps')
  useSteps.setState({ of, loading: true, failure: null })
  const began = performance.now()
  try {
    const { value, version } = await askRun(signal, 'The steps appear here', (engine) =>
      engine.steps(of.pass, of.entry, of.node, signal),
    )
    if (signal.aborted) return
    const timeline = done(indexTimeline(value), version)
    useSteps.setState({ timeline, loading: false, ms: performance.now() - began })
    useSteps.getState().goTo(at, true)
  } catch (e) {
    if (!signal.aborted) useSteps.setState({ timeline: NONE, loading: false, failure: messageOf(e) })
  }
}

/** Refreshes the open timeline after each report, and opens the step that a link selects. */
export const stepsPart: OpenPart = () => ({
  onReport() {
    const { running, outcome } = useRun.getState()
    // While the Python fails, the last timeline stays, like the last report.
    if (running || outcome.value.python) return
    const { selection, panel } = useView.getState()
    const { of, at, timeline } = useSteps.getState()
    const indexed = timeline.value
    if (!of && selection?.kind === 'step') {
      const { pass, entry, node, index } = selection
      void load({ pass, entry, node }, index)
      return
    }
    // A link's timeline has only some of the steps.
    const number = indexed ? numberOf(indexed, at) : at
    if (of && panel === 'steps') void reload(of, number, indexed?.steps[at])
    else if (of) useSteps.setState({ timeline: NONE, failure: null, at: number })
  },
})

async function reload(of: StepsOf, at: number, was: Parameters<typeof sameSteps>[0]): Promise<void> {
  const signal = currentSession().only('steps')
  try {
    const timeline = await (await engine()).steps(of.pass, of.entry, of.node, signal)
    if (signal.aborted) return
    const indexed = indexTimeline(timeline)
    const same = sameSteps(indexed.steps[at], was) ? at : indexed.steps.findIndex((s) => sameSteps(s, was))
    useSteps.setState({
      timeline: done(indexed, useRun.getState().result.version),
      failure: null,
      at: same >= 0 ? same : Math.min(at, indexed.steps.length - 1),
    })
    const { selection } = useView.getState()
    if (selection?.kind === 'step') useSteps.getState().goTo(useSteps.getState().at)
  } catch (e) {
    if (!signal.aborted) useSteps.setState({ timeline: NONE, failure: messageOf(e) })
  }
}

/** Refreshes a stale timeline when the panel opens again. */
export function resumeSteps(): void {
  const { of, timeline, loading, at, failure } = useSteps.getState()
  const indexed = timeline.value
  if (of && !indexed && !loading && !failure) void load(of, at)
}
