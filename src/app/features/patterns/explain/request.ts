/** Requests the explained pattern from the engine after the current run. */
import { messageOf } from '../../../../base/error_message'
import { askRun } from '../../../session/ask/ask_run'
import { currentSession } from '../../../session/session'
import { useExplain } from '../../../on_screen/explain/store'

export async function requestExplained(pass: string, entry: number): Promise<void> {
  const signal = currentSession().only('explain-pattern')
  try {
    const { value: explained } = await askRun(signal, 'The explanation appears here', (client) =>
      client.explainPattern(pass, entry, signal),
    )
    if (signal.aborted) return
    const { explained: before, stage, folded } = useExplain.getState()
    const same = before?.pass === pass && before.entry === entry
    useExplain.setState({
      explained,
      failure: null,
      stage: same && stage < explained.stages.length ? stage : 0,
      folded: same ? folded : new Set(),
    })
  } catch (e) {
    if (!signal.aborted) useExplain.setState({ explained: null, failure: messageOf(e) })
  }
}
