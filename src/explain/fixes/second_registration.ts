/**
 * Writes a second registration: copies the functions that a fix changes and the calls that register them, with the fix applied. The
 * original pattern keeps its matches.
 */
import { applyChanges, changesOfEdits, textEdits, type Change, type SourceFile } from './change'
import { ancestors, listField, textField, type SyntaxFile, type SyntaxNode } from './syntax'

/** The edits, and the names, of the copies. */
interface Copying {
  file: SyntaxFile
  edits: readonly Change[]
  /** Statements of `body` that are copied under a new name. */
  defined: Map<SyntaxNode, string>
  /** Statements that register: separate calls, at any depth. */
  calls: Set<SyntaxNode>
  /** Elements of lists, followed by their copies: `for cls in (A, A_2)`. */
  elements: Set<SyntaxNode>
  renamed: Map<string, string>
}

/**
 * @param file the file before the fix
 * @param after its text with the fix
 * @returns null if the changes belong to no registration that can be copied
 */
export function secondRegistration(file: SyntaxFile, after: string): SourceFile | null {
  const lines = textEdits(file.name, file.text, after)
  const edits = changesOfEdits(file.text, lines).map((e) => trimmed(file.text, e))
  for (const body of bodiesAround(file, edits)) {
    const copying = copied(file, body, edits)
    const changes = copying && changesOf(copying, body)
    const made = changes && applyChanges([{ name: file.name, text: file.text }], changes)
    if (made) return made[0]!
  }
  return null
}

/** Inserted whole lines belong to the line before them: a line inserted after a function's last line is part of the function. */
function trimmed(text: string, e: Change): Change {
  const atLine = e.from > 0 && text[e.from - 1] === '\n'
  if (atLine && e.from === e.to && e.text.endsWith('\n'))
    return { ...e, from: e.from - 1, to: e.to - 1, text: `\n${e.text.slice(0, -1)}` }
  if (atLine && e.text === '' && text[e.to - 1] === '\n') return { ...e, from: e.from - 1, to: e.to - 1 }
  return e
}

/** Lists of statements that contain all edits, innermost first: bodies of functions, and the module. */
function bodiesAround(file: SyntaxFile, edits: readonly Change[]): SyntaxNode[][] {
  const functions = file
    .of('FunctionDef')
    .filter((f) => edits.every((e) => e.from >= f.from && e.to <= f.to))
    .sort((a, b) => b.from - a.from)
  return [...functions, ...file.of('Module')].map((n) => listField(n, 'body'))
}

/** Statements with the decorators of a function or class. */
const startOf = (file: SyntaxFile, n: SyntaxNode): number =>
  Math.min(n.from, ...listField(n, 'decorator_list').map((d) => file.text.lastIndexOf('@', d.from)))

const isInside = (file: SyntaxFile, at: { from: number; to: number }, n: SyntaxNode): boolean =>
  at.from >= startOf(file, n) && at.to <= n.to

function copied(file: SyntaxFile, body: readonly SyntaxNode[], edits: readonly Change[]): Copying | null {
  const state: Copying = {
    file,
    edits,
    defined: new Map(),
    calls: new Set(),
    elements: new Set(),
    renamed: new Map(),
  }
  const pending: SyntaxNode[] = []
  for (const e of edits) {
    const at = body.find((n) => isInside(file, e, n))
    if (at) pending.push(at)
  }
  let registers = false
  for (let n = pending.pop(); n; n = pending.pop()) {
    if (state.defined.has(n) || state.calls.has(n)) continue
    if (n.type === 'Expr') {
      state.calls.add(n)
      registers = true
      continue
    }
    const name = definedName(n)
    if (name === null) return null
    registers ||= listField(n, 'decorator_list').length > 0
    const fresh = freshName(file, name)
    state.defined.set(n, fresh)
    state.renamed.set(name, fresh)
    for (const use of usesOf(file, body, name)) {
      const top = body.find((s) => isInside(file, use, s))!
      if (state.defined.has(top)) continue
      const statement = statementAround(use)
      if (use.parent?.type === 'List' || use.parent?.type === 'Tuple') {
        state.elements.add(use)
        registers = true
      } else if (statement?.type === 'Expr') {
        state.calls.add(statement)
        registers = true
      } else pending.push(top)
    }
  }
  return registers && state.defined.size + state.calls.size > 0 ? state : null
}

