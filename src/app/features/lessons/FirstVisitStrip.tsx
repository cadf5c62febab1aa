/** The strip of a first visit: one sentence, and one action that breaks the pattern on screen or repairs it. */
import { Button, CloseButton } from '../../ui/Button'
import { openExample } from '../../examples/examples'
import { useView } from '../../session/view_store'
import { lineOf, textOf, useWorkspace } from '../../session/workspace_store'
import { hideFirstVisit, TRY, useFirstVisit } from './first_visit'
import styles from './FirstVisitStrip.module.css'

export function FirstVisitStrip() {
  const shown = useFirstVisit((s) => s.shown)
  const text = useWorkspace((s) => textOf(s.workspace, TRY.file)) ?? ''
  if (!shown) return null
  const broken = text.includes(TRY.broken)
  const [from, to] = broken ? [TRY.broken, TRY.whole] : [TRY.whole, TRY.broken]
  const edit = (): void => {
    useWorkspace.getState().setText(TRY.file, text.replace(from, to))
    useWorkspace.getState().open(TRY.file)
    useView.getState().select({ kind: 'line', file: TRY.file, line: lineOf(text, from)! })
  }
  return (
    <section className={styles.strip} data-region="first-visit" aria-label="What this is" data-testid="first-visit">
      <p role="status">
        {broken
          ? 'The verdict names the cause. Why shows both sides of it, and an edit that was tried.'
          : 'Fusescope shows where a torch.fx pattern matches a graph, and why it does not match anywhere else.'}
      </p>
      {text.includes(from) && (
        <Button variant="primary" onClick={edit}>
          {broken ? 'Repair the pattern' : 'Break the pattern'}
        </Button>
      )}
      <Button onClick={() => void openExample('silu-mul-block-quant')}>See a vLLM pass</Button>
      <CloseButton label="Close the introduction" onClick={hideFirstVisit} />
    </section>
  )
}
