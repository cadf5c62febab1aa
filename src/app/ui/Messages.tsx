/** What a place says while it has nothing to show, and a paragraph that has to be noticed. */
import type { ComponentProps } from 'react'
import { cx } from './cx'
import styles from './Messages.module.css'

/** @param align `start` in a panel, where the first line would stand; `center` on an empty canvas */
export function EmptyState({
  align = 'start',
  className,
  ...props
}: ComponentProps<'div'> & { align?: 'start' | 'center' }) {
  return <div className={cx(styles.empty, className)} data-align={align} {...props} />
}

export function Notice({ tone, className, ...props }: ComponentProps<'p'> & { tone?: 'warn' | 'bad' }) {
  return <p className={cx(styles.notice, className)} data-tone={tone} {...props} />
}
