/** Completion, hover and parameter hints for torch in Monaco. */
import type { editor, languages, Position } from 'monaco-editor/editor/editor.api.js'
import { graphOfSide, useRun } from '../../../session/run_store'
import { useView } from '../../../session/view_store'
import { monaco } from '../monaco'
import { callAt, CALL_REACH } from './call_at'
import { aliasesOf, pathAt, pathBefore, resolved } from './dotted_path'
import { hoverText } from './hover_text'
import { loadTorchNames } from './load'
import { signatureText, type Completion } from './torch_names'

const FIND = 'fusescope.find'
const KINDS: Readonly<Record<Completion['kind'], languages.CompletionItemKind>> = {
  namespace: monaco.languages.CompletionItemKind.Module,
  module: monaco.languages.CompletionItemKind.Module,
  operator: monaco.languages.CompletionItemKind.Function,
  overload: monaco.languages.CompletionItemKind.Method,
  function: monaco.languages.CompletionItemKind.Function,
}

/** Registers the providers; they load what they need on first use. */
export function registerTorchLanguage(): void {
  monaco.editor.registerCommand(FIND, (_, query: string) => useView.getState().setSearch({ open: true, query, at: 0 }))
  monaco.languages.registerCompletionItemProvider('python', {
    triggerCharacters: ['.'],
    provideCompletionItems: completions,
  })
  for (const language of ['python', 'fx']) monaco.languages.registerHoverProvider(language, { provideHover: hover })
  // Monaco's own key begins with Ctrl+K, which opens the palette.
  monaco.editor.addKeybindingRule({
    keybinding: monaco.KeyMod.Shift | monaco.KeyCode.F1,
    command: 'editor.action.showHover',
    when: 'editorTextFocus',
  })
  monaco.languages.registerSignatureHelpProvider('python', {
    signatureHelpTriggerCharacters: ['(', ','],
    signatureHelpRetriggerCharacters: [','],
    provideSignatureHelp: parameterHints,
  })
}

async function completions(model: editor.ITextModel, position: Position): Promise<languages.CompletionList | null> {
  const before = model.getLineContent(position.lineNumber).slice(0, position.column - 1)
  const imported = /^\s*from (torch[\w.]*) import (?:\(?\s*|.*,\s*)(\w*)$/.exec(before)
  const { path, partial } = imported ? { path: imported[1]!, partial: imported[2]! } : pathBefore(before)
  if (path === '' || /#|^\s*(?:def|class) \w*$/.test(before)) return null
  const names = await loadTorchNames()
  if (!names) return null
  const range = {
    startLineNumber: position.lineNumber,
    endLineNumber: position.lineNumber,
    startColumn: position.column - partial.length,
    endColumn: position.column,
  }
  const suggestions = names.after(resolved(path, aliasesOf(model.getValue()))).map(({ name, kind, detail }, i) => ({
    label: detail === '' ? name : { label: name, description: shortened(detail) },
    kind: KINDS[kind],
    ...(detail !== '' && { detail }),
    insertText: name,
    // Overloads stay in PyTorch's order.
    sortText: kind === 'overload' ? String(i).padStart(3, '0') : name.startsWith('_') ? `~${name}` : name,
    range,
  }))
  return { suggestions }
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

async function hover(model: editor.ITextModel, position: Position): Promise<languages.Hover | null> {
  const at = pathAt(model.getLineContent(position.lineNumber), position.column)
  if (!at) return null
  const names = await loadTorchNames()
  const meaning = names?.meaningOf(resolved(at.path, aliasesOf(model.getValue())))
  if (!names || !meaning) return null
  const { code, rule, uses } = hoverText(meaning, names.facts.rules, graphOfSide(useRun.getState(), 'before'))
  const link = uses && `[${uses.text}](command:${FIND}?${encodeURIComponent(JSON.stringify(uses.query))})`
  return {
    range: new monaco.Range(position.lineNumber, at.from, position.lineNumber, at.to),
    contents: [
      { value: `\`\`\`python\n${code}\n\`\`\`` },
      ...(rule === null ? [] : [{ value: rule }]),
      ...(link ? [{ value: link, isTrusted: { enabledCommands: [FIND] } }] : []),
    ],
  }
}

/** True at a name of the torch library that runs here: it has a hover but no source in the workspace. */
export async function isTorchName(model: editor.ITextModel, position: Position): Promise<boolean> {
  return (await hover(model, position)) !== null
}

async function parameterHints(
  model: editor.ITextModel,
  position: Position,
): Promise<languages.SignatureHelpResult | null> {
  const before = model.getValueInRange(new monaco.Range(1, 1, position.lineNumber, position.column))
  const call = callAt(before.slice(-CALL_REACH))
  if (!call) return null
  const names = await loadTorchNames()
  const meaning = names?.meaningOf(resolved(call.path, aliasesOf(model.getValue())))
  if (!meaning) return null
  const { overloads, overload, signature, name } = meaning
  const shown = overload === null ? overloads : overloads.filter((o) => o.name === overload)
  const signatures = signature
    ? [pythonSignature(name, signature)]
    : shown.map((o) => ({
        label: `${name}.${o.name}${signatureText(o.schema)}`,
        parameters: o.args.map((a) => ({ label: a.text })),
        activeParameter: parameterOf(
          o.args.map((a) => a.name),
          call,
        ),
      }))
  if (signatures.length === 0) return null
  if (signature) signatures[0]!.activeParameter = parameterOf(parametersIn(signature), call)
  return { value: { signatures, activeSignature: 0, activeParameter: signatures[0]!.activeParameter }, dispose() {} }
}

const parameterOf = (names: readonly string[], { argument, keyword }: { argument: number; keyword: string | null }) =>
  keyword === null ? argument : Math.max(0, names.indexOf(keyword))

const parametersIn = (signature: string): string[] =>
  [...signature.slice(1).matchAll(/(?:^|,\s*)\*{0,2}(\w+)/g)].map((m) => m[1]!)

function pythonSignature(name: string, signature: string) {
  return {
    label: `${name}${signature}`,
    parameters: parametersIn(signature).map((p) => ({ label: p })),
    activeParameter: 0,
  }
}
