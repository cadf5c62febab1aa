/** Buttons: with a frame, as an icon, and as a link inside text. */
import type { ComponentProps } from 'react'
import { cx } from './css'
import { Icon, type IconName } from './icons'
import { Tooltip } from './Tooltip'
import styles from './Button.module.css'

export type ButtonVariant = 'primary' | 'danger' | 'quiet'

export function Button({ variant, className, ...props }: ComponentProps<'button'> & { variant?: ButtonVariant }) {
  return <button className={cx(styles.button, className)} data-variant={variant} {...props} />
}

/**
 * A button that shows only an icon.
 * @param label its accessible name
 * @param hint the tooltip; default: the label
 */
export function IconButton({
  label,
  hint = label,
  icon,
  size,
  children,
  ...props
}: ComponentProps<typeof Button> & { label: string; hint?: string; icon: IconName; size?: number }) {
  return (
    <Tooltip text={hint}>
      <Button aria-label={label} {...props}>
        <Icon name={icon} size={size} />
        {children}
      </Button>
    </Tooltip>
  )
}

/** The icon that closes its container. */
export const CloseButton = (props: Omit<ComponentProps<typeof IconButton>, 'icon'>) => (
  <IconButton variant="quiet" icon="close" {...props} />
)

export function LinkButton({ mono, className, ...props }: ComponentProps<'button'> & { mono?: boolean }) {
  return <button className={cx(styles.link, mono && styles.mono, className)} {...props} />
}
