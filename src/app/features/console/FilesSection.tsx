/** The Python files of the last run: what each registered, which failed, and functions that register patterns when called. */
import type { FileOutcome } from '../../../engine/protocol'
import { CALLS_FILE, callsOf, outcomeText } from '../../../engine/report/file_outcomes'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button } from '../../ui/Button'
import { SectionTitle } from '../../ui/Section'
import { SourceLink } from '../../ui/SourceLink'
import { cx } from '../../ui/cx'
import styles from './ConsolePanel.module.css'
import css from '../../ui/text.module.css'

export function FilesSection() {
  const files = useRun((s) => s.report?.files)
  if (!files) return null
  const tracebacks = files.flatMap((f) => f.failure?.traceback ?? [])
  return (
    <section data-testid="file-outcomes">
      <SectionTitle as="h3">Files</SectionTitle>
      <ul>
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
      <span className={cx(failure ? styles.failed : css.muted)}>{outcomeText(outcome)}</span>
      {uncalled.map((name) => (
        <Button
          key={name}
          title={`${name}() registers patterns, and no file calls it. Adds the call to ${CALLS_FILE}.`}
          onClick={() => addCall(module, name)}
        >
          Call {name}()
        </Button>
      ))}
    </li>
  )
}

/** Adds the call to the file of calls, which runs last. */
function addCall(module: string, name: string): void {
  const { workspace, addFile, setText } = useWorkspace.getState()
  const known = workspace.files.find((f) => f.name === CALLS_FILE)
  if (known) setText(CALLS_FILE, `${known.text.trimEnd()}\nimport ${module}\n${module}.${name}()\n`)
  else addFile(CALLS_FILE, callsOf([{ module, name }]))
}
