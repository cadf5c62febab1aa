/** Tools beside Find's field: which canvas the results belong to, and actions on all results. */
import { thousands } from '../../../base/english'
import type { NodeView } from '../../../engine/protocol'
import { useView } from '../../session/view_store'
import { Button } from '../../ui/Button'
import { Segmented } from '../../ui/Segmented'
import { useCompare } from '../../on_screen/compare/store'
import { hide, isolate } from '../../on_screen/look/actions'
import { pick, setPicked } from '../../on_screen/picked/picking'
import type { Side } from '../../on_screen/sides'
import { css, cx } from '../../ui/css'

interface ResultToolsProps {
  /** Numbers of results by canvas on screen. */
  counts: readonly { side: Side; found: number }[]
  /** The canvas whose results are listed. */
  side: Side
  results: readonly NodeView[]
  onDone(): void
}

/** Part of a graph cannot be drawn while two dumps are compared. */
export function ResultTools({ counts, side, results, onDone }: ResultToolsProps) {
  const compared = useCompare((s) => s.compared.value !== null)
  return (
    <>
      {counts.length > 1 && <Sides counts={counts} side={side} />}
      {results.length > 0 && !compared && <ResultActions results={results} onDone={onDone} />}
    </>
  )
}

function Sides({ counts, side }: Pick<ResultToolsProps, 'counts' | 'side'>) {
  const names = useCompare((s) => (s.compared.value ? COMPARED : SIDES))
  return (
    <Segmented
      label="Results on"
      value={side}
      segments={counts.map((c) => ({ value: c.side, label: `${names[c.side]} ${thousands(c.found)}` }))}
      onChange={(next) => useView.getState().setSearch({ side: next, at: -1 })}
    />
  )
}

const SIDES = { before: 'Before', after: 'After' } as const
const COMPARED = { before: 'Old', after: 'New' } as const

/** Actions on the whole result. */
function ResultActions({ results, onDone }: { results: readonly NodeView[]; onDone(): void }) {
  const names = (): string[] => {
    onDone()
    return results.map((n) => n.name)
  }
  return (
    <div className={cx(css.cluster, css.gap1)} role="group" aria-label="All nodes found">
      <Button variant="quiet" title="Draw only the nodes found" onClick={() => isolate(names(), 0)}>
        Isolate
      </Button>
      <Button variant="quiet" title="Draw edges past the nodes found" onClick={() => hide(names())}>
        Hide
      </Button>
      <Button variant="quiet" title="Pick the calls among the nodes found" onClick={() => selectAll(names())}>
        Select
      </Button>
    </div>
  )
}

function selectAll(names: readonly string[]): void {
  setPicked([])
  useView.getState().select(null)
  pick(names)
}
