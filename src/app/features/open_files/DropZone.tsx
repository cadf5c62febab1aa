import { useEffect, useState } from 'react'
import { foldersOf } from '../../files/folder'
import { takeFolders } from './place_folder'
import { isTyping } from '../../commands/keys'
import { useWorkspace } from '../../session/workspace_store'
import { isMyPatternsOpen } from '../my_patterns/commands'
import { take, takeFiles } from './sources'
import styles from './DropZone.module.css'

/** Must be called inside the drop handler. */
function takeDrop(dropped: DataTransfer | null): void {
  // The file list also contains dropped folders, as unreadable files.
  const folders = foldersOf(dropped?.items)
  const names = new Set(folders.map((f) => f.name))
  const files = [...(dropped?.files ?? [])].filter((f) => !names.has(f.name))
  if (isMyPatternsOpen())
    return void import('../my_patterns/drop').then(({ takeDropped }) => takeDropped(files, folders))
  if (folders.length > 0) void takeFolders(folders)
  void takeFiles(files)
}

/** Accepts files and text dropped anywhere on the page, and shows the drop target during the drag. */
export function DropZone() {
  const [over, setOver] = useState(false)
  useEffect(() => {
    let depth = 0
    const holdsFiles = (e: DragEvent): boolean => e.dataTransfer?.types.includes('Files') ?? false
    const enter = (e: DragEvent): void => {
      if (!holdsFiles(e)) return
      e.preventDefault()
      depth++
      setOver(true)
    }
    const leave = (e: DragEvent): void => {
      if (!holdsFiles(e)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const drag = (e: DragEvent): void => {
      if (holdsFiles(e)) e.preventDefault()
    }
    const drop = (e: DragEvent): void => {
      // Text dragged from another page would otherwise count as typed (features/editor/edited_by.ts).
      if (e.target instanceof Element && e.target.closest('.monaco-editor')) e.preventDefault()
      if (!holdsFiles(e)) return
      e.preventDefault()
      e.stopPropagation()
      depth = 0
      setOver(false)
      takeDrop(e.dataTransfer)
    }
    // A paste adds a graph wherever the focus is, unless a field or a dialog takes the text.
    const paste = (e: ClipboardEvent): void => {
      if (isTyping(e.target) || (e.target instanceof Element && e.target.closest('[role=dialog]'))) return
      const text = e.clipboardData?.getData('text/plain') ?? ''
      const isEmpty = useWorkspace.getState().workspace.graph.text.trim() === ''
      if (text.trim() !== '' && (text.includes('\n') || isEmpty)) void take(text, 'graph.txt')
    }
    const on = [
      ['dragenter', enter],
      ['dragleave', leave],
      ['dragover', drag],
      ['drop', drop],
    ] as const
    for (const [type, fn] of on) addEventListener(type, fn, true)
    addEventListener('paste', paste)
    return () => {
      for (const [type, fn] of on) removeEventListener(type, fn, true)
      removeEventListener('paste', paste)
    }
  }, [])
  if (!over) return null
  return (
    <div className={styles.dropzone}>
      <p>
        Drop a graph (print(graph), fx_graph_readable.py, a log, a .pt2, a folder of dumps), a .fusescope capture, or a
        Python file or folder.
      </p>
    </div>
  )
}
