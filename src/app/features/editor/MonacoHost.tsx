/** The editor's text area: follows the workspace store, sends it edits, shows marks. Loaded lazily. */
import type { editor as monacoEditor } from 'monaco-editor/editor/editor.api.js'
import { useEffect, useRef } from 'react'
import type { Report } from '../../../engine/protocol'
import { setEditor } from '../../commands/surfaces'
import { firedMarks, linkedLines, markersOf } from './editor_marks'
import { highlightOf, type Highlight } from '../selection/highlight'
import { useHoverHighlight, useSelectionHighlight } from '../selection/use_highlight'
import { useProblems } from './problems'
import { isStale, useRun } from '../../session/run_store'
import { useTheme } from '../../theme/theme_store'
import { useView } from '../../session/view_store'
import { lineOf, useWorkspace } from '../../session/workspace_store'
import { lastTop, LINE_HEIGHT, PADDING, startLine } from './start'
import { Models } from './models'
import { monaco, applyEditorTheme } from './monaco'
import styles from './MonacoHost.module.css'

type Shown = { openFile: string; report: Report | null; selected: Highlight; hovered: Highlight }
const sameShown = (a: Shown, b: Shown): boolean =>
  a.openFile === b.openFile && a.report === b.report && a.selected === b.selected && a.hovered === b.hovered

