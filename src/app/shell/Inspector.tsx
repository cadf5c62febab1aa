/** The right column: the registered panels as tabs, and the selection below them. */
import { PANELS, panelById } from '../features'
import { SelectionStrip } from '../features/node/SelectionStrip'
import type { Panel } from '../features/types'
import { useView } from '../session/view_store'
import { Guard } from '../ui/Guard'
import './panels.css'

export function Inspector() {
  const panel = panelById(useView((s) => s.panel))
  const { setPanel } = useView.getState()
  return (
    <aside className="inspector" aria-label="Panels">
      <div
        className="panel-tabs"
        role="tablist"
        aria-label="Panels"
        onKeyDown={(e) => {
          const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0
          if (!step) return
          e.preventDefault()
          const next = PANELS[(PANELS.indexOf(panel) + step + PANELS.length) % PANELS.length]!.id
          setPanel(next)
          document.getElementById(`panel-tab-${next}`)?.focus()
        }}
      >
        {PANELS.map((p) => (
          <PanelTab key={p.id} panel={p} selected={p === panel} />
        ))}
      </div>
      <div id="panel-body" className="panel-body" role="tabpanel" aria-labelledby={`panel-tab-${panel.id}`}>
        <Guard key={panel.id} what="This panel">
          <panel.Component />
        </Guard>
      </div>
      {!panel.showsSelection && <SelectionStrip />}
    </aside>
  )
}

const useNoBadge = (): null => null

function PanelTab({ panel, selected }: { panel: Panel; selected: boolean }) {
  const { id, label, useBadge = useNoBadge } = panel
  const badge = useBadge()
  return (
    <button
      id={`panel-tab-${id}`}
      role="tab"
      aria-selected={selected}
      aria-controls="panel-body"
      tabIndex={selected ? 0 : -1}
      data-testid={`panel-tab-${id}`}
      onClick={() => useView.getState().setPanel(id)}
    >
      {label}
      {badge && <span className={`count ${badge.tone === 'bad' ? 'bad' : ''}`}>{badge.text}</span>}
    </button>
  )
}
