/** A link from a panel to the documentation (docs.html), which opens in a tab of its own. */
import { Icon } from '../ui/icons'
import styles from './DocsLink.module.css'

export const docsAddress = (place: string): string => `docs.html#${place}`

/** @param to a page, or a page and an anchor: `causes:arity` @param label names the target for a screen reader */
export function DocsLink({ to, label }: { to: string; label: string }) {
  return (
    <a className={styles.link} href={docsAddress(to)} target="_blank" rel="noreferrer" aria-label={label} title={label}>
      <Icon name="book" size={13} />
    </a>
  )
}
