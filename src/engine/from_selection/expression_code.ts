/** The selection as a PatternExpr, one line per call. */
import { Node, type Arg } from '../../fx'
import type { Form } from './forms'
import { localName, Names } from './input_names'
import { functionCode, pythonArg, quoted } from './python_args'
import { holdsNode } from './selection'
import type { PatternConstant, SelectedNodes } from './types'

export interface ExpressionCode {
  /** Assignments, in order. */
  lines: readonly string[]
  /** The whole pattern. */
  result: string
  /** Classes of torch._inductor.pattern_matcher in use. */
  classes: readonly string[]
}

/**
 * Every constant is compared exactly, with three exceptions: parameters, NaN (which equals nothing), and the bodies of higher-order
 * operators.
 */
export function expressionCodeOf(
  { nodes, inputs, kept }: SelectedNodes,
  { outputs, exclusive }: Pick<Form, 'outputs' | 'exclusive'>,
  parameters: readonly PatternConstant[],
): ExpressionCode {
  const inside = new Set(nodes)
  const names = new Map<Node, string>()
  const locals = new Names()
  const classes = new Set<string>()
  const lines: string[] = []
  const keyword = (name: string, kind = 'KeywordArg'): void => {
    classes.add(kind)
    lines.push(`${name} = ${kind}(${quoted(name)})`)
  }
  for (const { node, name } of inputs) {
    names.set(node, locals.take(name))
    keyword(name, exclusive ? 'ExclusiveKeywordArg' : 'KeywordArg')
  }
  for (const { name } of parameters) keyword(locals.take(name))
  const leaf = (value: Arg): string | null => {
    if (value instanceof Node && names.has(value)) return names.get(value)!
    if (typeof value === 'number') {
      const parameter = parameters.find((p) => p.value === value)
      if (parameter) return parameter.name
    }
    const ignored =
      value instanceof Node ||
      Number.isNaN(value) ||
      isKind(value, 'sym') ||
      (isKind(value, 'slice') && holdsNode(value))
    if (!ignored) return null
    classes.add('Ignored')
    return 'Ignored()'
  }
  for (const node of nodes) {
    const name = locals.take(localName(node))
    names.set(node, name)
    const kind = node.op === 'call_method' ? 'CallMethod' : 'CallFunction'
    classes.add(kind)
    const target = kind === 'CallMethod' ? quoted(node.target) : functionCode(node.target)
    const args = node.args.map((a) => pythonArg(a, leaf))
    const kwargs = [...node.kwargs].map(([k, v]) => `${k}=${pythonArg(v, leaf)}`)
    const users = outputs.includes(node) ? 1 : [...node.users].filter((u) => inside.has(u)).length
    const stays = kept.includes(node)
    if (stays) classes.add('MULTIPLE')
    const readers = stays ? ['_users=MULTIPLE'] : users === 1 ? [] : [`_users=${users}`]
    lines.push(`${name} = ${kind}(${[target, ...args, ...kwargs, ...readers].join(', ')})`)
  }
  const roots = outputs.map((o) => names.get(o)!)
  if (roots.length > 1) classes.add('MultiOutputPattern')
  const result = roots.length === 1 ? roots[0]! : `MultiOutputPattern([${roots.join(', ')}])`
  return { lines, result, classes: [...classes].sort() }
}

const isKind = (value: Arg, kind: string): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind
