/** Finds registering calls that did not run because of the environment's answers in a condition. */
import {
  ancestors,
  functionAround,
  isFunction,
  listField,
  nodeField,
  SyntaxFile,
  textField,
  within,
} from '../../explain/fixes/syntax'
import type { SyntaxNode } from '../../explain/fixes/syntax'
import type { EnvironmentAnswer, SyntaxData } from '../../python/types'
import type { TextFile } from '../../workspace/types'
import { guardsOf } from '../pipeline/guards'
import type { StageGuard } from '../pipeline/types'
import type { SkippedRegistrations } from './types'

type SyntaxOf = (text: string) => SyntaxData | null

/**
 * An `if` counts if the answers on its lines decide its condition: a query, `not`, `and`, `or`. Comparisons with an answer, and
 * queries inside a user function, are not evaluated here.
 */
export function skippedRegistrations(
  asked: readonly EnvironmentAnswer[],
  files: readonly TextFile[],
  syntaxOf: SyntaxOf,
): SkippedRegistrations[] {
  return conditions(asked, files, syntaxOf).flatMap(({ file, statement, here }) => {
    const used: StageGuard[] = []
    const holds = truthOf(file, nodeField(statement, 'test'), here, used)
    if (holds === null || used.length === 0) return []
    const lines = [...new Set(skippedBy(file, statement, holds).map((c) => c.line))].sort((a, b) => a - b)
    return lines.length === 0 ? [] : [{ guards: used, file: file.name, lines }]
  })
}

/**
 * For a class that nothing creates: the queries in conditions that name it, except answers that already have the value that its
 * branch needs. The files are read once for all classes, at the first one.
 */
export function guardsOfUnmade(
  asked: readonly EnvironmentAnswer[],
  files: readonly TextFile[],
  syntaxOf: SyntaxOf,
): (name: string) => StageGuard[] {
  let known: ReturnType<typeof conditions> | null = null
  const isSame = (a: StageGuard, b: StageGuard): boolean =>
    a.question === b.question && a.source?.file === b.source?.file && a.source?.line === b.source?.line
  return (name) => {
    const word = new RegExp(`\\b${name.replace(/[^\w]/g, '')}\\b`)
    known ??= conditions(asked, files, syntaxOf)
    const met = known.flatMap(({ file, statement, here }) => {
      const [body, orelse] = ['body', 'orelse'].map((branch) =>
        listField(statement, branch).some((s) => word.test(file.source(s))),
      )
      return body === orelse ? [] : metBy(file, nodeField(statement, 'test'), body!, here)
    })
    return guardsOf(name, asked, files, syntaxOf, true).filter((g) => !met.some((m) => isSame(m, g)))
  }
}

/** The answers in a condition that cannot give it the wanted value by changing. */
function metBy(file: SyntaxFile, test: SyntaxNode | null, wanted: boolean, here: Here): StageGuard[] {
  if (test?.type === 'BoolOp') return listField(test, 'values').flatMap((part) => metBy(file, part, wanted, here))
  if (test?.type === 'UnaryOp' && textField(test, 'op') === 'Not')
    return metBy(file, nodeField(test, 'operand'), !wanted, here)
  const used: StageGuard[] = []
  return truthOf(file, test, here, used) === wanted ? used : []
}

/** Each `if` of the files that asked the environment, with the answers in its file. */
function conditions(asked: readonly EnvironmentAnswer[], files: readonly TextFile[], syntaxOf: SyntaxOf) {
  return files.flatMap(({ name, text }) => {
    const here: Here = asked.flatMap((a) =>
      [a.source, ...(a.also ?? [])].flatMap((s) => (s && isIn(s.file, name) ? [{ ...a, source: s }] : [])),
    )
    const data = here.length === 0 ? null : syntaxOf(text)
    if (!data) return []
    const file = new SyntaxFile(name, text, data)
    return file.of('If').map((statement) => ({ file, statement, here }))
  })
}

