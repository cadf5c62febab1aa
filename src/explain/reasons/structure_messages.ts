/** Messages of causes about the structure of a match: outputs, users, and the node where a pattern starts. */
import { code, listedParts, message, node, operator, type Message } from '../../base/message'
import type { StructureReason } from './reason'
import { foundMessage, nodesMessage, operatorsMessage, termMessage } from './terms'

type Messages = { [K in StructureReason['kind']]: (r: Extract<StructureReason, { kind: K }>) => Message }
type Escaping = Extract<StructureReason, { kind: 'escaping-value' }>

export const STRUCTURE_MESSAGES: Messages = {
  'item-unused': (r) =>
    message`the pattern returns item ${code(r.item)} of ${operator(r.operator)}, which the graph never takes from ${node(r.node)}${equalCall(r.equal)}`,
  'output-missing': (r) =>
    message`the pattern’s output ${r.position} (${termMessage(r.expected)}) has no counterpart in the graph`,
  'shared-value': (r) =>
    message`${node(r.node)} is used ${r.found === 1 ? 'once' : `${r.found} times`} in the graph, ${r.expected} times in the pattern: the graph shares a value that the pattern computes twice`,
  'escaping-value': escaping,
  'pattern-level': (r) =>
    message`${r.pattern} calls ${listedParts(r.calls.map(operator))}, as symbolic_trace records them, and the graph holds ATen operators (${node(r.node)} is ${operator(r.found)}): replace_pattern compares them by identity, so the pattern must call operators such as ${code(`torch.ops.${r.found}`)}`,
  'unrelated-outputs': (r) =>
    message`${r.pattern} can never match: its output ${operator(r.operator)} shares no node with the outputs before it, and the matcher reaches each output through shared nodes`,
  'swapped-functions': (r) =>
    message`the graph holds the nodes of the replacement function at ${node(r.node)} and nowhere those of the search function ${r.pattern}: if they are swapped, write ${code(r.call)} with the function that describes the graph first`,
  'root-absent': (r) =>
    r.others === 0
      ? message`${r.pattern} is never tried: it starts at ${operatorsMessage(r.roots)}, and the graph has no such node${r.close === undefined ? '' : message`; did you mean ${operator(r.close)}?`}${rootAdvice(r)}`
      : message`${r.pattern} and ${r.others} more are never tried: they start at ${operatorsMessage(r.roots)}, and the graph has no such node`,
  'graph-level': (r) => {
    const calls = listedParts(
      r.calls.map((c) => (c.times > 1 ? message`${code(c.target)} (${c.times} times)` : code(c.target))),
    )
    const which = r.patterns === 1 ? 'the pattern holds' : `the ${r.patterns} patterns hold`
    if (r.level === 'torch' && r.dynamo === false)
      return message`this graph holds torch functions, methods or modules, as symbolic_trace and Dynamo record them: it calls ${calls}, and ${which} the ATen operators that fwd_only records. Lower the graph, or trace the model with make_fx or torch.export`
    return r.level === 'torch'
      ? message`this graph is Dynamo’s, before AOTAutograd: it calls ${calls}, and ${which} the ATen operators that fwd_only records. Lower the graph, or record it with ${code('TORCH_LOGS=post_grad_graphs')}`
      : message`this graph was recorded before Inductor’s decompositions: tracing decomposes ${calls}, and ${which} the result. Lower the graph, or record it with ${code('TORCH_LOGS=post_grad_graphs')}`
  },
  'not-tried-at': (r) =>
    message`the pattern is not tried at ${node(r.node)}: it starts at ${operatorsMessage(r.roots)}, and ${node(r.node)} is ${foundMessage(r.found)}`,
  'not-at-root': (r) =>
    message`${r.pattern} starts at ${operatorsMessage(r.roots)}, and ${node(r.node)} is ${r.isItem ? 'an item of ' : ''}${'op' in r.found ? r.found.op : operator(r.found.operator)}`,
}

/** Advice if the root itself shows the mistake. */
function rootAdvice({ close, undeclared, constant }: Extract<StructureReason, { kind: 'root-absent' }>): Message {
  if (constant)
    return message`. ${code('torch.tensor(…)')} in a search function matches only an equal constant of the graph: write the number itself (1.0), or make the tensor a parameter`
  if (undeclared === undefined || close !== undefined) return message``
  return message`, and no file declares the operator. Write ${code(undeclared)} at the top of the file, or import the module that declares it`
}

const equalCall = (equal: string | undefined): Message =>
  equal === undefined ? [] : message`: it takes it from ${node(equal)}, an equal call on the same value`

function escaping({ node: name, users, dead }: Escaping): Message {
  const allDead = dead.length === users.length
  const names = users.map((u): Message => {
    if (u === 'output') return message`the graph’s output`
    return u.operator === undefined ? [node(u.node)] : message`${node(u.node)} (${operator(u.operator)})`
  })
  const deadness: Message =
    dead.length === 0
      ? []
      : allDead
        ? message`, as dead code`
        : message` (${nodesMessage(dead)} ${dead.length === 1 ? 'is' : 'are'} dead code, which counts)`
  const advice = allDead
    ? 'removing dead code first would allow the match, or returning it from the pattern'
    : 'return it from the pattern to allow that'
  return message`${node(name)} is inside the match, and ${listedParts(names)} outside it ${users.length === 1 ? 'uses' : 'use'} it too${deadness}; ${advice}`
}
