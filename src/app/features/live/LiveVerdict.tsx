/** PyTorch's verdict in the process that serves the page, below Fusescope's. */
import { count } from '../../../base/english'
import type { Report } from '../../../engine/protocol'
import { isAsRecorded } from '../../../engine/capture/workspace'
import { useRun, useStale } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { Badge } from '../../ui/Badge'
import { Button, LinkButton } from '../../ui/Button'
import { css } from '../../ui/css'
import { check } from './check'
import { differences, numbersText, processName, verdictOn, verdictText } from './compare'
import { isFromProcess, type ProcessState } from './process'
import { useLiveVerdict, useProcess } from './store'
import { openGraph } from './watch'
import styles from './LiveVerdict.module.css'
import { pythonFiles } from '../../../workspace/python_files'
import { toast } from '../../session/view_store'
import { download } from '../../files/download'

/** Saves the open workspace as a case of conformance/, with PyTorch's counts as the expected counts. */
async function saveCase(): Promise<void> {
  const { workspace } = useWorkspace.getState()
  const answer = await check({ case: true })
  if (!answer || !('counts' in answer) || !answer.case)
    return toast('PyTorch gave no verdict, so there is nothing to save.', { tone: 'bad' })
  const files = pythonFiles(workspace)
  const id = `live-${workspace.name.replace(/\W+/g, '-').slice(0, 60)}`
  const line = {
    id,
    family: 'live',
    pattern_py: files.length === 1 ? files[0]!.text : '',
    ...(files.length > 1 && { files }),
    ...(workspace.passes && { passes: workspace.passes }),
    ...(workspace.environment && { environment: workspace.environment }),
    ...answer.case,
  }
  download(`${id}.jsonl`, `${JSON.stringify(line)}\n`, 'application/jsonl')
  toast(`${id}.jsonl is downloaded: npx tsx conformance/run.ts ${id}.jsonl replays it.`)
}

/** Renders nothing on a page that no process serves. */
export function LiveVerdict() {
  const { state, ended } = useProcess()
  if (!state) return null
  return (
    <section className={styles.live} aria-label="PyTorch’s verdict in the process" data-testid="live-verdict">
      {ended ? (
        <p>{processName(state)} has ended. What you typed stays here.</p>
      ) : (
        <>
          <Line state={state} />
          <LinkButton onClick={() => void openGraph()}>{count(state.runs.length, 'graph')}</LinkButton>
        </>
      )}
    </section>
  )
}

function Asks({ name, names, changes }: { name: string; names: string; changes: string }) {
  return (
    <>
      <p className={css.wrap}>
        {name} waits for permission to run {names}: answer in its terminal, or call <code>session.allow()</code>.
      </p>
      <details>
        <summary className={css.muted}>What would run</summary>
        <pre className={css.wrap}>{changes}</pre>
      </details>
    </>
  )
}

/** The files did not finish in the process. */
function Failed({ name, sentence, stale }: { name: string; sentence: string; stale: boolean }) {
  return (
    <div className={styles.body} data-stale={stale || undefined}>
      <p role="status">
        {name}: <b>Error</b>
      </p>
      <p className={css.wrap}>{sentence}</p>
    </div>
  )
}

const recordedText = (report: Report | null): string =>
  report?.capture ? `${count(report.capture.replaced, 'match', 'matches')}, as recorded` : 'recorded'

function Line({ state }: { state: ProcessState }) {
  const { workspace, version, origin, foreign } = useWorkspace()
  const { answer: checked, checking } = useLiveVerdict()
  const { value: answer } = checked
  const stale = useStale(checked) || checking
  const run = useRun()
  const ours = verdictOn(version, run)
  const name = processName(state)
  if (state.runs.length === 0) return <p>{name}: no graph has been compiled yet.</p>
  if (foreign !== null || !isFromProcess(origin)) return <p>{name}: this workspace does not come from the process.</p>
  if (isAsRecorded(workspace))
    return (
      <p>
        {name}: {recordedText(run.result.value)}
      </p>
    )
  if (!answer) return <p>{checking ? `${name} …` : name}</p>
  if ('asks' in answer) return <Asks name={name} {...answer} />
  if ('error' in answer) return <Failed name={name} sentence={answer.error} stale={stale} />
  const found = ours && !stale ? differences(ours, answer) : []
  const numbers = numbersText(answer)
  return (
    <div className={styles.body} data-stale={stale || undefined}>
      <p role="status">
        {name}: <b>{verdictText(answer)}</b>{' '}
        {found.length > 0 && (
          <Badge tone="bad" data-testid="live-differs">
            differs
          </Badge>
        )}
      </p>
      {found.map((d) => (
        <p key={d} className={css.wrap}>
          {d}
        </p>
      ))}
      {answer.failed.map((sentence) => (
        <p key={sentence} className={css.wrap}>
          {sentence}
        </p>
      ))}
      {numbers && <p className={css.wrap}>{numbers}</p>}
      {answer.operators.length > 0 && (
        <p className={css.muted}>{`Defined by the process, not by the files: ${answer.operators.join(', ')}`}</p>
      )}
      {answer.messages.trim() !== '' && (
        <details>
          <summary className={css.muted}>Messages of the files</summary>
          <pre className={css.wrap}>{answer.messages}</pre>
        </details>
      )}
      <p>
        <Button disabled={stale} onClick={() => void check({ numbers: true })}>
          Compare values there
        </Button>{' '}
        {found.length > 0 && <Button onClick={() => void saveCase()}>Save as a test of Fusescope</Button>}
      </p>
    </div>
  )
}
