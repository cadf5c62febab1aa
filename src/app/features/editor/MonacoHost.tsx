/** The editor's text area: follows the workspace store, sends it edits, shows marks. Loaded lazily. */
import { useEffect, useRef } from 'react'
import { useTheme } from '../../theme/theme_store'
import { applyEditorTheme } from './monaco'
import { mountEditor, type MountedEditor } from './mounted_editor'
import { useErrorMarkers } from './use_error_markers'
import { useLineMarks, useRevealSelection } from './use_line_marks'
import { useOpenFile, useShownFile } from './use_open_file'
import styles from './MonacoHost.module.css'

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
  // In this order: markers and marks belong to the model that is open.
  const shown = useShownFile(mounted)
  useOpenFile(mounted, shown)
  useErrorMarkers(mounted, shown)
  useLineMarks(mounted, shown)
  useRevealSelection(mounted, shown)

  return <div ref={host} className={styles.host} />
}
