/** Messages of causes outside the node comparison: barriers, checks, traces, registrations, PyTorch's own texts. */
import {
  code,
  joinedParts,
  listedParts,
  message,
  node,
  operator,
  type Message,
  type MessagePart,
} from '../../base/message'
import { dropMessage, type DropReason } from '../../matcher/reasons/drop_reason'
import type { RefusingReturn } from '../../matcher/types'
import { adviceClause } from '../advice/advice'
import { mismatchMessage } from './mismatch_messages'
import type { InputDifference, PassReason } from './reason'
import { guessedClause } from './schema_messages'
import { stubsClause } from './stub_messages'
import { nodesMessage, operatorsMessage } from './terms'

/** A text whose node names are marked; part of an operator's name is not a node name. */
const withNodes = (text: string, nodes: readonly string[]): Message =>
  text.split(/(?<![\w.])(\w+)(?![\w.])/).map((word) => (nodes.includes(word) ? node(word) : word))

type Messages = { [K in PassReason['kind']]: (r: Extract<PassReason, { kind: K }>) => Message }
type UnknownShape = Extract<PassReason, { kind: 'unknown-shape' }>
type ExtraCheck = Extract<PassReason, { kind: 'extra-check-false' }>

export const PASS_MESSAGES: Messages = {
  'mutation-barrier': (r) => {
    const writers = r.writers.map(
      (w) => message`${node(w.node)} (${operator(w.operator)}${w.out ? message` with ${code('out=')}` : ''})`,
    )
    return message`all nodes match, but ${listedParts(writers)} ${writers.length === 1 ? 'writes' : 'write'} to a tensor between ${node(r.from)} and ${node(r.to)}, and a match may not span a mutation`
  },
  'mutation-regions': () => message`the match spans two mutation regions and is dropped`,
  'stream-barrier': (r) =>
    message`all nodes match, but ${node(r.first.node)} is on ${r.first.place} and ${node(r.other.node)} on ${r.other.place}, and a match must be on a single one`,
  streams: () => message`the match spans two streams or memory pools and is dropped`,
  'unknown-shape': unknownShape,
  dropped: (r) => message`the nodes match at ${node(r.node)}, but ${dropMessage(r.drop)}`,
  'extra-check-false': (r) => extraCheck(r),
  'extra-check-raised': (r) =>
    message`all nodes match at ${node(r.node)}, but the extra_check of ${r.pattern} raised ${r.error}; the pass ends there${adviceClause(r.error)}`,
  'replacement-raised': (r) =>
    message`the match at ${r.node === null ? 'a node' : node(r.node)} succeeds, but the replacement of ${r.pattern ?? 'the pattern'} raised ${r.error}; the pass ends there${adviceClause(r.error)}`,
  'retrace-escaped': (r) =>
    message`traced again with the shapes at ${r.node === null ? 'a node' : node(r.node)}, the search function of ${r.pattern ?? 'the pattern'} raised ${r.error}; PyTorch catches only RuntimeError there, so the pass ends${adviceClause(r.error)}`,
  'unused-argument': (r) =>
    message`${r.argument === null ? 'an argument' : message`the argument ${code(r.argument)}`} of the search function of ${r.pattern ?? 'the pattern'} is unused once traced, and PyTorch ends the pass there (${r.error}). Use it in the search function, or remove it from both functions and from the example inputs`,
  'retrace-failed': (r) => message`the pattern cannot be traced with the graph’s inputs: ${dropDetail(r.drop)}`,
  'example-inputs': (r) => {
    const change = joinedParts(
      [
        ...(r.added.length > 0 ? [message`also has ${operatorsMessage(r.added)}`] : []),
        ...(r.dropped.length > 0 ? [message`has no ${operatorsMessage(r.dropped)}`] : []),
      ],
      ' and ',
    )
    const inputs = r.inputs.length > 0 ? message` (${listedParts(r.inputs.map(inputMessage))})` : ''
    return message`the pattern was traced with example inputs unlike the graph’s${inputs}; traced with the graph’s, it ${change}, and fits better`
  },
  taken: (r) =>
    r.by
      ? message`${r.by.pattern} matched at ${node(r.by.node)} and replaced ${node(r.node)} first`
      : message`another pattern replaced ${node(r.node)} first`,
  'unlike-layers': (r) =>
    message`${String(r.matching)} of ${String(r.of)} ${r.layers}s match${r.unshaped ? ' if the shapes allow' : ''}; ${r.layers} ${String(r.instance)} ${withNodes(r.what, r.nodes)}`,
  'duplicate-pattern': (r) =>
    message`this pattern is registered twice in one pass${r.at ? message` (the second time at ${{ source: r.at }})` : ''}, which register_replacement refuses; ${code('skip_duplicates=True')} allows it`,
  'none-output': (r) =>
    r.output === null
      ? message`the search function returns None, and the matcher needs a tensor: return the value that the pattern ends with; item 0 of auto_functionalized is None for an operator that only writes, and the items after it are what it writes`
      : message`output ${r.output} of the search function is None, and the matcher needs a tensor there: item 0 of auto_functionalized is the operator’s own return value, None for an operator that only writes; return only the items that hold tensors`,
  'guessed-schema': (r) => message`${r.error}${guessedClause(r.guessed)}`,
  'no-operator': (r) =>
    message`this search function traces to no operator${r.at ? message` (${{ source: r.at }})` : ''}: it returns its argument unchanged, or its calls do nothing (a dropout with p = 0, say), and register_replacement refuses it`,
  'no-pass': (r) => message`${noPass(r)}${stubsClause(r.stubs)}`,
  'empty-pass': (r) =>
    r.unwritten
      ? message`no pattern is registered in ${code(r.pass)}, so the pass does nothing: no file calls register_replacement. Write ${code(`register_replacement(search, replace, example_inputs, fwd_only, ${passArgument(r.pass)})`)}${r.pass.includes('.') ? message` in ${code('__init__')} of the class` : ''}${stubsClause(r.stubs)}`
      : message`no pattern is registered in ${code(r.pass)}, so the pass does nothing: the code that registers patterns was not called, or its module was not imported${stubsClause(r.stubs)}`,
  'first-mismatch': ({ attempts, phase, mismatch, text }) => mismatchMessage({ attempts, phase, mismatch, text }),
  'matcher-text': (r) => message`the matcher fails at ${node(r.node)}: ${r.text}`,
  'furthest-attempt': (r) =>
    r.mismatch
      ? message`the furthest attempt, at ${node(r.node)}, stops at ${node(r.mismatch.graphNode ?? r.node)}: ${side(r.mismatch.found)} in the graph, ${side(r.mismatch.expected)} in the pattern`
      : message`the furthest attempt, at ${node(r.node)}, fails: ${r.text}`,
}

