import { openSteps } from './timeline_requests'
import { Icon } from '../../ui/icons'
import type { StepsOf } from './store'
import { Button } from '../../ui/Button'
import styles from './StepThrough.module.css'

/** Opens the Steps panel on an anchor, for one pattern or (entry null) all patterns tried there. */
export function StepThrough({ of, children = 'Step through' }: { of: StepsOf; children?: React.ReactNode }) {
  return (
    <Button
      className={styles.button}
      variant="quiet"
      data-testid="step-through"
      title={`Step through the match at ${of.node}`}
      onClick={() => void openSteps(of)}
    >
      <Icon name="steps" size={13} />
      {children}
    </Button>
  )
}
