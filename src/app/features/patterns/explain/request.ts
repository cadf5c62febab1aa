/** Requests the explained pattern from the engine, after the run that is in progress. */
import { messageOf } from '../../../../base/error_message'
import { requireCode } from '../../../session/consent'
import { runEnded, useRun } from '../../../session/run_store'
import { engine } from '../../../session/runner'
import { currentSession } from '../../../session/session'
import { useExplain } from './store'

export async function requestExplained(pass: string, entry: number): Promise<void> {
  const signal = currentSession().only('explain-pattern')
  try {
    await runEnded()
    if (signal.aborted) return
    requireCode('The explanation appears here')
    if (useRun.getState().python) throw new Error('The Python currently fails. The pattern is explained once it runs.')
    const explained = await (await engine()).explainPattern(pass, entry)
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
