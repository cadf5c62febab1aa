import * as Radix from '@radix-ui/react-dropdown-menu'
import { useEffect, useState } from 'react'
import styles from './Menu.module.css'

export interface MenuItem {
  label: string
  run(): void
}

/**
 * A menu at a point of the page. Arrow keys, Home, End and typing move in it. Escape, Tab, a press outside and the wheel close it;
 * the focus then returns to its previous element, unless the chosen item moved it.
 * @param at in CSS pixels of the viewport
 */
export function Menu({
  label,
  heading,
  at,
  items,
  onClose,
}: {
  label: string
  heading: string
  at: { clientX: number; clientY: number }
  items: readonly MenuItem[]
  onClose(): void
}) {
  const [before] = useState(() => document.activeElement)
  const returnFocus = (event: Event): void => {
    event.preventDefault()
    if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
  }
  useEffect(() => {
    addEventListener('wheel', onClose, true)
    return () => removeEventListener('wheel', onClose, true)
  }, [onClose])
  return (
    <Radix.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>
        <span className={styles.anchor} style={{ left: at.clientX, top: at.clientY }} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.menu}
          aria-label={label}
          align="start"
          collisionPadding={8}
          loop
          onCloseAutoFocus={returnFocus}
        >
          <Radix.Label className={styles.heading}>{heading}</Radix.Label>
          {items.map((item) => (
            <Radix.Item key={item.label} className={styles.item} onSelect={item.run}>
              {item.label}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
