/** Text fields, selects and their labels. */
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx'
import styles from './Field.module.css'

type Mono = { mono?: boolean }

export function Input({ mono, className, ...props }: ComponentProps<'input'> & Mono) {
  return <input className={cx(styles.field, mono && styles.mono, className)} {...props} />
}

/** A row's name while it is renamed. @param rename resolves to false if the name was not taken */
export function RenameInput(props: { name: string; rename(to: string): Promise<boolean | void>; done(): void }) {
  const { name, rename, done } = props
  return (
    <Input
      className={styles.rename}
      aria-label={`New name of ${name}`}
      title="Enter to rename, Escape to cancel"
      defaultValue={name}
      autoFocus
      maxLength={200}
      onFocus={(e) => e.target.select()}
      onBlur={done}
      onKeyDown={(e) => {
        if (e.key === 'Enter') void rename(e.currentTarget.value).then((taken) => taken !== false && done())
        else if (e.key === 'Escape') done()
        else return
        e.stopPropagation()
        e.preventDefault()
      }}
    />
  )
}

/** A choice with the pointer lets go of the focus, so that single keys are shortcuts again; the keyboard's keeps it. */
export function Select({ mono, className, onChange, ...props }: ComponentProps<'select'> & Mono) {
  const byPointer = useRef(false)
  return (
    <select
      className={cx(styles.field, styles.select, mono && styles.mono, className)}
      onPointerDown={() => (byPointer.current = true)}
      onKeyDown={() => (byPointer.current = false)}
      onChange={(e) => {
        onChange?.(e)
        if (byPointer.current) e.currentTarget.blur()
      }}
      {...props}
    />
  )
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
