/** The edits of code on the graph: each highlights its node on the canvas and its line in the editor, and is highlighted by them. */
import type { PipelineStage, StageEdit } from '../../../engine/pipeline/types'
import type { Report } from '../../../engine/protocol'
import { count } from '../../../base/english'
import { editDetail, editPlace, editText } from '../../../engine/pipeline/edit_text'
import { nodeNamed } from '../../../engine/queries/report_index'
import { useView } from '../../session/view_store'
import { fileOf, useWorkspace } from '../../session/workspace_store'
import { RowButton } from '../../ui/Row'
import { css, cx } from '../../ui/css'
import { useSelectionHighlight } from '../use_highlight'
import { showStage } from './stage_requests'
import { usePipeline } from './store'

/** Maximum number of listed edits; the rest are counted. */
const LISTED = 100

interface Edits {
  report: Report
  stage: PipelineStage
  edits: readonly StageEdit[]
}

export function StageEdits({ report, stage, edits }: Edits) {
  const h = useSelectionHighlight()
  const workspace = useWorkspace((s) => s.workspace)
  const line = useView((s) => (s.selection?.kind === 'line' ? s.selection : null))
  const isLit = ({ node, source, callers = [] }: StageEdit): boolean =>
    line
      ? [source, ...callers].some((s) => s?.line === line.line && fileOf(workspace, s.file) === line.file)
      : h.before.has(node) || h.after.has(node)
  const more = edits.length - LISTED + (stage.did?.editsLeftOut ?? 0)
  return (
    <ol aria-label={`Edits of ${stage.name}`} data-testid="stage-edits">
      {edits.slice(0, LISTED).map((edit, i) => (
        <li key={i}>
          <RowButton
            selected={isLit(edit)}
            aria-pressed={isLit(edit)}
            onClick={() => void selectEdit(report, stage, edit)}
          >
            {/* The node first and the line last: neither is cut off. */}
            <span className={cx(css.mono, css.ellipsis, css.grow)} title={editText(edit)}>
              <b>{edit.node}</b> {edit.call}
              {editDetail(edit)}
            </span>{' '}
            <span className={cx(css.mono, css.muted, css.nowrap)}>{editPlace(edit)}</span>
          </RowButton>
        </li>
      ))}
      {more > 0 && <li className={css.muted}>and {count(more, 'more edit')}</li>}
    </ol>
  )
}

/** Opens the line that made the edit and selects its node, in the graphs before and after, or else after its stage. */
async function selectEdit(
  report: Report,
  { at }: PipelineStage,
  { node, in: side, call, source }: StageEdit,
): Promise<void> {
  const { workspace, open } = useWorkspace.getState()
  if (source) open(fileOf(workspace, source.file))
  const { select } = useView.getState()
  if (call !== 'create_node' && nodeNamed(report.graph, node))
    return select({ kind: 'node', side: 'before', name: node })
  if (side === 'after' && nodeNamed(report.after, node)) return select({ kind: 'node', side: 'after', name: node })
  if (source) select({ kind: 'line', file: fileOf(workspace, source.file), line: source.line })
  if (side === null) return
  await showStage(at)
  if (usePipeline.getState().shown.value?.at === at)
    usePipeline.setState({ picked: { side, name: node, seq: useView.getState().seq } })
}
