/** Definition, references, rename and outline of the workspace's Python in Monaco, answered by the language service. */
import type { CancellationToken, editor, languages, Position, Uri } from 'monaco-editor/editor/editor.api.js'
import type { TextEdit } from '../../../../engine/protocol'
import { perPage } from '../../../session/scope'
import { useWorkspace } from '../../../session/workspace_store'
import type { Models } from '../models'
import { monaco } from '../monaco'
import { isTorchName } from '../language/providers'
import { rangeOf, type LspLocation, type LspRange, type LspRename, type LspSymbol } from './lsp'
import { pythonService } from './python_service'

/** The models of the mounted editor. */
const mountedIn = perPage(() => ({ models: null as Models | null }))
export const navigateIn = (models: Models | null): void => void Object.assign(mountedIn(), { models })

export function registerNavigation(): void {
  monaco.languages.registerDefinitionProvider('python', {
    provideDefinition: async (model, position) => {
      const found = located(await ask<LspLocation[]>('definition', model, at(position)))
      if (found.length === 0 && (await isTorchName(model, position))) explainInstead(model, position)
      return found
    },
  })
  monaco.languages.registerReferenceProvider('python', {
    provideReferences: async (model, position, context) =>
      located(await ask<LspLocation[]>('references', model, { ...at(position), context })),
  })
  monaco.languages.registerDocumentSymbolProvider('python', {
    displayName: 'Python',
    provideDocumentSymbols: async (model) => (await ask<LspSymbol[]>('documentSymbol', model, {}))?.map(symbolOf),
  })
  monaco.languages.registerRenameProvider('python', { provideRenameEdits: rename, resolveRenameLocation: renamable })
  monaco.editor.registerEditorOpener({
    openCodeEditor: (source, resource, to) => openAt(source, resource, to),
  })
}

/** Shows the hover's text in place of "No definition found", if the cursor is at this position. */
function explainInstead(model: editor.ITextModel, position: Position): void {
  const shown = editorOf(model)
  if (!shown?.getPosition()?.equals(position)) return
  // Runs after Monaco's message appears.
  setTimeout(() => {
    shown.getContribution<MessageController>('editor.contrib.messageController')?.closeMessage()
    void shown.getAction('editor.action.showHover')?.run()
  }, MESSAGE_MS)
}
interface MessageController extends editor.IEditorContribution {
  closeMessage(): void
}
const MESSAGE_MS = 50

const at = ({ lineNumber, column }: Position) => ({ position: { line: lineNumber - 1, character: column - 1 } })

async function ask<T>(method: string, model: editor.ITextModel, params: Record<string, unknown>): Promise<T | null> {
  const file = mountedIn().models?.nameOf(model)
  return file == null ? null : pythonService().ask<T>(method, useWorkspace.getState().workspace.files, file, params)
}

/** Locations in the workspace; files of the service's own library have no text here. */
function located(found: LspLocation[] | null): languages.Location[] {
  const { workspace } = useWorkspace.getState()
  return (found ?? []).flatMap(({ uri, range }) => {
    const name = pythonService().nameOf(uri)
    const model = name === null ? null : (mountedIn().models?.open(workspace, name) ?? null)
    return model ? [{ uri: model.uri, range: rangeOf(range) }] : []
  })
}

const symbolOf = ({ name, kind, range, selectionRange, children = [] }: LspSymbol): languages.DocumentSymbol => ({
  name,
  detail: '',
  // The protocol counts kinds from 1, Monaco from 0.
  kind: kind - 1,
  tags: [],
  range: rangeOf(range),
  selectionRange: rangeOf(selectionRange),
  children: children.map(symbolOf),
})

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Applies the edits as one change of all files, which one undo reverts; Monaco's own would undo each file alone. */
async function rename(
  model: editor.ITextModel,
  position: Position,
  newName: string,
  token: CancellationToken,
): Promise<languages.WorkspaceEdit & languages.Rejection> {
  if (!NAME.test(newName)) return { edits: [], rejectReason: `${newName} is not a name in Python.` }
  const versions = model.getVersionId()
  const answer = await readOnly(model, ask<LspRename>('rename', model, { ...at(position), newName }))
  const files = new Map<string, TextEdit[]>()
  for (const { textDocument, edits } of answer?.documentChanges ?? []) {
    const file = pythonService().nameOf(textDocument.uri)
    if (file !== null)
      files.set(
        file,
        edits.map(({ range, newText }) => editOf(file, range, newText)),
      )
  }
  if (files.size === 0) return { edits: [], rejectReason: 'This name is not defined in a file of the workspace.' }
  if (!token.isCancellationRequested && model.getVersionId() === versions)
    mountedIn().models?.edit(useWorkspace.getState().workspace, files)
  return { edits: [] }
}

/** Blocks typing in the code while an answer is pending: the edit would be refused, because it refers to the text before. */
async function readOnly<T>(model: editor.ITextModel, answer: Promise<T>): Promise<T> {
  const shown = editorOf(model)
  shown?.updateOptions({ readOnly: true, readOnlyMessage: { value: 'Renaming…' } })
  try {
    return await answer
  } finally {
    shown?.updateOptions({ readOnly: false })
  }
}

const editOf = (file: string, { start, end }: LspRange, text: string): TextEdit => ({
  file,
  from: { line: start.line + 1, column: start.character + 1 },
  to: { line: end.line + 1, column: end.character + 1 },
  text,
})

/**
 * The name at the cursor, without waiting for the service to load: characters typed before an answer would land in the code.
 * `rename` refuses a name that no file defines.
 */
function renamable(model: editor.ITextModel, position: Position): languages.RenameLocation & languages.Rejection {
  const { lineNumber: line, column } = position
  const word = model.getWordAtPosition(position)
  const range = new monaco.Range(line, word?.startColumn ?? column, line, word?.endColumn ?? column)
  if (!word || !NAME.test(word.word)) return { range, text: '', rejectReason: 'There is no name at the cursor.' }
  pythonService()
  untilBlurred(model)
  return { range, text: word.word }
}

/** Monaco focuses the rename field a tenth of a second after it appears: characters typed before that must not edit the code. */
function untilBlurred(model: editor.ITextModel): void {
  const shown = editorOf(model)
  if (!shown) return
  shown.updateOptions({ readOnly: true, readOnlyMessage: { value: 'Rename…' } })
  const end = (): void => {
    shown.updateOptions({ readOnly: false })
    blurred.dispose()
    clearTimeout(late)
  }
  const blurred = shown.onDidBlurEditorText(end)
  const late = setTimeout(end, FOCUS_MS)
}
/** By then, the rename field has the focus. */
const FOCUS_MS = 1000

const editorOf = (model: editor.ITextModel): editor.ICodeEditor | undefined =>
  monaco.editor.getEditors().find((e) => e.getModel() === model)

/** Shows a place in another file of the workspace, whose tab comes to the front with the next render. */
function openAt(source: editor.ICodeEditor, resource: Uri, to: unknown): boolean {
  const model = monaco.editor.getModel(resource)
  const name = mountedIn().models?.nameOf(model)
  if (name == null) return false
  useWorkspace.getState().open(name)
  const place = to as
    | { startLineNumber?: number; startColumn?: number; lineNumber?: number; column?: number }
    | undefined
  const lineNumber = place?.startLineNumber ?? place?.lineNumber ?? 1
  requestAnimationFrame(() => {
    source.setPosition({ lineNumber, column: place?.startColumn ?? place?.column ?? 1 })
    source.revealLineInCenterIfOutsideViewport(lineNumber)
    source.focus()
  })
  return true
}
