/** The button of a panel that opens in the drawer or beside the graph, and the panel at that place. */
import type { PanelId } from '../../workspace/types'
import { panelById, togglePanel } from '../features'
import type { Panel } from '../features/types'
import { placeOf, useView } from '../session/view_store'
import { Badge } from '../ui/Badge'
import { CloseButton, LinkButton } from '../ui/Button'
import { Guard } from '../ui/Guard'
import { css } from '../ui/css'
import { commandHint } from '../commands/CommandButton'
import styles from './PanelToggle.module.css'

export function PanelToggle({ id }: { id: PanelId }) {
  const panel = panelById(id)
  const open = useView((s) => s.places[placeOf(id)] === id)
  return (
    <LinkButton
      className={styles.toggle}
      aria-expanded={open}
      data-testid={`panel-tab-${id}`}
      title={commandHint(`panel-${id}`)}
      onClick={() => togglePanel(id)}
    >
      {panel.label}
      <PanelBadge panel={panel} />
    </LinkButton>
  )
}

const useNoBadge = (): null => null

export function PanelBadge({ panel: { useBadge = useNoBadge } }: { panel: Panel }) {
  const badge = useBadge()
  return badge && <Badge tone={badge.tone === 'bad' ? 'bad' : undefined}>{badge.text}</Badge>
}

/** The open panel of a place; nothing if none is open. */
export function PanelPlace({ place }: { place: 'drawer' | 'graph' }) {
  const id = useView((s) => s.places[place])
  if (id === null) return null
  const panel = panelById(id)
  return (
    <section
      className={styles.place}
      data-place={place}
      data-testid={`place-${place}`}
      aria-label={panel.label}
      tabIndex={0}
    >
      {place === 'drawer' ? (
        <div className={styles.head}>
          <h2>{panel.label}</h2>
          <CloseButton size={12} label={`Close ${panel.label}`} onClick={() => useView.getState().closePlace(place)} />
        </div>
      ) : (
        <h2 className={css.hidden}>{panel.label}</h2>
      )}
      <Guard key={id} what="This panel">
        <panel.Component />
      </Guard>
    </section>
  )
}
