/** Underlines the problems of the open file. */
import { useEffect, type RefObject } from 'react'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { markersOf } from './editor_marks'
import { monaco } from './monaco'
import type { MountedEditor } from './mounted_editor'
import { useProblems } from './problems'

export function useErrorMarkers(mounted: RefObject<MountedEditor | null>): void {
  const workspace = useWorkspace((s) => s.workspace)
  const openFile = useWorkspace((s) => s.openFile)
  const python = useRun((s) => s.python)
  const problems = useProblems()

  useEffect(() => {
    const model = mounted.current?.editor.getModel()
    if (!model) return
    const markers = markersOf(openFile, workspace, python, problems).map((m) => {
      const line = Math.min(Math.max(1, m.line), model.getLineCount())
      const column = Math.min(m.column, model.getLineMaxColumn(line))
      return {
        severity: monaco.MarkerSeverity.Error,
        message: m.message,
        startLineNumber: line,
        endLineNumber: line,
        startColumn: column > 1 ? column : model.getLineFirstNonWhitespaceColumn(line) || 1,
        endColumn: model.getLineMaxColumn(line),
      }
    })
    monaco.editor.setModelMarkers(model, 'fusescope', markers)
  }, [mounted, workspace, openFile, python, problems])
}
