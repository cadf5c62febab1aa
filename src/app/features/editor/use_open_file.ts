/** Shows the open file in the editor, at the place where it was left. */
import type { editor as monacoEditor } from 'monaco-editor/editor/editor.api.js'
import { useEffect, useRef, type RefObject } from 'react'
import { lineOf, useWorkspace } from '../../session/workspace_store'
import type { MountedEditor } from './mounted_editor'
import { monaco } from './monaco'
import { lastTop, startLine } from './start'

export function useOpenFile(mounted: RefObject<MountedEditor | null>): void {
  const views = useRef({ key: '', of: new Map<string, monacoEditor.ICodeEditorViewState | null>() })
  const workspace = useWorkspace((s) => s.workspace)
  const key = useWorkspace((s) => s.editorKey)
  const rewound = useWorkspace((s) => s.rewound)
  const openFile = useWorkspace((s) => s.openFile)

  useEffect(() => {
    const { editor, models } = mounted.current!
    if (views.current.key !== key) views.current = { key, of: new Map() }
    models.sync(workspace, key, rewound)
    const model = models.open(workspace, openFile)
    if (editor.getModel() === model) return
    const from = models.nameOf(editor.getModel())
    if (from) views.current.of.set(from, editor.saveViewState())
    editor.setModel(model)
    const state = views.current.of.get(openFile)
    if (state) editor.restoreViewState(state)
    else if (model) scrollToStart(editor, model, from === null ? useWorkspace.getState().startAt : null)
  }, [mounted, workspace, key, rewound, openFile])
}

/** @param startAt see WorkspaceState */
function scrollToStart(
  editor: monacoEditor.IStandaloneCodeEditor,
  model: monacoEditor.ITextModel,
  startAt: string | number | null,
): void {
  const top = startLine(model.getValue(), startAt)
  if (top === 0) return
  editor.layout()
  const lineHeight = editor.getOption(monaco.editor.EditorOption.lineHeight)
  editor.setScrollTop(lineHeight * Math.min(top, lastTop(model.getLineCount(), editor.getLayoutInfo().height)))
  const line = typeof startAt === 'string' ? lineOf(model.getValue(), startAt) : null
  if (line !== null) editor.setPosition({ lineNumber: line, column: 1 })
}
