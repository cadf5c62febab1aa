/** A Monaco editor in the page: its options, the surface for commands, and the selection it reports. */
import type { editor as monacoEditor } from 'monaco-editor/editor/editor.api.js'
import { once } from '../../../base/memoize'
import { setEditor, type EditorSurface } from '../../commands/surfaces'
import { redo, undo } from '../../session/history'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { isOwnText } from '../../../workspace/code_origin'
import { tabsOf, useWorkspace } from '../../session/workspace_store'
import { useProjector } from '../../theme/projector'
import { useTheme } from '../../theme/theme_store'
import { highlightOf } from '../../report/highlight'
import { LINE_HEIGHT, PADDING } from './start'
import { LONG } from './edited_by'
import { Models } from './models'
import { monaco, applyEditorTheme } from './monaco'
import { loadTorchNames } from './language/load'
import { registerTorchLanguage } from './language/providers'
import { useEditorOptions } from './options_store'
import { registerFormatter } from './python_service/format'
import { navigateIn, registerNavigation } from './python_service/navigation'
import { registerQuickFixes } from './quick_fixes'

type CodeEditor = monacoEditor.IStandaloneCodeEditor

export interface MountedEditor {
  readonly editor: CodeEditor
  readonly models: Models
  readonly decorations: monacoEditor.IEditorDecorationsCollection
  dispose(): void
}

const FONT_SIZE = 12

const OPTIONS: monacoEditor.IStandaloneEditorConstructionOptions = {
  model: null,
  automaticLayout: true,
  lineNumbersMinChars: 4,
  lineDecorationsWidth: 12,
  glyphMargin: false,
  folding: true,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  renderLineHighlight: 'line',
  overviewRulerLanes: 2,
  wordWrap: 'off',
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
  padding: { top: PADDING, bottom: PADDING },
  occurrencesHighlight: 'singleFile',
  stopRenderingLineAfter: 10_000,
  maxTokenizationLineLength: 5_000,
  contextmenu: false,
  // Drops are handled by the page; Monaco's own insertion would count as typed (edited_by.ts).
  dropIntoEditor: { enabled: false },
  quickSuggestions: false,
  wordBasedSuggestions: 'off',
  acceptSuggestionOnEnter: 'smart',
  acceptSuggestionOnCommitCharacter: false,
  suggest: { showStatusBar: false, preview: false },
  accessibilitySupport: 'auto',
  ariaLabel: 'Code editor. Press F6 to leave it.',
  fixedOverflowWidgets: true,
}

/** Creates the editor and registers it as the surface that commands act on. */
export function mountEditor(host: HTMLElement): MountedEditor {
  applyEditorTheme(useTheme.getState().theme)
  const fontFamily = getComputedStyle(document.documentElement).getPropertyValue('--fs-mono')
  const editor = monaco.editor.create(host, {
    ...OPTIONS,
    fontFamily,
    fontSize: FONT_SIZE,
    lineHeight: LINE_HEIGHT,
  })
  takeLongTextAtOnce(editor)
  const models = new Models((name, text, by) => {
    useWorkspace.getState().setText(name, text, by)
    return tabsOf(useWorkspace.getState().workspace).some((f) => f.name === name && isOwnText(f))
  })
  const decorations = editor.createDecorationsCollection()
  setEditor(surfaceOf(editor, models))
  navigateIn(models)
  registerOnce()
  const listeners = [...reportSelection(editor, models), undoBeyond(editor), followOptions(editor), loadOnFocus(editor)]
  return {
    editor,
    models,
    decorations,
    dispose() {
      for (const d of listeners) d.dispose()
      setEditor(null)
      navigateIn(null)
      editor.dispose()
      models.dispose()
    },
  }
}

/**
 * Monaco inserts keyboard input character by character, and its listeners get an edit of the whole text for each: 15,000
 * characters, inserted by a tool or dictated, took 11 s. With another source it inserts a text at once.
 */
function takeLongTextAtOnce(editor: CodeEditor): void {
  const trigger = editor.trigger.bind(editor)
  editor.trigger = (source, handler, payload: unknown) => {
    const isLong = handler === 'type' && (payload as { text: string }).text.length > LONG
    trigger(isLong ? 'insert' : source, handler, payload)
  }
}

/** Providers belong to languages, not to one editor. */
const registerOnce = once(() => {
  registerTorchLanguage()
  registerQuickFixes()
  registerNavigation()
  registerFormatter()
})

/** Load now, so that the first completion has the names. */
const loadOnFocus = (editor: CodeEditor): { dispose(): void } =>
  editor.onDidFocusEditorText(() => void loadTorchNames())

