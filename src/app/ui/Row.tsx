/** Rows of lists and trees: a line of text with what belongs to it at its right. */
import type { ComponentProps } from 'react'
import { cx } from './cx'
import { Icon } from './icons'
import styles from './Row.module.css'

type Look = { selected?: boolean }

export function Row({ selected, className, ...props }: ComponentProps<'div'> & Look) {
  return <div className={cx(styles.row, className)} data-selected={selected || undefined} {...props} />
}

/** A row that is pressed as a whole. @param indent under another row */
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

/** The part of a row that is pressed, where something else in the row is pressed too. */
export function RowMain({ className, ...props }: ComponentProps<'button'>) {
  return <button className={cx(styles.main, className)} {...props} />
}

/** Folds and unfolds what is below a row. */
export function FoldButton({ open, label, onClick }: { open: boolean; label: string; onClick(): void }) {
  return (
    <button className={styles.fold} aria-expanded={open} aria-label={label} onClick={onClick}>
      <Chevron open={open} />
    </button>
  )
}

/** Shows whether a row is unfolded; the row itself is pressed. */
export function Chevron({ open, className }: { open: boolean; className?: string }) {
  return (
    <span className={cx(styles.chevron, className)} data-open={open || undefined}>
      <Icon name="chevron" size={12} />
    </span>
  )
}