export default function MonacoHost() {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<monacoEditor.IStandaloneCodeEditor | null>(null)
  const models = useRef<Models | null>(null)
  const views = useRef({ origin: '', of: new Map<string, monacoEditor.ICodeEditorViewState | null>() })
  const firedLines = useRef<number[]>([])
  const shownLast = useRef<Shown | null>(null)
  const decorations = useRef<monacoEditor.IEditorDecorationsCollection | null>(null)

  const theme = useTheme((s) => s.theme)
  const workspace = useWorkspace((s) => s.workspace)
  const origin = useWorkspace((s) => s.origin)
  const version = useWorkspace((s) => s.version)
  const openFile = useWorkspace((s) => s.openFile)
  const report = useRun((s) => s.report)
  const python = useRun((s) => s.python)
  const problems = useProblems()
  const stale = useRun((s) => isStale(s, version))
  const selected = useSelectionHighlight()
  const hovered = useHoverHighlight()
  const seq = useView((s) => s.seq)

  useEffect(() => {
    applyEditorTheme(useTheme.getState().theme)
    const ed = monaco.editor.create(host.current!, {
      model: null,
      automaticLayout: true,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--fs-mono'),
      fontSize: 12,
      lineHeight: LINE_HEIGHT,
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
      quickSuggestions: false,
      accessibilitySupport: 'auto',
      ariaLabel: 'Code editor. Press F6 to leave it.',
      fixedOverflowWidgets: true,
    })
    editor.current = ed
    models.current = new Models((name, text) => useWorkspace.getState().setText(name, text))
    decorations.current = ed.createDecorationsCollection()
    setEditor({
      focus: () => ed.focus(),
      topLine: () => ed.getVisibleRanges()[0]?.startLineNumber ?? 1,
      select(text) {
        ed.focus()
        const found = ed.getModel()?.findNextMatch(text, { lineNumber: 1, column: 1 }, false, true, null, false)
        if (!found) return false
        ed.setSelection(found.range)
        ed.revealRangeInCenterIfOutsideViewport(found.range)
        return true
      },
      apply(files) {
        const undo = models.current!.edit(useWorkspace.getState().workspace, files)
        const [name, edits] = [...files][0] ?? ['', []]
        const first = edits[0]
        if (!undo || !first) return undo
        useWorkspace.getState().open(name)
        const last = first.text.split('\n')
        const line = first.from.line + last.length - 1
        const column = (last.length === 1 ? first.from.column : 1) + last.at(-1)!.length
        // The tab comes to the front with the next render.
        requestAnimationFrame(() => {
          ed.setPosition({ lineNumber: line, column })
          ed.revealLineInCenterIfOutsideViewport(line)
          ed.focus()
        })
        return undo
      },
    })

    const select = (line: number, asHover: boolean): void => {
      const file = models.current?.nameOf(ed.getModel()) ?? null
      if (!file) return
      const w = useWorkspace.getState().workspace
      const { report: r, graph } = useRun.getState()
      const selection = { kind: 'line', file, line } as const
      const speaks = highlightOf(selection, r, graph, w)
      const view = useView.getState()
      const has = speaks.before.size > 0 || speaks.after.size > 0
      if (asHover) view.setHover(has ? selection : null)
      else if (has) view.select(selection, 'editor')
    }
    const caret = ed.onDidChangeCursorPosition((e) => {
      if (e.reason === monaco.editor.CursorChangeReason.Explicit && ed.hasTextFocus())
        select(e.position.lineNumber, false)
    })
    let over = 0
    const move = ed.onMouseMove((e) => {
      const line = e.target.position?.lineNumber ?? 0
      if (line === over) return
      over = line
      if (line > 0) select(line, true)
      else useView.getState().setHover(null)
    })
    const leave = ed.onMouseLeave(() => {
      over = 0
      useView.getState().setHover(null)
    })
    return () => {
      for (const d of [caret, move, leave]) d.dispose()
      setEditor(null)
      ed.dispose()
      models.current?.dispose()
    }
  }, [])

  useEffect(() => applyEditorTheme(theme), [theme])

  useEffect(() => {
    const ed = editor.current!
    if (views.current.origin !== origin) views.current = { origin, of: new Map() }
    models.current!.sync(workspace, origin)
    const model = models.current!.open(workspace, openFile)
    if (ed.getModel() !== model) {
      const from = models.current!.nameOf(ed.getModel())
      if (from) views.current.of.set(from, ed.saveViewState())
      ed.setModel(model)
      const state = views.current.of.get(openFile)
      if (state) ed.restoreViewState(state)
      else if (model) {
        const startAt = from === null ? useWorkspace.getState().startAt : null
        const top = startLine(model.getValue(), startAt)
        if (top > 0) {
          ed.layout()
          ed.setScrollTop(LINE_HEIGHT * Math.min(top, lastTop(model.getLineCount(), ed.getLayoutInfo().height)))
          const line = typeof startAt === 'string' ? lineOf(model.getValue(), startAt) : null
          if (line !== null) ed.setPosition({ lineNumber: line, column: 1 })
        }
      }
    }
  }, [workspace, origin, openFile])

  useEffect(() => {
    const model = editor.current?.getModel()
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
  }, [workspace, openFile, python, problems])

  useEffect(() => {
    const model = editor.current?.getModel()
    if (!model) return
    const last = model.getLineCount()
    const line = (n: number, options: monacoEditor.IModelDecorationOptions): monacoEditor.IModelDeltaDecoration[] =>
      n >= 1 && n <= last
        ? [{ range: new monaco.Range(n, model.getLineMaxColumn(n), n, model.getLineMaxColumn(n)), options }]
        : []
    // A report's line numbers refer to the text it was made from. While that text is older than the editor's, Monaco
    // moves the existing decorations with the text.
    const shown: Shown = { openFile, report, selected, hovered }
    const before = shownLast.current
    shownLast.current = shown
    if (stale && before && sameShown(before, shown)) {
      // Marks of several lines collapsed onto one line: their text was replaced.
      const lines = firedLines.current.map((i) => decorations.current!.getRange(i)?.startLineNumber)
      if (new Set(lines).size < lines.length) decorations.current!.clear()
      return
    }
    const fired = firedMarks(openFile, workspace, report)
    const all = [
      ...linkedLines(openFile, hovered).flatMap((n) => line(n, { isWholeLine: true, className: 'fs-line-hovered' })),
      ...linkedLines(openFile, selected).flatMap((n) =>
        line(n, { isWholeLine: true, className: 'fs-line-linked', linesDecorationsClassName: 'fs-line-linked-edge' }),
      ),
      ...fired.flatMap((m) =>
        line(m.line, {
          after: { content: `  ${m.text}`, inlineClassName: m.fired > 0 ? 'fs-fired' : 'fs-fired fs-none' },
          hoverMessage: { value: m.hover },
          linesDecorationsClassName: m.fired > 0 ? 'fs-fired-dot' : 'fs-fired-dot fs-none',
          showIfCollapsed: true,
        }),
      ),
    ]
    firedLines.current = all.flatMap((d, i) => (d.options.after ? [i] : []))
    decorations.current?.set(all)
  }, [workspace, openFile, report, selected, hovered, stale])

  useEffect(() => {
    const ed = editor.current
    if (!ed || useView.getState().from === 'editor') return
    const lines = linkedLines(openFile, selected)
    if (lines.length === 0) return
    const seen = ed.getVisibleRanges().some((r) => lines.some((n) => n >= r.startLineNumber && n <= r.endLineNumber))
    if (!seen) ed.revealLineInCenterIfOutsideViewport(lines[0]!)
    // Only a new selection moves the editor; a new report of the same selection does not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [seq, openFile])

  return <div ref={host} className={styles.host} />
}