/** The name that a statement defines; null for statements that define none, or several. */
function definedName(n: SyntaxNode): string | null {
  if (n.type === 'FunctionDef' || n.type === 'ClassDef') return textField(n, 'name')
  const [target, ...others] = n.type === 'Assign' ? listField(n, 'targets') : []
  return target?.type === 'Name' && others.length === 0 ? textField(target, 'id') : null
}

function freshName(file: SyntaxFile, name: string): string {
  for (let i = 2; ; i++) if (!new RegExp(`\\b${name}_${i}\\b`).test(file.text)) return `${name}_${i}`
}

const usesOf = (file: SyntaxFile, body: readonly SyntaxNode[], name: string): SyntaxNode[] =>
  file
    .of('Name')
    .filter((n) => textField(n, 'id') === name && body.some((s) => isInside(file, n, s)))
    .filter((n) => !isTarget(n))

const isTarget = (n: SyntaxNode): boolean => n.parent?.type === 'Assign' && listField(n.parent, 'targets').includes(n)

function statementAround(n: SyntaxNode): SyntaxNode | null {
  let inner = n
  for (const up of ancestors(n)) {
    if (['body', 'orelse', 'finalbody'].some((key) => listField(up, key).includes(inner))) return inner
    inner = up
  }
  return null
}

function changesOf(state: Copying, body: readonly SyntaxNode[]): Change[] | null {
  const { file, edits, defined, calls, elements, renamed } = state
  const changes: Change[] = edits.filter((e) => !body.some((n) => isInside(file, e, n)))
  const add = (at: number, text: string): number => changes.push({ file: file.name, from: at, to: at, text })
  for (const n of [...defined.keys(), ...calls]) {
    const indent = indentOf(file.text, startOf(file, n))
    if (indent === null) return null
    const lines = n.type === 'Assign' || n.type === 'Expr' ? 1 : indent === '' ? 3 : 2
    const text = copyOf(state, n)
    if (text === null) return null
    add(n.to, `${'\n'.repeat(lines)}${indent}${text}`)
  }
  for (const n of elements) {
    const inside = [...defined.keys()].some((d) => isInside(file, n, d))
    if (!inside) add(n.to, `, ${renamed.get(textField(n, 'id')!)}`)
  }
  return changes
}

/** The white space before a statement; null if it does not start its line. */
function indentOf(text: string, at: number): string | null {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^\s*$/.test(line) ? line : null
}

/** The text of a statement with the edits inside it, under the new names. */
function copyOf({ file, edits, renamed }: Copying, n: SyntaxNode): string | null {
  const start = startOf(file, n)
  const inside = edits.filter((e) => isInside(file, e, n))
  const changes: Change[] = inside.map((e) => ({ ...e, text: renamedText(e.text, renamed) }))
  const rename = (from: number, name: string): void => {
    const to = from + name.length
    const other = renamed.get(name)
    if (other !== undefined && !inside.some((e) => from < e.to && to > e.from))
      changes.push({ file: file.name, from, to, text: other })
  }
  for (const name of file.of('Name')) if (isInside(file, name, n)) rename(name.from, textField(name, 'id')!)
  const name = definedName(n)
  if (name !== null && n.type !== 'Assign') rename(file.text.indexOf(name, n.from + 4), name)
  const shifted = changes.map((c) => ({ ...c, from: c.from - start, to: c.to - start }))
  return applyChanges([{ name: file.name, text: file.text.slice(start, n.to) }], shifted)?.[0]!.text ?? null
}

const renamedText = (text: string, renamed: ReadonlyMap<string, string>): string =>
  text.replace(/(?<![\w.])[A-Za-z_]\w*/g, (name) => renamed.get(name) ?? name)