/** True for a file's own name, and for its path in Python. */
export const isIn = (path: string, name: string): boolean => path === name || path.endsWith(`/${name}`)

type Here = readonly (EnvironmentAnswer & { source: NonNullable<EnvironmentAnswer['source']> })[]

/** The value of a condition; null if the answers do not decide it. @param used receives the answers that decide it */
function truthOf(file: SyntaxFile, test: SyntaxNode | null, here: Here, used: StageGuard[]): boolean | null {
  if (!test) return null
  if (test.type === 'UnaryOp' && textField(test, 'op') === 'Not') {
    const inner = truthOf(file, nodeField(test, 'operand'), here, used)
    return inner === null ? null : !inner
  }
  if (test.type === 'BoolOp') {
    const decisive = textField(test, 'op') === 'Or'
    const parts = listField(test, 'values').map((part) => {
      const own: StageGuard[] = []
      return { value: truthOf(file, part, here, own), own }
    })
    const deciding = parts.find((p) => p.value === decisive)
    if (deciding) used.push(...deciding.own)
    else if (parts.every((p) => p.value !== null)) used.push(...parts.flatMap((p) => p.own))
    return deciding ? decisive : parts.every((p) => p.value !== null) ? !decisive : null
  }
  return answerAt(file, test, here, used)
}

const TRUTH: Readonly<Record<string, boolean>> = { True: true, False: false, None: false }

function answerAt(file: SyntaxFile, query: SyntaxNode, here: Here, used: StageGuard[]): boolean | null {
  const called = query.type === 'Call' ? nodeField(query, 'func') : query
  const name = called && (textField(called, 'attr') ?? textField(called, 'id'))
  if (!name) return null
  const last = query.line + file.source(query).split('\n').length - 1
  const answers = here.filter(
    ({ question, source: { line } }) =>
      line >= query.line && line <= last && question.replace(/\(.*$/s, '').split('.').at(-1) === name,
  )
  const truths = new Set(answers.map((a) => TRUTH[a.answer] ?? null))
  const [truth = null] = truths
  if (truths.size !== 1 || truth === null) return null
  used.push(
    ...answers.map(({ question, answer, source, settings }) => ({
      question,
      answer,
      source,
      ...(settings && { settings }),
    })),
  )
  return truth
}

/** Registering calls of the branch that did not run and, after a branch that leaves the function, in the rest of its block. */
function skippedBy(file: SyntaxFile, statement: SyntaxNode, holds: boolean): SyntaxNode[] {
  const [taken, other] = holds ? (['body', 'orelse'] as const) : (['orelse', 'body'] as const)
  const skipped = listField(statement, other).flatMap((s) => registeringIn(file, s))
  if (!listField(statement, taken).some((s) => LEAVES.has(s.type))) return skipped
  const around = functionAround(statement)
  const rest = [...(around ? within(around) : file.nodes)].filter(
    (n) => n.from > statement.to && functionAround(n) === around && isRegistering(n),
  )
  return [...skipped, ...rest]
}

const LEAVES: ReadonlySet<string> = new Set(['Return', 'Raise'])

const registeringIn = (file: SyntaxFile, statement: SyntaxNode): SyntaxNode[] =>
  [...within(statement)].filter((n) => isRegistering(n) && !insideFunction(n, statement))

/** True in the body of a function that the statement only defines. */
function insideFunction(node: SyntaxNode, statement: SyntaxNode): boolean {
  for (const n of ancestors(node)) {
    if (isFunction(n)) return !listField(n, 'decorator_list').some((d) => [...within(d)].includes(node))
    if (n === statement) return false
  }
  return false
}

function isRegistering(node: SyntaxNode): boolean {
  const func = node.type === 'Call' ? nodeField(node, 'func') : null
  return func !== null && /^(?:gen_)?register/.test(textField(func, 'attr') ?? textField(func, 'id') ?? '')
}
