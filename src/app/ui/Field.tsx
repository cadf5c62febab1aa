/** Text fields, selects and their labels. */
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import styles from './Field.module.css'

type Mono = { mono?: boolean }

export function Input({ mono, className, ...props }: ComponentProps<'input'> & Mono) {
  return <input className={cx(styles.field, mono && styles.mono, className)} {...props} />
}

export function Select({ mono, className, ...props }: ComponentProps<'select'> & Mono) {
  return <select className={cx(styles.field, styles.select, mono && styles.mono, className)} {...props} />
}

export function TextArea({ mono, className, ...props }: ComponentProps<'textarea'> & Mono) {
  return <textarea className={cx(styles.field, styles.area, mono && styles.mono, className)} {...props} />
}

/** A control under its label. @param wide takes a whole row of a form's grid */
export function Field({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <label className={styles.label} data-wide={wide || undefined}>
      {label}
      {children}
    </label>
  )
}
