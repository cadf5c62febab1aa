/** Says in one sentence what an expression accepts, and what the stages compare. Follows pattern_matcher.py of PyTorch 2.14.1. */
import { count, listed } from '../../base/english'
import { code, message, operator, type Message } from '../../base/message'
import { argRepr, containerParts } from '../../matcher/expr/arg_text'
import { ListOf, MultiOutputPattern, RepeatedExpr } from '../../matcher/expr/combined'
import { GetAttr } from '../../matcher/expr/get_attr'
import { ExclusiveKeywordArg, Ignored, KeywordArg } from '../../matcher/expr/leaves'
import { MULTIPLE, type Users } from '../../matcher/expr/pattern'
import { PatternExpr, type PatternArg } from '../../matcher/expr/pattern_expr'
import { TargetExpr } from '../../matcher/expr/target'
import { isTargetArgsExpr, type TargetArgsExpr } from '../../matcher/expr/target_args'
import { plain } from '../../matcher/steps/step_text'
import { constantStr } from '../../matcher/constant'
import { packetIn, wrappedBy, type Piece } from './pieces'
import type { ExplainedPattern } from './types'

export type PatternKind = ExplainedPattern['kind']

/** The expression without its arguments, as Python writes it; users of an output are left out, because they are not compared. */
export function labelOf({ arg, constant }: Piece, isOutput = false): string {
  if (constant !== undefined) return `Ignored() for ${plain(argRepr(constant as PatternArg))}`
  if (arg instanceof TargetExpr) return `${arg.className}(${operatorName(arg)}${isOutput ? '' : usersLabel(arg.users)})`
  if (arg instanceof GetAttr) return `GetAttr(${arg.value ? plain(constantStr(arg.value)) : arg.target})`
  if (arg instanceof ListOf) return arg.partial ? 'ListOf(…, partial=True)' : 'ListOf(…)'
  if (arg instanceof MultiOutputPattern) return `MultiOutputPattern([${count(arg.all.length, 'output')}])`
  if (arg instanceof RepeatedExpr) return 'RepeatedExpr(…)'
  if (arg instanceof Ignored) return 'Ignored()'
  if (arg instanceof PatternExpr) return arg.hasOwnMatch ? `${arg.className}(…)` : plain(arg.repr())
  const parts = containerParts(arg)
  if (parts?.kind === 'dict') return `{${count(parts.entries.length, 'entry', 'entries')}}`
  if (parts) return `[${count(parts.items.length, 'item')}]`
  return plain(argRepr(arg))
}

/** Class of the PatternExpr, or the kind of a plain argument. */
export function kindOf({ arg }: Piece): string {
  if (arg instanceof PatternExpr) return arg.className
  return containerParts(arg)?.kind ?? 'constant'
}

const usersLabel = (users: Users): string =>
  users === MULTIPLE ? ', _users=MULTIPLE' : users === 1 ? '' : `, _users=${users}`

/** The accepted operators as text: a wrapped operator comes after the call that wraps it. */
function operatorName(pattern: TargetExpr): string {
  const wrapped = wrappedBy(pattern)
  const packet = packetIn(pattern)
  const own = pattern.fns.filter((fn, i) => pattern.fns.indexOf(fn) === i)
  const name = packet ?? (own.length > 3 ? `${own[0]}, …` : own.join(', '))
  return wrapped === null ? name : `${name.replace('higher_order.', '')} of ${wrapped}`
}

/** @param isOutput the expression is an output of the pattern: its users are not compared */
export function acceptsMessage({ arg, same, constant }: Piece, isOutput: boolean, kind: PatternKind): Message {
  if (same) return sameMessage(arg as PatternExpr)
  if (constant !== undefined)
    return message`Accepts any value: stage one ignores the constant, ${code(plain(argRepr(constant as PatternArg)))} with the example inputs.`
  if (arg instanceof PatternExpr && arg.hasOwnMatch)
    return message`Accepts what the ${code('_match')} of ${code(arg.className)} accepts.`
  if (isTargetArgsExpr(arg))
    return message`Accepts ${callMessage(arg)} with ${argumentsText(arg)} and ${usersText(arg.users, isOutput)}.`
  if (arg instanceof TargetExpr)
    return message`Accepts ${callMessage(arg)} with any arguments, which are passed to the handler, and ${usersText(arg.users, isOutput)}.`
  if (arg instanceof GetAttr) return attributeMessage(arg, isOutput)
  if (arg instanceof ListOf)
    return arg.partial
      ? ['Accepts a list or tuple in which at least one item matches the expression below.']
      : ['Accepts a list or tuple of at least one item, each of which matches the expression below.']
  if (arg instanceof MultiOutputPattern)
    return [
      `Accepts ${count(arg.all.length, 'output')}: the first is tried at the anchor, the others from nodes that they share with it.`,
    ]
  if (arg instanceof RepeatedExpr)
    return [
      'Accepts a call that matches the expression below, if all other calls of that operator that use its inputs match too.',
    ]
  if (arg instanceof PatternExpr) return argumentMessage(arg, kind)
  const parts = containerParts(arg)
  if (!parts) return message`Accepts only the constant ${code(plain(argRepr(arg)))}.`
  if (parts.kind === 'dict')
    return parts.entries.length === 0
      ? ['Accepts an empty dict.']
      : [`Accepts a dict with the keys ${listed(parts.entries.map(([k]) => k))}, in this order.`]
  return parts.items.length === 0
    ? ['Accepts an empty list or tuple.']
    : [`Accepts a list or tuple of exactly ${count(parts.items.length, 'item')}.`]
}

