/**
 * The Python files of the last run: what each file registered, which files failed, and which functions register patterns when
 * called.
 */
import type { FileOutcome } from '../../../engine/protocol'
import { outcomeText, uncalledIn } from '../../../engine/report/file_outcomes'
import { CALLS_FILE, MAX_FILES, withCalls } from '../../../workspace'
import { useRun } from '../../session/run_store'
import { toast } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button } from '../../ui/Button'
import { SectionTitle } from '../../ui/Section'
import { SourceLink } from '../../ui/SourceLink'
import { css, cx } from '../../ui/css'
import styles from './ConsolePanel.module.css'

export function FilesSection() {
  const files = useRun((s) => s.result.value?.files)
  if (!files) return null
  const uncalled = uncalledIn(files)
  const tracebacks = files.flatMap((f) => f.failure?.traceback ?? [])
  return (
    <section data-testid="file-outcomes">
      <SectionTitle as="h3">Files</SectionTitle>
      {uncalled.length > 1 && (
        <Button title={`Adds the calls to ${CALLS_FILE}, which runs last.`} onClick={() => addCalls(uncalled)}>
          Call all {uncalled.length} registration functions
        </Button>
      )}
      <ul className={styles.files}>
        {files.map((f) => (
          <FileRow key={f.file} outcome={f} />
        ))}
      </ul>
      {tracebacks.map((text, i) => (
        <pre key={i} className={cx(css.wrap, styles.traceback)}>
          {text}
        </pre>
      ))}
    </section>
  )
}

function FileRow({ outcome }: { outcome: FileOutcome }) {
  const { file, module, failure, uncalled } = outcome
  const line = failure?.frames.findLast((f) => f.file === file)?.line ?? 1
  return (
    <li className={cx(css.mono, css.wrap)}>
      <SourceLink source={{ file, line }} />{' '}
      <span className={cx(failure ? css.bad : css.muted)}>{outcomeText(outcome)}</span>
      {uncalled.map((name) => (
        <Button
          key={name}
          title={`${name}() registers patterns, and no file calls it. Adds the call to ${CALLS_FILE}.`}
          onClick={() => addCalls([`${module}.${name}`])}
        >
          Call {name}()
        </Button>
      ))}
    </li>
  )
}

/** Adds the calls to CALLS_FILE, which runs last. */
function addCalls(calls: readonly string[]): void {
  const { workspace, putFiles } = useWorkspace.getState()
  const file = withCalls(workspace.files, calls).find((f) => f.name === CALLS_FILE)!
  if (workspace.files.length < MAX_FILES || workspace.files.some((f) => f.name === CALLS_FILE)) putFiles([file])
  else toast(`${CALLS_FILE} was not added: a workspace holds at most ${MAX_FILES} files.`, { tone: 'bad' })
}