/** The pass in the notation of the surrounding code: an attribute of self for a pass in an object. */
const passArgument = (pass: string): string => {
  const attribute = pass.split('.')
  return attribute.length > 1 ? `self.${attribute.at(-1)}` : pass
}

const noPass = ({ misplaced }: Extract<PassReason, { kind: 'no-pass' }>): Message =>
  misplaced
    ? message`there is no module ${code(misplaced)}, so its names are stubs and no pattern is registered: import PatternMatcherPass, register_replacement and fwd_only from ${code('torch._inductor.pattern_matcher')}`
    : message`no variable of the module holds a PatternMatcherPass, so no pattern is registered: write ${code('patterns = PatternMatcherPass()')} at the top level and pass it to register_replacement, or create the object that holds the pass at the top level (${code('my_pass = MyPass()')})`

const side = (text: string | null): MessagePart => (text === null ? 'nothing' : code(text))

/** The message without its lead, for a sentence that already mentions the trace. */
export const dropDetail = (drop: DropReason): Message =>
  drop.kind === 'retrace-raised' ? message`${drop.type}: ${drop.message}` : dropMessage(drop)

const inputMessage = (d: InputDifference): Message =>
  d.what === 'dtype'
    ? message`${code(d.argument)} is ${d.example} in the examples and ${d.graph} in the graph`
    : message`${code(d.argument)} has ${d.example} dimensions in the examples and ${d.graph} in the graph`

