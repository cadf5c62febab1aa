/** Underlines the problems of the open file. */
import { useEffect, type RefObject } from 'react'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { markersOf } from './editor_marks'
import { monaco } from './monaco'
import { setQuickFixes } from './quick_fixes'
import type { MountedEditor } from './mounted_editor'
import { useProblems } from './problems'

export function useErrorMarkers(mounted: RefObject<MountedEditor | null>, openFile: string | null): void {
  const workspace = useWorkspace((s) => s.workspace)
  const python = useRun((s) => s.python)
  const problems = useProblems()

  useEffect(() => {
    const model = mounted.current?.editor.getModel()
    if (!model || openFile === null) return
    const found = markersOf(openFile, workspace, python, problems)
    const markers = found.map((m) => {
      const line = Math.min(Math.max(1, m.line), model.getLineCount())
      const column = Math.min(m.column, model.getLineMaxColumn(line))
      return {
        severity: monaco.MarkerSeverity.Error,
        message: m.message,
        startLineNumber: line,
        endLineNumber: Math.max(line, Math.min(m.end?.line ?? line, model.getLineCount())),
        startColumn: m.end || column > 1 ? column : model.getLineFirstNonWhitespaceColumn(line) || 1,
        endColumn: m.end ? m.end.column : model.getLineMaxColumn(line),
      }
    })
    setQuickFixes(model, found)
    monaco.editor.setModelMarkers(model, 'fusescope', markers)
  }, [mounted, workspace, openFile, python, problems])
}
