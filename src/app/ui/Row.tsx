/** Rows of lists and trees. */
import type { ComponentProps } from 'react'
import { cx } from './css'
import { Icon } from './icons'
import styles from './Row.module.css'

type Look = { selected?: boolean }

export function Row({ selected, className, ...props }: ComponentProps<'div'> & Look) {
  return <div className={cx(styles.row, className)} data-selected={selected || undefined} {...props} />
}

/** A row that is one button. @param indent below a parent row */
export function RowButton({
  selected,
  indent,
  className,
  ...props
}: ComponentProps<'button'> & Look & { indent?: boolean }) {
  return (
    <button
      className={cx(styles.row, styles.button, className)}
      data-selected={selected || undefined}
      data-indent={indent || undefined}
      {...props}
    />
  )
}

/** The main button of a row that has further buttons. */
export function RowMain({ className, ...props }: ComponentProps<'button'>) {
  return <button className={cx(styles.main, className)} {...props} />
}

/** Folds and unfolds the children of a row. */
export function FoldButton({ open, label, onClick }: { open: boolean; label: string; onClick(): void }) {
  return (
    <button className={styles.fold} aria-expanded={open} aria-label={label} onClick={onClick}>
      <Chevron open={open} />
    </button>
  )
}

/** Shows whether a row is unfolded; the row itself is the button. */
export function Chevron({ open, className }: { open: boolean; className?: string }) {
  return (
    <span className={cx(styles.chevron, className)} data-open={open || undefined}>
      <Icon name="chevron" size={12} />
    </span>
  )
}
