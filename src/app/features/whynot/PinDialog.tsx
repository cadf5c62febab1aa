import { Command } from 'cmdk'
import { markOf } from '../../../engine/queries/report_index'
import { bindingsText } from '../../../engine/queries/report_text'
import { patternsFor, pinOf } from '../../report/why_not_pin'
import { usePin } from '../../on_screen/pin_store'
import { useRun } from '../../session/run_store'
import { closeOverlay, useView } from '../../session/view_store'
import { Dialog } from '../../ui/Dialog'
import { PatternBadge } from '../../ui/PatternBadge'
import { css, cx } from '../../ui/css'
import paletteStyles from '../../shell/Palette.module.css'

/** "Why doesn't … match here?": chooses the pattern to pin to a node. */
export function PinDialog() {
  const node = usePin((s) => s.choosing)
  const report = useRun((s) => s.result.value)
  if (!node || !report) return null
  return (
    <Dialog label={`Why doesn’t a pattern match at ${node}?`} flush className={paletteStyles.palette}>
      <Command label="Patterns" loop>
        <Command.Input
          className={paletteStyles.input}
          autoFocus
          placeholder={`Which pattern should match at ${node}?`}
        />
        <Command.List className={paletteStyles.list}>
          <Command.Empty className={cx(css.muted, css.padWide)}>No matching pattern.</Command.Empty>
          {patternsFor(report, node).map(({ pass, entry, near, fires }) => {
            const bindings = bindingsText(entry, pass.entries)
            return (
              <Command.Item
                className={paletteStyles.item}
                key={`${pass.name}:${entry.index}`}
                value={`${entry.title} ${bindings} ${pass.name} ${entry.index}`}
                onSelect={() => {
                  closeOverlay()
                  usePin.getState().pinTo(pinOf(pass, entry, node))
                  useView.getState().setPanel('whynot')
                }}
              >
                <PatternBadge mark={markOf(report, pass.name, entry.index)} hollow={entry.fired === 0} />
                <span className={cx(css.column, css.spring, css.breaks)}>
                  <span>{entry.title}</span>
                  {bindings && <span className={cx(css.muted, css.mono, css.tiny)}>{bindings}</span>}
                </span>
                <span className={cx(css.muted, css.num)}>{fires ? 'fires here' : near ? 'came near' : ''}</span>
              </Command.Item>
            )
          })}
        </Command.List>
      </Command>
    </Dialog>
  )
}
