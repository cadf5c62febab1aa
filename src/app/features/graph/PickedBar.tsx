/** Above the graph while nodes are picked: makes a pattern of them. */
import { count } from '../../../base/english'
import { runById } from '../../commands/registry'
import { Button, IconButton } from '../../ui/Button'
import css from '../../ui/text.module.css'
import { useMedia } from '../../ui/use_media'
import { setPicked } from '../../on_screen/picked/picking'
import { useNewPattern } from '../../on_screen/picked/store'
import styles from '../../on_screen/look/LookBar.module.css'

export function PickedBar() {
  const picked = useNewPattern((s) => s.picked.length)
  const touch = useMedia('(pointer: coarse)')
  if (picked === 0) return null
  return (
    <div className={styles.bar} role="group" aria-label="Picked nodes" data-testid="picked-bar">
      <Button
        variant="primary"
        title="Make a pattern from the picked nodes (Q)"
        onClick={() => runById('pattern-from-selection')}
      >
        {count(picked, 'node')}: make a pattern
      </Button>
      <span className={css.muted}>{touch ? 'Tap more nodes' : 'Shift and click, or an arrow key, picks more'}</span>
      <span className={css.spring} />
      <IconButton variant="quiet" icon="close" size={12} label="Drop the picked nodes" onClick={() => setPicked([])} />
    </div>
  )
}