const extraCheck = (r: ExtraCheck): Message => message`${extraCheckFacts(r)}${stubsClause(r.stubs)}`

function extraCheckFacts({
  node: name,
  pattern,
  check = 'extra_check',
  read,
  none,
  returned,
  madeAt,
}: ExtraCheck): Message {
  if (none)
    return message`all nodes match at ${node(name)}, but the ${check} of ${pattern} returned None, which rejects the match: write ${code('return')} before the condition that it ends with`
  const base = message`all nodes match at ${node(name)}, but the ${check} of ${pattern} returned False${returned ? returnClause(returned) : ''}`
  if (!read) return base
  const key = code(`node.meta["${read.key}"]`)
  const places = read.values.map(
    ({ value, nodes }) => message`${value === null ? 'absent' : code(value)} on ${nodesMessage(nodes)}`,
  )
  const cause = madeAt
    ? message`: ${madeAt.file}:${madeAt.line} makes the node, and torch.fx sets no meta["val"] on the nodes that it makes. Set it there, or run FakeTensorProp on the graph before this pass`
    : ''
  if (places.length === 1) return message`${base}; it read ${key}, which is ${places[0]!}${cause}`
  const advice = /stream/i.test(read.key)
    ? `. They run on several streams, and a fused operator runs on one: to fuse them, put all of them on one stream in the model, so that their ${read.key} is the same`
    : '. The check compares it: matches whose nodes all have the same value do not fail for this reason'
  return message`${base}: ${key} is ${joinedParts(places, ', and ')}${advice}`
}

/** ` at fuse.py:30: x.dtype == w.dtype is torch.bfloat16 == torch.float32`. */
function returnClause({ file, line, code: text, values, decided, symbols }: RefusingReturn): Message {
  const place = message` at ${file}:${line}`
  // The message already says that it returned False.
  if (text === null || text === 'False') return place
  const large = symbolsClause(symbols)
  if (decided !== null) return message`${place}: ${code(text)} is ${code(decided)}${large}`
  const known = values.map(([name, value]) => message`${code(name)} = ${code(value)}`)
  return known.length === 0
    ? message`${place}: ${code(text)}`
    : message`${place}: ${code(text)}, with ${listedParts(known)}${large}`
}

/** How symbolic sizes count if a condition was decided by them. */
function symbolsClause([symbol]: readonly string[] = []): Message {
  if (symbol === undefined) return []
  return message`. The graph’s text does not say what ${code(symbol)} was: it counts as a large size unless the environment gives a value, as ${code(`--env ${symbol}=1024`)} does`
}

/** PyTorch's own behavior is only a note, because it never has such a graph. */
function unknownShape({ node: name, needs, inputs }: UnknownShape): Message {
  const shapes = needs.length > 1 ? 'shapes' : 'shape'
  const same = inputs.length === needs.length && inputs.every((n) => needs.includes(n))
  const give = same
    ? message`give ${needs.length > 1 ? 'them' : 'it'}`
    : message`give the ${inputs.length > 1 ? 'shapes' : 'shape'} of ${listedParts(inputs.map(node))}, and the rest is computed`
  const inPyTorch = {
    note: 'PyTorch never has such a graph: Inductor gives every node meta["val"], and without it register_replacement raises KeyError: \'example_value\'',
  }
  return message`all nodes align at ${node(name)}, so it matches if the shapes allow; the graph does not record the ${shapes} of ${listedParts(needs.map(node))}: ${give}${inPyTorch}`
}
