/** The right column: the registered panels as tabs, and the selection below them. */
import { PANELS, panelById } from '../features'
import { SelectionStrip } from '../features/node/SelectionStrip'
import type { Panel } from '../features/types'
import { useView } from '../session/view_store'
import { Badge } from '../ui/Badge'
import { Guard } from '../ui/Guard'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs'
import css from '../ui/text.module.css'
import styles from './Inspector.module.css'

export function Inspector() {
  const panel = panelById(useView((s) => s.panel))
  return (
    <Tabs asChild value={panel.id} onValueChange={(id) => useView.getState().setPanel(panelById(id as Panel['id']).id)}>
      <aside className={styles.inspector} data-region="panels" aria-label="Panels">
        <TabList className={styles.tabs} aria-label="Panels">
          {PANELS.map((p) => (
            <PanelTab key={p.id} panel={p} />
          ))}
        </TabList>
        <TabPanel className={styles.body} value={panel.id} tabIndex={-1} data-testid="panel-body">
          <h2 className={css.hidden}>{panel.label}</h2>
          <Guard key={panel.id} what="This panel">
            <panel.Component />
          </Guard>
        </TabPanel>
        {!panel.showsSelection && <SelectionStrip />}
      </aside>
    </Tabs>
  )
}

const useNoBadge = (): null => null

function PanelTab({ panel: { id, label, useBadge = useNoBadge } }: { panel: Panel }) {
  const badge = useBadge()
  return (
    <Tab value={id} data-testid={`panel-tab-${id}`}>
      {label}
      {badge && <Badge tone={badge.tone === 'bad' ? 'bad' : undefined}>{badge.text}</Badge>}
    </Tab>
  )
}
