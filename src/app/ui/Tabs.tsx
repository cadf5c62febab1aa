/** Tabs: arrow keys, Home and End move and open; only the open one is in the tab order. */
import * as Radix from '@radix-ui/react-tabs'

export const { Root: Tabs, List: TabList, Trigger: Tab, Content: TabPanel } = Radix
