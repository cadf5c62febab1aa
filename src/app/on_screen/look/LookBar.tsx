/** Says which part of the graph is drawn, and changes it. Hidden while the whole graph is drawn. */
import { count, thousands } from '../../../base/english'
import { Button, IconButton } from '../../ui/Button'
import { css, cx } from '../../ui/css'
import { showWhole, toggleViews, widen } from './actions'
import { changeLook, isWhole, useLookNow } from './store'
import styles from './LookBar.module.css'

/** @param drawn number of nodes on the canvas @param of number of nodes of the graph */
export function LookBar({ drawn, of }: { drawn: number; of: number }) {
  const look = useLookNow()
  if (isWhole(look)) return null
  const { only, hidden, noViews } = look
  return (
    <div className={styles.bar} role="group" aria-label="Part of the graph that is drawn" data-testid="look-bar">
      <span className={css.num} role="status">
        {thousands(drawn)} of {count(of, 'node')}
      </span>
      {only && <Steps direction="up" label="Inputs" steps={only.up} />}
      {only && <Steps direction="down" label="Users" steps={only.down} />}
      {hidden && (
        <Button variant="quiet" title="Draw the hidden nodes again" onClick={() => changeLook({ hidden: undefined })}>
          {hidden.length} hidden ×
        </Button>
      )}
      {noViews && (
        <Button variant="quiet" title="Draw views and sizes again (Shift+W)" onClick={toggleViews}>
          no views ×
        </Button>
      )}
      <span className={css.spring} />
      <Button variant="quiet" title="Draw the whole graph (Shift+I)" onClick={showWhole}>
        Whole graph
      </Button>
    </div>
  )
}

/** The number of steps in one direction. */
function Steps({ direction, label, steps }: { direction: 'up' | 'down'; label: string; steps: number }) {
  const what = label.toLowerCase()
  return (
    <span className={styles.steps}>
      <span className={css.muted}>{label}</span>
      <IconButton
        variant="quiet"
        icon="minus"
        size={10}
        label={`Draw ${what} one step less far`}
        disabled={steps === 0}
        onClick={() => widen(direction, -1)}
      />
      <span className={cx(css.num)}>{steps}</span>
      <IconButton
        variant="quiet"
        icon="plus"
        size={10}
        label={`Draw ${what} one step further`}
        onClick={() => widen(direction, 1)}
      />
    </span>
  )
}
