/** Text fields, selects and their labels. */
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { cx } from './css'
import styles from './Field.module.css'

/** `onValue`: called with the text, or the chosen option, when the user changes it. */
type Own = { mono?: boolean; onValue?(value: string): void }

export const Input = ({ mono, className, onValue, ...props }: ComponentProps<'input'> & Own) => (
  <input
    className={cx(styles.field, mono && styles.mono, className)}
    onChange={onValue && ((e) => onValue(e.target.value))}
    {...props}
  />
)

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

type Option = readonly [value: string | number, label: ReactNode]

/** Choosing with the pointer releases the focus, so that single keys are shortcuts again; choosing with the keyboard keeps it. */
export function Select({
  mono,
  className,
  onValue,
  options = [],
  children,
  ...props
}: Omit<ComponentProps<'select'>, 'onChange'> & Own & { options?: readonly Option[] }) {
  const byPointer = useRef(false)
  return (
    <select
      className={cx(styles.field, styles.select, mono && styles.mono, className)}
      onPointerDown={() => (byPointer.current = true)}
      onKeyDown={() => (byPointer.current = false)}
      onChange={(e) => {
        onValue?.(e.target.value)
        if (byPointer.current) e.currentTarget.blur()
      }}
      {...props}
    >
      {children}
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

export const TextArea = ({ mono, className, onValue, ...props }: ComponentProps<'textarea'> & Own) => (
  <textarea
    className={cx(styles.field, styles.area, mono && styles.mono, className)}
    onChange={onValue && ((e) => onValue(e.target.value))}
    {...props}
  />
)

/** A control under its label. @param wide takes a whole row of a form's grid */
export function Field({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <label className={styles.label} data-wide={wide || undefined}>
      {label}
      {children}
    </label>
  )
}
