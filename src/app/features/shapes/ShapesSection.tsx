/** The notice above a graph without shapes, and the table of its inputs under it. */
import type { Report } from '../../../engine/protocol'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button, IconButton } from '../../ui/Button'
import { Chevron } from '../../ui/Row'
import { acceptGuesses, isAcceptable, noticeText, undoShapes } from './shapes'
import { ShapesTable } from './ShapesTable'
import { useShapes } from './shapes'
import { css, cx } from '../../ui/css'
import styles from './ShapesSection.module.css'

export function ShapesSection() {
  const report = useRun((s) => (s.result.sent ? null : s.result.value))
  const open = useShapes((s) => s.open)
  if (!report?.shapes) return null
  return (
    <section
      className={styles.section}
      aria-label="Shapes of the inputs"
      data-testid="shapes"
      data-missing={report.shapes.without > 0 || undefined}
      onKeyDown={(e) => {
        if (e.key !== 'Escape' || !open) return
        e.stopPropagation()
        useShapes.setState({ open: false })
      }}
    >
      <button
        className={styles.notice}
        aria-expanded={open}
        data-testid="shapes-notice"
        onClick={() => useShapes.setState({ open: !open })}
      >
        <Chevron open={open} />
        <span className={css.ellipsis}>{noticeText(report.shapes) ?? 'Every input has a shape.'}</span>
        <span className={css.spring} />
        <span className={cx(css.fixed, css.strong)}>
          {open ? 'Close' : report.shapes.without > 0 ? 'Give shapes' : 'Show shapes'}
        </span>
      </button>
      {open && <Opened report={report} />}
    </section>
  )
}

function Opened({ report }: { report: Report }) {
  const given = useWorkspace((s) => s.workspace.inputShapes)
  const undoable = useShapes((s) => s.past.length > 0)
  const { rows } = report.shapes!
  const acceptable = given === undefined || given ? rows.filter(isAcceptable).length : 0
  return (
    <div className={cx(css.column, css.low)}>
      <div className={styles.tools}>
        <span className={css.muted}>
          This text has no shapes. Give the shapes of the inputs; the operators compute the rest. PyTorch never has such
          a graph: without <code>meta["val"]</code>, register_replacement raises <code>KeyError: 'example_value'</code>.
        </span>
        <span className={cx(css.cluster, css.gap2, css.fixed)}>
          {acceptable > 0 && (
            <Button data-testid="accept-guesses" onClick={() => acceptGuesses(rows)}>
              Accept {acceptable === 1 ? '1 guess' : `all ${acceptable} guesses`}
            </Button>
          )}
          <IconButton icon="reset" label="Undo the last shape" disabled={!undoable} onClick={undoShapes} />
        </span>
      </div>
      <ShapesTable report={report} />
    </div>
  )
}
