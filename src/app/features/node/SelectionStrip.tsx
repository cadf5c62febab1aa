/** One line about the selection, below the open panel. */
import { runById } from '../../commands/registry'
import { useSelectionHighlight } from '../../on_screen/use_highlight'
import { nodeNamed } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import { graphOfSide, useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { css, cx } from '../../ui/css'
import { LinkButton } from '../../ui/Button'
import styles from './SelectionStrip.module.css'

export function SelectionStrip() {
  const selection = useView((s) => s.selection)
  const side = selection?.kind === 'node' ? selection.side : 'before'
  const graph = useRun((s) => graphOfSide(s, side))
  const h = useSelectionHighlight()
  if (!selection) return <Hint>Select a node, a match or a pattern.</Hint>
  const name = selection.kind === 'node' ? selection.name : h.focusBefore
  const node = name ? nodeNamed(graph, name) : null
  const entry = selection.kind === 'entry' ? h.entry?.entry : undefined
  if (entry)
    return (
      <footer className={styles.strip}>
        <span className={css.ellipsis}>{entry.title}</span>
        <span className={cx(css.muted, css.num)}>
          {entry.fired > 0 ? `fired ${count(entry.fired, 'time')}` : 'did not fire'}
        </span>
        {h.before.size > 0 && <span className={cx(css.muted, css.num)}>{count(h.before.size, 'node')}</span>}
      </footer>
    )
  const gone = !node && (selection.kind === 'match' || selection.kind === 'nearMiss')
  if (gone) return <Hint>The selection is not in this result.</Hint>
  return (
    <footer className={styles.strip}>
      <span className={css.ellipsis}>
        {node ? (
          <>
            <span className={css.mono}>{node.name}</span>{' '}
            <span className={cx(css.muted, css.mono)}>{node.inner ?? node.target}</span>{' '}
            <span className={cx(css.muted, css.mono)}>{node.dtype ? `${node.dtype}${node.shape ?? ''}` : ''}</span>
          </>
        ) : selection.kind === 'line' ? (
          `${selection.file}:${selection.line}`
        ) : (
          'Not a node of the graph'
        )}
      </span>
      {h.before.size > 1 && <span className={cx(css.muted, css.num)}>{h.before.size} nodes</span>}
      {selection.kind === 'match' && (
        <LinkButton data-testid="step-through" onClick={() => runById('step-through')}>
          Step through
        </LinkButton>
      )}
      {node && (
        <LinkButton
          onClick={() => {
            useView.getState().select({ kind: 'node', side, name: node.name })
            useView.getState().setPanel('inspector')
          }}
        >
          All facts
        </LinkButton>
      )}
    </footer>
  )
}

function Hint({ children }: { children: string }) {
  return (
    <footer className={cx(styles.strip, css.muted)}>
      <span className={css.ellipsis} title={children}>
        {children}
      </span>
    </footer>
  )
}
