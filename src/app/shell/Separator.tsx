/** The draggable line between two panels. */
import { Separator as Line } from 'react-resizable-panels'
import styles from './Separator.module.css'
import { css, cx } from '../ui/css'

/** @param touch true if a finger moves it */
export function Separator({ label, touch }: { label: string; touch?: boolean }) {
  return <Line className={cx(styles.separator, css.surface)} data-touch={touch} aria-label={label} />
}
