import { count } from '../../../base/english'
import { Button } from '../../ui/Button'
import { Banner } from '../../shell/Banners'
import { replaceByUpdate, useOffline } from './store'

/** Offers a new version of the page that the browser has stored completely. */
export function UpdateBanner() {
  const { update, others } = useOffline()
  if (!update) return null
  const text =
    others === 0
      ? 'A new version of Fusescope is ready.'
      : `${count(others, 'other window')} of Fusescope ${others === 1 ? 'shows' : 'show'} the old version. Close ${others === 1 ? 'it' : 'them'} first.`
  return (
    <Banner role="status" data-testid="update-banner" icon="reset" text={text}>
      <Button variant="primary" onClick={replaceByUpdate}>
        Use it now
      </Button>
      <Button onClick={() => useOffline.setState({ update: null, others: 0 })}>Later</Button>
    </Banner>
  )
}
