/** Requests the explanation of the pinned pair after each run, until it is unpinned. */
import type { Report } from '../../../engine/protocol'
import type { Pin } from '../../../workspace/types'
import { nodeNamed } from '../../../engine/queries/report_index'
import { entryOfPin } from '../../report/why_not_pin'
import { usePin } from '../../on_screen/pin_store'
import { useRun } from '../../session/run_store'
import { messageOf } from '../../../base/error_message'
import { engine } from '../../session/runner'
import { done, NONE } from '../../session/section'
import { currentSession, type OpenPart } from '../../session/session'

/** Requests the explanation when a pattern is pinned and after each run. */
export const pinPart: OpenPart = () => ({
  onRunEnd: () => void ask(),
  dispose: usePin.subscribe((s, before) => {
    if (s.pin !== before.pin) void ask()
  }),
})

async function ask(): Promise<void> {
  const signal = currentSession().only('pin')
  const { pin } = usePin.getState()
  const { value: report, sent, version } = useRun.getState().result
  if (!pin || !report || sent) return
  const problem = problemOf(report, pin)
  if (problem) return usePin.setState({ problem, asking: false, answer: NONE })
  const { entry } = entryOfPin(report, pin)!
  usePin.setState({ asking: true, problem: null })
  try {
    const answer = await (await engine()).pin(pin.pass, entry.index, pin.node, signal)
    if (!signal.aborted) usePin.setState({ answer: done(answer, version), asking: false })
  } catch (e) {
    if (!signal.aborted) usePin.setState({ asking: false, problem: `This could not be explained: ${messageOf(e)}` })
  }
}

function problemOf(report: Report, pin: Pin): string | null {
  if (!entryOfPin(report, pin)) return `The pattern is no longer registered in ${pin.pass}.`
  if (!nodeNamed(report.graph, pin.node)) return `The graph no longer has a node ${pin.node}.`
  return null
}
