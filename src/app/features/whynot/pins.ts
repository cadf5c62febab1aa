/** Asks about the pinned pair, again after each run, until it is unpinned. */
import type { Report } from '../../../engine/protocol'
import type { Pin } from '../../../workspace/types'
import { nodeNamed } from '../../session/report_index'
import { entryOfPin } from './why_not_pin'
import { usePin } from './pin_store'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { engine } from '../../session/runner'
import { messageOf } from '../../../base/error_message'

/** Counts questions: an answer to an older one is passed over. */
let newest = 0

export function watchPin(): () => void {
  const stops = [
    usePin.subscribe((s, before) => {
      if (s.pin !== before.pin) void ask()
    }),
    // `explained` and `fixes` give the same report again: only a new run can change the answer.
    useRun.subscribe((s, before) => {
      const ran = before.running && !s.running
      if (ran || s.reportVersion !== before.reportVersion || s.summary !== before.summary) void ask()
    }),
    useWorkspace.subscribe((s, before) => {
      if (s.origin !== before.origin && usePin.getState().pin) usePin.getState().pinTo(null)
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

async function ask(): Promise<void> {
  const id = ++newest
  const { pin } = usePin.getState()
  const { report, summary } = useRun.getState()
  if (!pin || !report || summary) return
  const problem = problemOf(report, pin)
  if (problem) return usePin.setState({ problem, asking: false, answer: null })
  const { entry } = entryOfPin(report, pin)!
  usePin.setState({ asking: true, problem: null })
  try {
    const answer = await (await engine()).pin(pin.pass, entry.index, pin.node)
    if (id === newest) usePin.setState({ answer, asking: false })
  } catch (e) {
    if (id === newest) usePin.setState({ asking: false, problem: `This could not be worked out: ${messageOf(e)}` })
  }
}

function problemOf(report: Report, pin: Pin): string | null {
  if (!entryOfPin(report, pin)) return `The pattern is not registered in ${pin.pass} any more.`
  if (!nodeNamed(report.graph, pin.node)) return `The graph has no node ${pin.node} any more.`
  return null
}
