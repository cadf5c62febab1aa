/** Reads a line of a cases file: its JSON, the types of its fields, and the graphs in it. */
import { jsonFault } from '../../base/error_message'
import { readCase } from '../../engine/cases/case_input'
import type { CaseInput } from '../../engine/cases/cases'
import type { SelectionCase } from '../../engine/from_selection/pattern_maker'
import { applyTyped, wrongType } from '../../engine/shapes/typed_shapes'
import { formatProblem, read } from '../../fx'

export const EXPECTED = 'one JSON object per line with id, pattern_py and graph'

/** The contents of a field: a description, and a test. */
type FieldType = readonly [expected: string, test: (value: unknown) => boolean]

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isMapOf =
  (test: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isObject(value) && Object.values(value).every(test)

const TEXT: FieldType = ['a string', isText]
const NAMES: FieldType = ['a list of names', (value) => Array.isArray(value) && value.every(isText)]

type Fields = Readonly<Record<string, FieldType>>

const REQUIRED: Fields = { id: TEXT, pattern_py: TEXT, graph: TEXT }
/** For the graph; shapes have a separate message. */
const METADATA: Fields = {
  custom_meta: ['an object of objects by node name', isMapOf(isObject)],
  get_attr_values: ['an object of strings by target', isMapOf(isText)],
}
const OPTIONAL: Fields = {
  ...METADATA,
  readable: TEXT,
  passes: NAMES,
  files: [
    'a list of {"name", "text"}',
    (value) => Array.isArray(value) && value.every((f) => isObject(f) && isText(f.name) && isText(f.text)),
  ],
  environment: ['an object', isObject],
}

/** The case of a line, or an error message. */
export const parseCase = (line: string): CaseInput | string =>
  parseFields<CaseInput>(line, EXPECTED, REQUIRED, OPTIONAL)

export const SELECTION_EXPECTED = 'one JSON object per line with id, graph and nodes'

/** A selection's `readable` is either the graph's other form, or true if `graph` is a print_readable. */
export type SelectionFields = Omit<SelectionCase, 'readable'> & { readable?: string | boolean }

/** The selection of a line, or an error message. */
export const parseSelection = (line: string): SelectionFields | string =>
  parseFields<SelectionFields>(
    line,
    SELECTION_EXPECTED,
    { id: TEXT, graph: TEXT, nodes: NAMES },
    { ...METADATA, readable: ['a string or a boolean', (value) => isText(value) || typeof value === 'boolean'] },
  )

function parseFields<T>(line: string, expected: string, required: Fields, optional: Fields): T | string {
  let value: unknown
  try {
    value = JSON.parse(line) as unknown
  } catch (e) {
    return `this line is not valid JSON (${jsonFault(e)}); expected ${expected}.`
  }
  if (!isObject(value)) return `found ${excerptOf(value)}; expected ${expected}.`
  for (const [name, [type, test]] of Object.entries({ ...required, ...optional })) {
    const field = value[name]
    if (test(field) || (field === undefined && !(name in required))) continue
    const found = field === undefined ? 'nothing' : excerptOf(field)
    return `${name}: expected ${type}, found ${found}; a case is ${expected}.`
  }
  return value as unknown as T
}

function excerptOf(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The first problem in the case's graph, in its other form, or in its shapes. */
export function problemOf(input: Omit<CaseInput, 'pattern_py'>): string | null {
  const { id, graph, readable } = input
  const problems = [
    ...read(graph, `${id}.graph`).problems,
    ...(readable === undefined ? [] : read(readable, `${id}.readable`).problems),
  ]
  if (problems[0]) return formatProblem(problems[0])
  if (input.shapes === undefined) return null
  const wrong = wrongType(input.shapes) ?? applyTyped(readCase({ ...input, pattern_py: '' }), input.shapes)[0]
  return wrong ? `shapes: ${wrong.message}` : null
}
