/** Quick fixes of a text's problems, offered by Monaco at their markers. */
import type { editor, languages } from 'monaco-editor/editor/editor.api.js'
import { perPage } from '../../session/scope'
import type { LineMarker } from './editor_marks'
import { monaco } from './monaco'

const fixes = perPage(() => new WeakMap<editor.ITextModel, readonly LineMarker[]>())

/** Replaces the quick fixes of a text: every problem with an edit gets one. */
export function setQuickFixes(model: editor.ITextModel, markers: readonly LineMarker[]): void {
  fixes().set(
    model,
    markers.filter((m) => m.edit !== undefined),
  )
}

export function registerQuickFixes(): void {
  monaco.languages.registerCodeActionProvider('python', {
    provideCodeActions(model, _range, context) {
      const actions = (fixes().get(model) ?? []).flatMap((m): languages.CodeAction[] => {
        const markers = context.markers.filter((marker) => marker.message === m.message)
        if (markers.length === 0 || !m.edit) return []
        const { title, from, to, text } = m.edit
        const range = new monaco.Range(from.line, from.column, to.line, to.column)
        return [
          {
            title,
            kind: 'quickfix',
            diagnostics: markers,
            isPreferred: true,
            edit: { edits: [{ resource: model.uri, versionId: model.getVersionId(), textEdit: { range, text } }] },
          },
        ]
      })
      return { actions, dispose() {} }
    },
  })
}