function followOptions(editor: CodeEditor): { dispose(): void } {
  const apply = (): void =>
    editor.updateOptions({
      // A hidden editor has almost no width: wrapped lines there would shift the first visible line.
      wordWrap: useEditorOptions.getState().wordWrap && editor.getLayoutInfo().width > 80 ? 'on' : 'off',
      ...(useProjector.getState().on
        ? { fontSize: 16, lineHeight: 24 }
        : { fontSize: FONT_SIZE, lineHeight: LINE_HEIGHT }),
    })
  apply()
  const layout = editor.onDidLayoutChange(apply)
  const stops = [() => layout.dispose(), useEditorOptions.subscribe(apply), useProjector.subscribe(apply)]
  return { dispose: () => stops.forEach((stop) => stop()) }
}

function surfaceOf(editor: CodeEditor, models: Models): EditorSurface {
  /** Acts on the open file once the editor shows it: a large text is opened in tasks of its own. */
  const onceOpen = (act: () => void): void => {
    const { openFile } = useWorkspace.getState()
    const isOpen = (): boolean => models.nameOf(editor.getModel()) === openFile
    if (isOpen()) return act()
    const waiting = editor.onDidChangeModel(({ newModelUrl }) => {
      if (!newModelUrl) return
      waiting.dispose()
      // Runs after the file's last position is restored.
      requestAnimationFrame(() => isOpen() && act())
    })
  }
  const moveTo = (lineNumber: number, column: number): void => {
    editor.setPosition({ lineNumber, column })
    editor.revealLineInCenterIfOutsideViewport(lineNumber)
    editor.focus()
  }
  return {
    focus: () => editor.focus(),
    moveTo: (lineNumber, column) => onceOpen(() => moveTo(lineNumber, column)),
    act(action) {
      editor.focus()
      void editor.getAction(action)?.run()
    },
    topLine: () => editor.getVisibleRanges()[0]?.startLineNumber ?? 1,
    select(text) {
      editor.focus()
      const found = editor.getModel()?.findNextMatch(text, { lineNumber: 1, column: 1 }, false, true, null, false)
      if (!found) return false
      editor.setSelection(found.range)
      editor.revealRangeInCenterIfOutsideViewport(found.range)
      return true
    },
    reveal: (text) =>
      onceOpen(() => {
        const found = editor.getModel()?.findNextMatch(text, { lineNumber: 1, column: 1 }, false, true, null, false)
        if (found) editor.revealRangeInCenterIfOutsideViewport(found.range)
      }),
    apply(files) {
      const undo = models.edit(useWorkspace.getState().workspace, files)
      const [name, edits] = [...files][0] ?? ['', []]
      const first = edits[0]
      if (!undo || !first) return undo
      useWorkspace.getState().open(name)
      const last = first.text.split('\n')
      const line = first.from.line + last.length - 1
      const column = (last.length === 1 ? first.from.column : 1) + last.at(-1)!.length
      useView.getState().setPane('code')
      // The tab comes to the front with the next render.
      requestAnimationFrame(() => onceOpen(() => moveTo(line, column)))
      return undo
    },
  }
}

/** If a text has nothing to undo or redo, for example after its workspace was reopened, the keys act on the workspace. */
function undoBeyond(editor: CodeEditor): { dispose(): void } {
  return editor.onKeyDown((e) => {
    const model = editor.getModel()
    if (!model || e.keyCode !== monaco.KeyCode.KeyZ || !(e.ctrlKey || e.metaKey) || e.altKey) return
    if (e.shiftKey ? model.canRedo() : model.canUndo()) return
    e.preventDefault()
    e.stopPropagation()
    if (e.shiftKey) redo()
    else undo()
  })
}

/** Selects the caret's line and hovers the line below the pointer, if nodes of the graph belong to them. */
function reportSelection(editor: CodeEditor, models: Models): readonly { dispose(): void }[] {
  const select = (line: number, asHover: boolean): void => {
    const file = models.nameOf(editor.getModel())
    if (!file) return
    const { workspace } = useWorkspace.getState()
    const {
      result: { value: report },
      graphRead: { value: graph },
    } = useRun.getState()
    const selection = { kind: 'line', file, line } as const
    const highlight = highlightOf(selection, report, graph, workspace)
    const view = useView.getState()
    const has = highlight.before.size > 0 || highlight.after.size > 0
    if (asHover) view.setHover(has ? selection : null)
    else if (has) view.select(selection, 'editor')
  }
  const caret = editor.onDidChangeCursorPosition((e) => {
    if (e.reason === monaco.editor.CursorChangeReason.Explicit && editor.hasTextFocus())
      select(e.position.lineNumber, false)
  })
  let over = 0
  const move = editor.onMouseMove((e) => {
    const line = e.target.position?.lineNumber ?? 0
    if (line === over) return
    over = line
    if (line > 0) select(line, true)
    else useView.getState().setHover(null)
  })
  const leave = editor.onMouseLeave(() => {
    over = 0
    useView.getState().setHover(null)
  })
  return [caret, move, leave]
}
