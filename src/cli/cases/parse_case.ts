/** Reads a line of a cases file: its JSON, the types of its fields, and the graphs in it. */
import { messageOf } from '../../base/error_message'
import { readCase } from '../../engine/cases/case_input'
import type { CaseInput } from '../../engine/cases/cases'
import { applyTyped, wrongType } from '../../engine/shapes/typed_shapes'
import { formatProblem, read } from '../../fx'

export const EXPECTED = 'one JSON object per line with id, pattern_py and graph'

/** What a field holds: a description, and its test. */
type FieldType = readonly [expected: string, test: (value: unknown) => boolean]

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isMapOf =
  (test: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isObject(value) && Object.values(value).every(test)

const TEXT: FieldType = ['a string', isText]
const REQUIRED = { id: TEXT, pattern_py: TEXT, graph: TEXT }
/** Shapes have a message of their own. */
const OPTIONAL: Readonly<Partial<Record<keyof CaseInput, FieldType>>> = {
  readable: TEXT,
  custom_meta: ['an object of objects by node name', isMapOf(isObject)],
  get_attr_values: ['an object of strings by target', isMapOf(isText)],
  passes: ['a list of names', (value) => Array.isArray(value) && value.every(isText)],
  files: [
    'a list of {"name", "text"}',
    (value) => Array.isArray(value) && value.every((f) => isObject(f) && isText(f.name) && isText(f.text)),
  ],
  environment: ['an object', isObject],
}

/** The case of a line, or an error message. */
export function parseCase(line: string): CaseInput | string {
  let value: unknown
  try {
    value = JSON.parse(line) as unknown
  } catch (e) {
    return `this line is not valid JSON (${messageOf(e)}); expected ${EXPECTED}.`
  }
  if (!isObject(value)) return `found ${excerptOf(value)}; expected ${EXPECTED}.`
  for (const [name, [expected, test]] of Object.entries({ ...REQUIRED, ...OPTIONAL })) {
    const field = value[name]
    if (test(field) || (field === undefined && !(name in REQUIRED))) continue
    const found = field === undefined ? 'nothing' : excerptOf(field)
    return `${name}: expected ${expected}, found ${found}; a case is ${EXPECTED}.`
  }
  return value as unknown as CaseInput
}

function excerptOf(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The first problem in the case's graph, in its other form, or in its shapes. */
export function problemOf(input: CaseInput): string | null {
  const { id, graph, readable } = input
  const problems = [
    ...read(graph, `${id}.graph`).problems,
    ...(readable === undefined ? [] : read(readable, `${id}.readable`).problems),
  ]
  if (problems[0]) return formatProblem(problems[0])
  if (input.shapes === undefined) return null
  const wrong = wrongType(input.shapes) ?? applyTyped(readCase(input), input.shapes)[0]
  return wrong ? `shapes: ${wrong.message}` : null
}
