/** Above the graph: which graph is shown, and the panels that stand beside it. */
import type { CanvasMode } from '../../workspace/types'
import { PANELS } from '../features'
import { useStaged } from '../on_screen/stage/store'
import { useRun } from '../session/run_store'
import { placeOf, useView } from '../session/view_store'
import { Segmented } from '../ui/Segmented'
import { css } from '../ui/css'
import { commandHint } from '../commands/CommandButton'
import { PanelToggle } from './PanelToggle'
import barStyles from '../features/graph/GraphBar.module.css'

const BESIDE = PANELS.filter((p) => placeOf(p.id) === 'graph')

const MODES: { mode: CanvasMode; label: string }[] = [
  { mode: 'before', label: 'Before' },
  { mode: 'after', label: 'After' },
  { mode: 'split', label: 'Side by side' },
]

export function CanvasBar() {
  const mode = useView((s) => s.mode)
  const staged = useStaged()
  const hasAfter = useRun((s) => s.result.value?.after != null)
  return (
    <nav className={barStyles.bar} aria-label="Graph shown, and panels beside it">
      <Segmented
        label="Graph shown"
        value={staged ? null : mode}
        onChange={(next) => useView.getState().setMode(next)}
        segments={MODES.map((m) => ({
          value: m.mode,
          label: m.label,
          title: commandHint(`mode-${m.mode}`),
          disabled: m.mode !== 'before' && !hasAfter,
          testId: `mode-${m.mode}`,
        }))}
      />
      <span className={css.spring} />
      {BESIDE.map((p) => (
        <PanelToggle key={p.id} id={p.id} />
      ))}
    </nav>
  )
}
