/**
 * Monaco with only the parts that the editor uses: no language services of its own, one worker. Loaded by a dynamic import after
 * the first paint of the canvas.
 */
import * as monaco from 'monaco-editor/editor/editor.api.js'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import 'monaco-editor/features/codicon/register.js'
import 'monaco-editor/features/codeEditor/register.js'
import 'monaco-editor/features/bracketMatching/register.js'
import 'monaco-editor/features/caretOperations/register.js'
import 'monaco-editor/features/clipboard/register.js'
import 'monaco-editor/features/comment/register.js'
import 'monaco-editor/features/cursorUndo/register.js'
import 'monaco-editor/features/find/register.js'
import 'monaco-editor/features/folding/register.js'
import 'monaco-editor/features/format/register.js'
import 'monaco-editor/features/gotoSymbol/register.js'
import 'monaco-editor/features/hover/register.js'
import 'monaco-editor/features/indentation/register.js'
import 'monaco-editor/features/linesOperations/register.js'
import 'monaco-editor/features/multicursor/register.js'
import 'monaco-editor/features/parameterHints/register.js'
import 'monaco-editor/editor/contrib/suggest/browser/suggestController.js'
import 'monaco-editor/features/codeAction/register.js'
import 'monaco-editor/features/gotoError/register.js'
import 'monaco-editor/features/quickOutline/register.js'
import 'monaco-editor/features/referenceSearch/register.js'
import 'monaco-editor/features/rename/register.js'
import 'monaco-editor/features/wordHighlighter/register.js'
import 'monaco-editor/features/wordOperations/register.js'
import { conf, language } from 'monaco-editor/languages/definitions/python/python.js'
import { conf as wgslConf, language as wgslLanguage } from 'monaco-editor/languages/definitions/wgsl/wgsl.js'
import type { Theme } from '../../theme/theme_store'
import { FX_CONF, FX_LANGUAGE } from './fx_language'

globalThis.MonacoEnvironment = { getWorker: () => new EditorWorker() }

monaco.languages.register({ id: 'python' })
monaco.languages.setLanguageConfiguration('python', conf)
monaco.languages.setMonarchTokensProvider('python', language)
monaco.languages.register({ id: 'wgsl' })
monaco.languages.setLanguageConfiguration('wgsl', wgslConf)
monaco.languages.setMonarchTokensProvider('wgsl', wgslLanguage)
monaco.languages.register({ id: 'fx' })
monaco.languages.setLanguageConfiguration('fx', FX_CONF)
monaco.languages.setMonarchTokensProvider('fx', FX_LANGUAGE)

/** Defines and sets the editor's theme from the page's tokens, which must already be applied. */
export function applyEditorTheme(theme: Theme): void {
  const style = getComputedStyle(document.documentElement)
  // The build may have shortened #ffffff to #fff, which Monaco rejects.
  const token = (name: string): string =>
    style
      .getPropertyValue(`--fs-${name}`)
      .trim()
      .replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
  const ink = (name: string): string => token(name).slice(1)
  monaco.editor.defineTheme(`fusescope-${theme}`, {
    base: theme === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: ink('text') },
      { token: 'keyword', foreground: ink('syntax-keyword') },
      { token: 'string', foreground: ink('syntax-string') },
      { token: 'string.escape', foreground: ink('syntax-string') },
      { token: 'number', foreground: ink('syntax-number') },
      { token: 'comment', foreground: ink('syntax-comment') },
      { token: 'tag', foreground: ink('syntax-type') },
      { token: 'type', foreground: ink('syntax-type') },
      { token: 'variable', foreground: ink('syntax-name') },
      { token: 'identifier', foreground: ink('text') },
      { token: 'delimiter', foreground: ink('muted') },
    ],
    colors: {
      'editor.background': token('bg'),
      'editor.foreground': token('text'),
      'editorLineNumber.foreground': token('muted'),
      'editorLineNumber.activeForeground': token('text'),
      'editor.lineHighlightBackground': token('surface'),
      'editor.lineHighlightBorder': token('surface'),
      'editorCursor.foreground': token('accent'),
      'editor.selectionBackground': token('selected'),
      'editorWidget.background': token('raised'),
      'editorWidget.border': token('border'),
      'editorHoverWidget.background': token('raised'),
      'editorHoverWidget.border': token('border'),
      'editorGutter.background': token('bg'),
      'editorError.foreground': token('bad'),
      'editorWarning.foreground': token('warn'),
      focusBorder: token('focus'),
      'scrollbarSlider.background': `${token('border-strong')}66`,
      'editorOverviewRuler.border': token('bg'),
    },
  })
  monaco.editor.setTheme(`fusescope-${theme}`)
}

export { monaco }
