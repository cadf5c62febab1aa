/** Decorations of the open file: selected and hovered lines, and the matches of each registration. */
import type { editor as monacoEditor } from 'monaco-editor/editor/editor.api.js'
import { useEffect, useRef, type RefObject } from 'react'
import type { Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import { useRun, useStale } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import type { Highlight } from '../../report/highlight'
import { useHoverHighlight, useSelectionHighlight } from '../../on_screen/use_highlight'
import { firedMarks, linkedLines } from './editor_marks'
import { monaco } from './monaco'
import type { MountedEditor } from './mounted_editor'
import { useEditorOptions } from './options_store'
import { tracedMarks } from './traced_marks'

interface Shown {
  openFile: string
  report: Report | null
  selected: Highlight
  hovered: Highlight
  traced: boolean
}

const sameShown = (a: Shown, b: Shown): boolean =>
  a.openFile === b.openFile &&
  a.report === b.report &&
  a.selected === b.selected &&
  a.hovered === b.hovered &&
  a.traced === b.traced

export function useLineMarks(mounted: RefObject<MountedEditor | null>, openFile: string | null): void {
  /** Indices of the decorations that show matches. */
  const firedLines = useRef<number[]>([])
  const shownLast = useRef<Shown | null>(null)
  const workspace = useWorkspace((s) => s.workspace)
  const report = useRun((s) => s.result.value)
  const stale = useStale(useRun((s) => s.result))
  const selected = useSelectionHighlight()
  const hovered = useHoverHighlight()
  const traced = useEditorOptions((s) => s.traced)

  useEffect(() => {
    const { editor, decorations } = mounted.current!
    const model = editor.getModel()
    if (!model || openFile === null) return
    // A report's line numbers refer to the text it was made from. While that text is older than the editor's, Monaco
    // moves the existing decorations with the text.
    const shown: Shown = { openFile, report, selected, hovered, traced }
    const before = shownLast.current
    shownLast.current = shown
    if (stale && before && sameShown(before, shown)) {
      // Marks of several lines collapsed onto one line: their text was replaced.
      const lines = firedLines.current.map((i) => decorations.getRange(i)?.startLineNumber)
      if (new Set(lines).size < lines.length) decorations.clear()
      return
    }
    const all = decorationsOf(model, shown, workspace)
    firedLines.current = all.flatMap((d, i) =>
      d.options.linesDecorationsClassName?.includes('fs-fired-dot') ? [i] : [],
    )
    decorations.set(all)
  }, [mounted, workspace, openFile, report, selected, hovered, traced, stale])
}

/** Scrolls the first selected line into view. Only a new selection scrolls, not a new report of the same selection. */
export function useRevealSelection(mounted: RefObject<MountedEditor | null>, openFile: string | null): void {
  const selected = useSelectionHighlight()
  const seq = useView((s) => s.seq)

  useEffect(() => {
    const editor = mounted.current?.editor
    if (!editor || openFile === null || useView.getState().from === 'editor') return
    const lines = linkedLines(openFile, selected)
    if (lines.length === 0) return
    const visible = editor.getVisibleRanges()
    const seen = visible.some((r) => lines.some((n) => n >= r.startLineNumber && n <= r.endLineNumber))
    if (!seen) editor.revealLineInCenterIfOutsideViewport(lines[0]!)
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [seq, openFile])
}

function decorationsOf(
  model: monacoEditor.ITextModel,
  { openFile, report, selected, hovered, traced }: Shown,
  workspace: Workspace,
): monacoEditor.IModelDeltaDecoration[] {
  const last = model.getLineCount()
  const line = (n: number, options: monacoEditor.IModelDecorationOptions): monacoEditor.IModelDeltaDecoration[] =>
    n >= 1 && n <= last
      ? [{ range: new monaco.Range(n, model.getLineMaxColumn(n), n, model.getLineMaxColumn(n)), options }]
      : []
  return [
    ...linkedLines(openFile, hovered).flatMap((n) => line(n, { isWholeLine: true, className: 'fs-line-hovered' })),
    ...linkedLines(openFile, selected).flatMap((n) =>
      line(n, { isWholeLine: true, className: 'fs-line-linked', linesDecorationsClassName: 'fs-line-linked-edge' }),
    ),
    ...(traced ? tracedMarks(openFile, workspace, report) : []).flatMap((m) =>
      line(m.line, {
        after: { content: `  ${m.text}`, inlineClassName: 'fs-traced' },
        hoverMessage: { value: m.hover },
        showIfCollapsed: true,
      }),
    ),
    ...firedMarks(openFile, workspace, report).flatMap((m) =>
      line(m.line, {
        after: { content: `  ${m.text}`, inlineClassName: m.fired > 0 ? 'fs-fired' : 'fs-fired fs-none' },
        hoverMessage: { value: m.hover },
        linesDecorationsClassName: m.fired > 0 ? 'fs-fired-dot' : 'fs-fired-dot fs-none',
        showIfCollapsed: true,
      }),
    ),
  ]
}
