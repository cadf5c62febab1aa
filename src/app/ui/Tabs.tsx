/** Tabs: arrow keys, Home and End select; only the selected tab is in the tab order. */
import * as Radix from '@radix-ui/react-tabs'

export const { Root: Tabs, List: TabList, Trigger: Tab, Content: TabPanel } = Radix
