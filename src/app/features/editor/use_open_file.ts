/** Shows the open file in the editor, at the place where it was left. */
import type { editor as monacoEditor } from 'monaco-editor/editor/editor.api.js'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { lineOf, textOf, useWorkspace } from '../../session/workspace_store'
import type { MountedEditor } from './mounted_editor'
import { lastTop, PADDING, startLine } from './start'

/** Minimum length of a text that takes longer than a frame to open: a graph of 7,000 nodes. */
const LARGE = 1_000_000

/** The file that the editor shows. It is null while a large text opens in separate tasks: 50,000 lines take 100 ms. */
export function useShownFile(mounted: RefObject<MountedEditor | null>): string | null {
  const openFile = useWorkspace((s) => s.openFile)
  const large = useWorkspace((s) => (textOf(s.workspace, s.openFile)?.length ?? 0) > LARGE)
  const [opened, setOpened] = useState<string | null>(null)
  const waits = large && opened !== openFile

  useEffect(() => {
    if (!waits) return
    let task = setTimeout(() => {
      mounted.current!.models.open(useWorkspace.getState().workspace, openFile)
      task = setTimeout(() => setOpened(openFile))
    })
    return () => clearTimeout(task)
  }, [mounted, waits, openFile])

  return waits ? null : openFile
}

/** @param shown see useShownFile */
export function useOpenFile(mounted: RefObject<MountedEditor | null>, shown: string | null): void {
  const views = useRef({ key: '', of: new Map<string, monacoEditor.ICodeEditorViewState | null>() })
  const workspace = useWorkspace((s) => s.workspace)
  const key = useWorkspace((s) => s.editorKey)
  const rewound = useWorkspace((s) => s.rewound)

  useEffect(() => {
    const { editor, models } = mounted.current!
    if (views.current.key !== key) views.current = { key, of: new Map() }
    models.sync(workspace, key, rewound)
    if (shown === null) return
    const model = models.open(workspace, shown)
    if (editor.getModel() === model) return
    const from = models.nameOf(editor.getModel())
    if (from) views.current.of.set(from, editor.saveViewState())
    editor.setModel(model)
    const state = views.current.of.get(shown)
    if (state) editor.restoreViewState(state)
    else if (model) scrollToStart(editor, model, from === null ? useWorkspace.getState().startAt : null)
  }, [mounted, workspace, key, rewound, shown])
}

/** @param startAt see useWorkspace */
function scrollToStart(
  editor: monacoEditor.IStandaloneCodeEditor,
  model: monacoEditor.ITextModel,
  startAt: string | number | null,
): void {
  const top = startLine(model.getValue(), startAt)
  if (top === 0) return
  editor.layout()
  const line = Math.min(top, lastTop(model.getLineCount(), editor.getLayoutInfo().height)) + 1
  editor.setScrollTop(editor.getTopForLineNumber(line) - PADDING)
  const found = typeof startAt === 'string' ? lineOf(model.getValue(), startAt) : null
  if (found !== null) editor.setPosition({ lineNumber: found, column: 1 })
}
