/**
 * The reason why a pattern did not match at a node, as data. `failureText` prints it like PyTorch's FailedMatch, byte
 * for byte; `mismatchOf` gives both sides. Both run on demand: most attempts fail and few are read.
 */
import { Node, type Arg } from '../../fx'
import type { Pattern, Users } from '../expr/pattern'
import { pyRepr, pyStr } from '../py'
import type { Mismatch } from '../types'

/** The shape of flattened arguments (Flat, expr/flatten.ts). */
interface FlatShape {
  paths: readonly string[]
  spec: string
}

/** A pattern that compares a node's target. */
type TargetPattern = Pattern & { fnsRepr(): string }

export type Failure =
  /** `short`: patterns that accept any arguments print only their kind. */
  | { kind: 'function_mismatch'; pattern: TargetPattern; node: Arg; short: boolean }
  | { kind: 'arity'; pattern: Pattern; node: Node; expected: number }
  | { kind: 'multiple_users'; pattern: Pattern; node: Node; expected: Users; short: boolean }
  | { kind: 'args_structure'; pattern: Pattern; node: Node; expected: FlatShape; found: () => FlatShape }
  | { kind: 'constant_args'; pattern: Pattern; node: Node; argument: string; expected: Arg; found: Arg }
  | { kind: 'get_attr_mismatch'; pattern: Pattern; node: Arg }
  | { kind: 'get_attr_value'; pattern: Pattern; node: Node; expected: string; found: string }
  /** One name captured two values; both as repr. */
  | {
      kind: 'kwarg_mismatch'
      name: string
      pattern: Pattern | null
      node: Node | null
      expected: () => string
      found: () => string
    }
  | { kind: 'repeated_pattern'; pattern: Pattern; node: Arg; before: Arg }
  | { kind: 'exclusive_arg'; pattern: Pattern; node: Arg; name: string }
  | { kind: 'non_list'; pattern: Pattern; node: Arg }
  | { kind: 'no_match'; pattern: Pattern; node: Arg; item: Pattern }
  | { kind: 'list_item'; index: number; failure: Failure }
  /** A user-defined `_match` failed with this text. */
  | { kind: 'user_match'; pattern: Pattern; text: string }
  /** No matched node leads to another output. */
  | { kind: 'no_anchor'; pattern: Pattern & { fnsRepr?(): string } }

/** The location of a failed comparison, with its pattern object; converted to a Mismatch when reported. */
export interface MismatchAt extends Omit<Mismatch, 'patternNode'> {
  pattern: Pattern | null
}

/** `str(FailedMatch)`. */
export function failureText(f: Failure): string {
  switch (f.kind) {
    case 'function_mismatch':
      return f.short ? 'function_mismatch' : functionMismatch(f.node, f.pattern)
    case 'arity':
      return functionMismatch(f.node, f.pattern)
    case 'multiple_users':
      return f.short ? 'multiple_users' : `multiple_users ${f.pattern.repr()}`
    case 'args_structure':
      return `args_structure ${f.found().spec} ${f.expected.spec}`
    case 'constant_args':
      return `constant_args: ${f.node.name} ${pyRepr(f.found)}!=${pyRepr(f.expected)}`
    case 'get_attr_mismatch':
      return `get_attr_mismatch: node=${pyStr(f.node)}, pattern=${f.pattern.repr()}`
    case 'get_attr_value':
      return `get_attr_value: ${f.found} != ${f.expected}`
    case 'kwarg_mismatch':
      return `kwarg mismatch: ${f.name}`
    case 'repeated_pattern':
      return 'repeated pattern differs'
    case 'exclusive_arg':
      return 'exclusive arg appears twice'
    case 'non_list':
      return 'non_list'
    case 'no_match':
      return 'list: no_match'
    case 'list_item':
      return `list[${f.index}]: ${failureText(f.failure)}`
    case 'user_match':
      return f.text
    case 'no_anchor':
      return 'no anchor found'
  }
}

const functionMismatch = (node: Arg, pattern: Pattern): string =>
  `function_mismatch: node=${pyStr(node)}, pattern=${pattern.repr()}`

/** Both sides of the innermost failure. */
export function mismatchOf(f: Failure): MismatchAt {
  if (f.kind === 'list_item') return mismatchOf(f.failure)
  const node = 'node' in f && f.node instanceof Node ? f.node.name : null
  const [expected, found] = sidesOf(f)
  const argument =
    f.kind === 'constant_args' ? f.argument : f.kind === 'kwarg_mismatch' || f.kind === 'exclusive_arg' ? f.name : null
  return { kind: f.kind, graphNode: node, pattern: f.pattern, argument, expected, found }
}

function sidesOf(f: Exclude<Failure, { kind: 'list_item' }>): [expected: string, found: string | null] {
  switch (f.kind) {
    case 'function_mismatch': {
      const found = f.node instanceof Node ? (f.node.op === 'placeholder' ? 'placeholder' : f.node.target) : null
      return [f.pattern.fnsRepr(), found ?? pyStr(f.node)]
    }
    case 'arity':
      return [`${f.expected} positional arguments`, `${f.node.args.length} positional arguments`]
    case 'multiple_users':
      return [String(f.expected), String(f.node.users.size)]
    case 'args_structure':
      return [f.expected.paths.join(', '), f.found().paths.join(', ')]
    case 'constant_args':
      return [pyRepr(f.expected), pyRepr(f.found)]
    case 'get_attr_mismatch':
      return [f.pattern.repr(), pyStr(f.node)]
    case 'get_attr_value':
      return [f.expected, f.found]
    case 'kwarg_mismatch':
      return [f.expected(), f.found()]
    case 'repeated_pattern':
      return [pyStr(f.before), pyStr(f.node)]
    case 'exclusive_arg':
      return ['a value no other exclusive argument has', pyStr(f.node)]
    case 'non_list':
      return ['a list', pyStr(f.node)]
    case 'no_match':
      return [f.item.repr(), pyStr(f.node)]
    case 'user_match':
      return [f.pattern.repr(), f.text]
    case 'no_anchor':
      return [f.pattern.fnsRepr?.() ?? f.pattern.repr(), null]
  }
}
