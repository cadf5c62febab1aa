/** Empty states and notices. */
import type { ComponentProps } from 'react'
import { cx } from './css'
import styles from './Messages.module.css'

/** The text of a view without content. @param align `start` in a panel, `center` on an empty canvas */
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
