/** The right column: the verdict, the registered panels as tabs, the selection and the drawer. */
import { PANELS, panelById } from '../features'
import { EnvironmentButton } from '../features/environment/EnvironmentButton'
import { LiveVerdict } from '../features/live/LiveVerdict'
import { SelectionStrip } from '../features/node/SelectionStrip'
import type { Panel } from '../features/types'
import { placeOf, useView } from '../session/view_store'
import { Guard } from '../ui/Guard'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs'
import { css, cx } from '../ui/css'
import { PanelBadge, PanelPlace, PanelToggle } from './PanelToggle'
import { Verdict } from './Verdict'
import styles from './Inspector.module.css'

const TABS = PANELS.filter((p) => placeOf(p.id) === 'tabs')
const DRAWER = PANELS.filter((p) => placeOf(p.id) === 'drawer')

export function Inspector() {
  const panel = panelById(useView((s) => s.places.tabs))
  return (
    <Tabs asChild value={panel.id} onValueChange={(id) => useView.getState().setPanel(panelById(id as Panel['id']).id)}>
      <aside className={styles.inspector} data-region="panels" aria-label="Panels">
        <Verdict />
        <LiveVerdict />
        <TabList className={styles.tabs} aria-label="Panels">
          {TABS.filter((p) => !p.transient || p === panel).map((p) => (
            <Tab key={p.id} value={p.id} data-testid={`panel-tab-${p.id}`}>
              {p.label}
              <PanelBadge panel={p} />
            </Tab>
          ))}
        </TabList>
        <TabPanel className={cx(css.fill, css.scroll)} value={panel.id} tabIndex={-1} data-testid="panel-body">
          <h2 className={css.hidden}>{panel.label}</h2>
          <Guard key={panel.id} what="This panel">
            <panel.Component />
          </Guard>
        </TabPanel>
        <PanelPlace place="drawer" />
        {!panel.showsSelection && <SelectionStrip />}
        <div className={styles.drawer}>
          <EnvironmentButton />
          {DRAWER.map((p) => (
            <PanelToggle key={p.id} id={p.id} />
          ))}
        </div>
      </aside>
    </Tabs>
  )
}
