import * as Radix from '@radix-ui/react-radio-group'
import { cx } from './css'
import buttons from './Button.module.css'
import styles from './Segmented.module.css'

export interface Segment<T extends string> {
  value: T
  label: string
  title?: string
  disabled?: boolean
  testId?: string
}

/**
 * A radio group as a row of buttons. Arrow keys move and select.
 * @param value null while none is selected
 * @param wide the buttons fill the row
 */
export function Segmented<T extends string>({
  label,
  value,
  segments,
  onChange,
  wide,
  className,
}: {
  label: string
  value: T | null
  segments: readonly Segment<T>[]
  onChange(value: T): void
  wide?: boolean
  className?: string
}) {
  return (
    <Radix.Root
      className={cx(styles.segmented, className)}
      data-wide={wide || undefined}
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => onChange(next as T)}
    >
      {segments.map((s) => (
        <Radix.Item
          key={s.value}
          className={cx(buttons.button, styles.segment)}
          value={s.value}
          disabled={s.disabled}
          title={s.title}
          data-testid={s.testId}
        >
          {s.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  )
}
