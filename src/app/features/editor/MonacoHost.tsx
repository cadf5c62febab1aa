/** The editor's text area: follows the workspace store, sends it edits, shows marks. Loaded lazily. */
import { useEffect, useRef, type RefObject } from 'react'
import { useTheme } from '../../theme/theme_store'
import { applyEditorTheme, monaco } from './monaco'
import { mountEditor, type MountedEditor } from './mounted_editor'
import { useLineMarks, useRevealSelection } from './use_line_marks'
import { useOpenFile, useShownFile } from './use_open_file'
import styles from './MonacoHost.module.css'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { markersOf } from './editor_marks'
import { setQuickFixes } from './quick_fixes'
import { useProblems } from './problems'

/** Underlines the problems of the open file. */
function useErrorMarkers(mounted: RefObject<MountedEditor | null>, openFile: string | null): void {
  const workspace = useWorkspace((s) => s.workspace)
  const python = useRun((s) => s.outcome.value.python)
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

export default function MonacoHost() {
  const host = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedEditor | null>(null)
  const theme = useTheme((s) => s.theme)

  useEffect(() => {
    const editor = mountEditor(host.current!)
    mounted.current = editor
    return () => editor.dispose()
  }, [])
  useEffect(() => applyEditorTheme(theme), [theme])
  // In this order: markers and marks belong to the open model.
  const shown = useShownFile(mounted)
  useOpenFile(mounted, shown)
  useErrorMarkers(mounted, shown)
  useLineMarks(mounted, shown)
  useRevealSelection(mounted, shown)

  return <div ref={host} className={styles.host} />
}
