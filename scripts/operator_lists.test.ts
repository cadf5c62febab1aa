import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { catalogNames } from '../src/ops/schema/catalog'
import { root } from './lib.mjs'

/** Files outside src/ops that name operators in a list, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'app/fold/filters.ts': 'reads of a size, by name in the view of a node; the page does not load operators',
  'engine/from_selection/input_names.ts': 'names of Python',
  'engine/from_selection/make_pattern.ts': 'words that say nothing in the name of a fusion',
  'explain/advice/advice.ts': 'messages of PyTorch, by the function that raises them',
  'explain/align/align.ts': 'one decomposition, step by step',
  'explain/fixes/candidates/arguments.ts': 'parameters of functions of torch.nn.functional',
  'explain/fixes/python_style.ts': 'functions of torch that a person calls in place of the operator',
  'explain/reasons/operators.ts': 'words by which steps of a decomposition of any project are recognized',
  'fx/code/functions.ts': 'functions of torch, operator and math',
  'fx/graph/calls.ts': 'reads of a size; fx is below ops',
  'fx/graph/illegal_names.ts': 'names of Python',
  'fx/operators.ts': 'functions of operator',
  'fx/outline/kinds.ts': 'words in names of layers of any project',
  'fx/readers/read_dot.ts':
    'functions and operators of which a drawing does not tell the order of inputs; fx is below ops',
  'fx/readers/readable_statement.ts': 'names of Python',
  'fx/readers/repr_target.ts': 'functions of torch.nn.functional',
  'fx/sym/functions.ts': 'functions of sympy',
  'fx/sym/print.ts': 'relations of sympy',
  'gpu/types.ts': 'distributions of data',
  'gpu/user_kernels/kernel_expr.ts': 'functions of Triton',
  'matcher/hidden_names.ts': 'operations of two tensors, whose trace reads the sizes of the first',
  'python/symbolic.ts': 'relations of sympy',
  'trace/operators.ts': 'functions of operator',
}

/** As many names make a list. */
const LIST = 4

/** Names of operators, and whether a text names one with its namespace. */
const bare = new Set([...catalogNames('aten'), ...catalogNames('prims')])
const isQualified = (word: string): boolean => bare.has(/^(?:torch\.ops\.)?(?:aten|prims)\.(\w+)/.exec(word)?.[1] ?? '')

type Syntax = Record<string, unknown> & { type: string; start: number }

/** The strings of an expression, keys included; functions inside it are code of their own. */
function strings(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(strings)
  if (typeof node !== 'object' || node === null) return []
  const { type, value, regex, key, computed } = node as Syntax & { value: unknown; regex?: { pattern: string } }
  if (type === 'ArrowFunctionExpression' || type === 'FunctionExpression') return []
  if (type === 'Literal')
    return regex ? [regex.pattern.replace(/\\b|[()|^$?:\\[\]]/g, ' ')] : typeof value === 'string' ? [value] : []
  if (type === 'TemplateElement') return [(value as { cooked: string }).cooked]
  if (type === 'Property' && !computed && (key as Syntax).type === 'Identifier')
    return [String((key as Syntax)['name']), ...strings(value)]
  return Object.values(node).flatMap(strings)
}

/** A string of code or prose is no list. */
const isWords = (text: string): boolean => /^[\w\s./-]*$/.test(text)

const isList = ({ type, operator, value, regex }: Syntax): boolean =>
  ['ArrayExpression', 'ObjectExpression', 'TemplateLiteral'].includes(type) ||
  (type === 'BinaryExpression' && operator === '+') ||
  (type === 'Literal' && (typeof value === 'string' || regex !== undefined))

function namesIn(node: Syntax): string[] {
  const words = strings(node)
    .filter(isWords)
    .flatMap((text) => text.split(/[\s/]+/))
    .filter((word) => word !== '')
  const qualified = new Set(words.filter(isQualified))
  const short = new Set(words.filter((word) => bare.has(word)))
  if (qualified.size >= LIST) return [...qualified]
  // Most words of a list of Python or of English are no operators.
  return short.size >= LIST && short.size >= (words.length - short.size) / 2 ? [...short] : []
}

function listsIn(node: unknown): { start: number; names: string[] }[] {
  if (Array.isArray(node)) return node.flatMap(listsIn)
  if (typeof node !== 'object' || node === null) return []
  const names = 'type' in node && isList(node as Syntax) ? namesIn(node as Syntax) : []
  return names.length > 0 ? [{ start: (node as Syntax).start, names }] : Object.values(node).flatMap(listsIn)
}

const src = join(root, 'src')
const files = readdirSync(src, { recursive: true })
  .map((name) => String(name).split(sep).join('/'))
  .filter((name) => /\.tsx?$/.test(name) && !/^ops\/|\.test\.tsx?$|\/testing\/|\/suite\//.test(name))

test('only src/ops names operators in lists', () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    return listsIn(parseSync(file, text).program.body).map(({ start, names }) => ({
      file,
      at: `${file}:${text.slice(0, start).split('\n').length}: ${names.slice(0, 6).join(' ')}`,
    }))
  })
  expect(found.filter(({ file }) => !(file in ALLOWED)).map(({ at }) => at)).toEqual([])
  expect(
    Object.keys(ALLOWED).filter((file) => !found.some((f) => f.file === file)),
    'lists no more',
  ).toEqual([])
})
