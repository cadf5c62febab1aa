import { count } from '../../../base/english'
import { Button } from '../../ui/Button'
import { Icon } from '../../ui/icons'
import styles from '../../shell/Banners.module.css'
import { replaceByUpdate, useOffline } from './store'

/** Offers a new version of the page that the browser has stored completely. */
export function UpdateBanner() {
  const { update, others } = useOffline()
  if (!update) return null
  return (
    <div className={styles.banner} role="status" data-testid="update-banner">
      <Icon name="reset" />
      <span>
        {others === 0
          ? 'A new version of Fusescope is ready.'
          : `${count(others, 'other window')} of Fusescope ${others === 1 ? 'shows' : 'show'} the old version. Close ${others === 1 ? 'it' : 'them'} first.`}
      </span>
      <Button variant="primary" onClick={replaceByUpdate}>
        Use it now
      </Button>
      <Button onClick={() => useOffline.setState({ update: null, others: 0 })}>Later</Button>
    </div>
  )
}
