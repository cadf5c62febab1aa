/** Tabs: arrow keys, Home and End select; only the selected tab is in the tab order. */
import * as Radix from '@radix-ui/react-tabs'
import type { ComponentProps } from 'react'
import styles from './Tabs.module.css'

export const { Root: Tabs, List: TabList, Content: TabPanel } = Radix

/**
 * A tab. On a mouse press, Radix focuses it by script, which a browser treats as keyboard focus and draws a ring. The ring is for
 * the keyboard, so a pressed tab is marked until it loses focus or a key is pressed.
 */
export function Tab({ className = '', ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      {...props}
      className={`${styles.tab} ${className}`}
      onPointerDown={(event) => event.currentTarget.setAttribute('data-pressed', '')}
      onKeyDown={(event) => event.currentTarget.removeAttribute('data-pressed')}
      onBlur={(event) => event.currentTarget.removeAttribute('data-pressed')}
    />
  )
}