const sameMessage = (arg: PatternExpr): Message =>
  arg instanceof Ignored || !('name' in arg)
    ? ['Accepts only the value that matched this object above.']
    : message`Accepts only the value that ${code(String(arg.name))} is bound to.`

function callMessage(pattern: TargetExpr): Message {
  const packet = packetIn(pattern)
  const wrapped = wrappedBy(pattern)
  const own = [...new Set(pattern.fns)]
  const names =
    packet ??
    listed(
      own.map((fn) => fn.replace(/^higher_order\./, '')),
      4,
    ).replace(/ and (?!\d)/, ' or ')
  if (pattern.op === 'call_method') return message`a call of the method ${code(names)}`
  if (pattern.op === 'call_module') return message`a call of a module of class ${code(names)}`
  if (packet !== null) return message`a call of any overload of ${operator(packet)}`
  return wrapped === null
    ? message`a call of ${operator(names)}`
    : message`a call of ${code(names)} that wraps ${operator(wrapped)},`
}

function argumentsText({ args, kwargs }: TargetArgsExpr): string {
  const positional = args.length === 0 ? 'no positional argument' : count(args.length, 'positional argument')
  if (kwargs.size === 0) return positional
  const names = listed([...kwargs.keys()], 6)
  return `${positional}, the keyword ${kwargs.size === 1 ? 'argument' : 'arguments'} ${names}`
}

function usersText(users: Users, isOutput: boolean): string {
  if (isOutput) return 'any number of users, because it is an output'
  if (users === MULTIPLE) return 'any number of users'
  return users === 0 ? 'no user' : `exactly ${count(users, 'user')}`
}

function attributeMessage({ value, users }: GetAttr, isOutput: boolean): Message {
  if (!value) return ['Accepts nothing: a module of the pattern never equals a module of the graph.']
  if (value.values === null)
    return ['Accepts nothing: the values of this tensor are unknown, and such a tensor equals no other.']
  return message`Accepts a get_attr node of a tensor equal to ${code(plain(constantStr(value)))} in values, dtype, shape, strides and device, with ${usersText(users, isOutput)}.`
}

function argumentMessage(arg: PatternExpr, kind: PatternKind): Message {
  const to = kind === 'graph' ? 'the handler' : 'the replacement'
  if (arg instanceof Ignored) return ['Accepts any value and binds nothing.']
  if (arg instanceof ExclusiveKeywordArg)
    return message`Accepts any value that no other exclusive argument has, and passes it to ${to} as ${code(arg.name)}.`
  if (arg instanceof KeywordArg) return message`Accepts any value and passes it to ${to} as ${code(arg.name)}.`
  return arg.className === 'Arg'
    ? message`Accepts any value and passes it to ${to} by position.`
    : message`Accepts what ${code(arg.className)} accepts.`
}

/** Further facts of a comparison, one sentence each. */
export function notesOf({ arg, same }: Piece, named: ReadonlyMap<string, number>): string[] {
  const notes: string[] = []
  if (same) return notes
  if (isTargetArgsExpr(arg) && arg.kwargs.size > 0) {
    notes.push('Keyword arguments of the node that the expression does not name are not compared.')
    if (arg.op === 'call_function')
      notes.push('If the node has fewer keyword arguments, defaults of its schema fill them in.')
  }
  if (arg instanceof KeywordArg || arg instanceof ExclusiveKeywordArg) {
    const places = named.get(arg.name) ?? 1
    if (places > 1) notes.push(`${arg.name} is in ${places} places; all must have the same value.`)
  }
  if (arg instanceof ListOf)
    notes.push('Expressions with several users keep their node from item to item; all others match each item anew.')
  if (arg instanceof RepeatedExpr) notes.push('Each call is matched on its own.')
  if (isNumber(arg)) notes.push('Compared with Python’s ==: 1, 1.0 and True are equal.')
  return notes
}

const isNumber = (arg: PatternArg): boolean => ['number', 'bigint', 'boolean'].includes(typeof arg)
