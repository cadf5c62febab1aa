import { Command as Menu } from 'cmdk'
import { markOf } from '../../session/report_index'
import { bindingsText } from '../../session/verdict'
import { patternsFor, pinOf } from './why_not_pin'
import { usePin } from './pin_store'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { Dialog } from '../../ui/Dialog'
import { PatternBadge } from '../../ui/PatternBadge'

/** "Why doesn't … match here?": chooses the pattern to pin to a node. */
export function PinDialog() {
  const node = usePin((s) => s.choosing)
  const report = useRun((s) => s.report)
  const close = (): void => useView.getState().setOverlay(null)
  if (!node || !report) return null
  return (
    <Dialog label={`Why doesn’t a pattern match at ${node}?`} className="palette pin-dialog" onClose={close}>
      <Menu label="Patterns" loop>
        <Menu.Input autoFocus placeholder={`Which pattern should match at ${node}?`} />
        <Menu.List>
          <Menu.Empty>No pattern of that name.</Menu.Empty>
          {patternsFor(report, node).map(({ pass, entry, near, fires }) => {
            const bindings = bindingsText(entry, pass.entries)
            return (
              <Menu.Item
                key={`${pass.name}:${entry.index}`}
                value={`${entry.title} ${bindings} ${pass.name} ${entry.index}`}
                onSelect={() => {
                  close()
                  usePin.getState().pinTo(pinOf(pass, entry, node))
                  useView.getState().setPanel('whynot')
                }}
              >
                <PatternBadge mark={markOf(report, pass.name, entry.index)} hollow={entry.fired === 0} />
                <span className="pin-choice">
                  <span>{entry.title}</span>
                  {bindings && <span className="muted mono entry-bindings">{bindings}</span>}
                </span>
                <span className="muted num">{fires ? 'fires here' : near ? 'came near' : ''}</span>
              </Menu.Item>
            )
          })}
        </Menu.List>
      </Menu>
    </Dialog>
  )
}
