/** The bar above the graph while nodes are picked: how to pick, and a button that makes the pattern. */
import { count } from '../../../base/english'
import { runById } from '../../commands/registry'
import { Button, CloseButton } from '../../ui/Button'
import { css } from '../../ui/css'
import { useMedia } from '../../ui/use_media'
import { endPicking } from '../../on_screen/picked/picking'
import { useNewPattern } from '../../on_screen/picked/store'
import styles from '../../on_screen/look/LookBar.module.css'

export function PickedBar() {
  const picked = useNewPattern((s) => s.picked.length)
  const picking = useNewPattern((s) => s.picking)
  const touch = useMedia('(pointer: coarse)')
  if (picked === 0 && !picking) return null
  const hand = touch ? 'Tap nodes, or draw over them' : 'Click nodes, or draw a rectangle'
  const how = picking ? hand : 'Shift and click, or an arrow key, picks more'
  return (
    <div className={styles.bar} role="group" aria-label="Picked nodes" data-testid="picked-bar">
      {picked > 0 && (
        <Button
          variant="primary"
          title="Make a pattern from the picked nodes (Q)"
          onClick={() => runById('pattern-from-selection')}
        >
          {count(picked, 'node')}: make a pattern
        </Button>
      )}
      {(picked === 0 || !picking) && <span className={css.muted}>{how}</span>}
      <span className={css.spring} />
      <CloseButton size={12} label="Stop picking nodes" onClick={endPicking} />
    </div>
  )
}
