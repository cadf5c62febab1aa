/** Small labels: counts and states beside a name, and keys. */
import type { ComponentProps } from 'react'
import { cx } from './css'
import styles from './Badge.module.css'

export function Badge({ tone, className, ...props }: ComponentProps<'span'> & { tone?: 'good' | 'warn' | 'bad' }) {
  return <span className={cx(styles.badge, className)} data-tone={tone} {...props} />
}

export function Kbd({ className, ...props }: ComponentProps<'kbd'>) {
  return <kbd className={cx(styles.key, className)} {...props} />
}
