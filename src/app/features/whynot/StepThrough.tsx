import { passNamed } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { StepThrough as StepButton } from '../../on_screen/steps/StepThrough'

/** Opens the near miss as a timeline at the selected place, else at `node`. */
export function StepThrough({ pass, entry, node }: { pass: string; entry: number; node: string | null }) {
  const selection = useView((s) => s.selection)
  const report = useRun((s) => s.result.value)
  if (node === null) return null
  const here = selection?.kind === 'nearMiss' && selection.pass === pass ? selection : null
  const miss = here && passNamed(report, pass)?.nearMisses.find((m) => m.index === here.index)
  return <StepButton of={{ pass, entry, node: (miss?.entry === entry && here?.place) || node }} />
}
