/** The conditions of code on the graph (conditions.py), with the graph's similar calls for each target that they ask for. */
import { code, listedParts, message, node, operator, type Message, type MessagePart } from '../../base/message'
import { thousands } from '../../base/english'
import { TargetIndex } from '../../explain/expressions/target_index'
import { dialectText, isCall, isOverload, operatorBehind, type Graph, type Node } from '../../fx'
import { cutText } from '../../python/bounds'
import type { AskedCondition } from '../../python/pass_call'
import type { StageCondition } from './types'

/** Maximum number of characters of a condition in a report. */
const MAX_TEXT = 200
/** The same for a name. */
const MAX_NAME = 1000
/**
 * Limits of the data that conditions.py sends: code on the graph can patch it, and the page draws everything it receives. More
 * targets than `wanted` count as none.
 */
const MAX = { conditions: 40, nodes: 100, wanted: 1000 } as const

export function conditionsOf(asked: readonly AskedCondition[], graph: Graph): StageCondition[] {
  const index = TargetIndex.of(graph)
  const byName = new Map<string, string[]>()
  for (const target of index.targets) byName.set(baseName(target), [...(byName.get(baseName(target)) ?? []), target])
  const sent = asked.slice(0, MAX.conditions)
  return sent.map(
    ({ file, line, function: fn, text, counts, nodes: [yes, no], examples: [first, other], wanted, skipped }) => {
      const targets = wanted.length > MAX.wanted ? [] : names(wanted, MAX.wanted)
      const others = othersOf(targets, index, byName)
      const near = others && nearMessage(targets, others)
      return {
        source: { file: cutText(file, MAX_NAME), line, fn: cutText(fn, MAX_NAME) },
        text: cutText(text, MAX_TEXT),
        counts,
        nodes: [names(yes, MAX.nodes), names(no, MAX.nodes)],
        examples: [cutExample(first), cutExample(other)],
        ...(skipped && {
          skipped: { file: cutText(file, MAX_NAME), line: skipped[0], endLine: skipped[1], edits: skipped[2] },
        }),
        ...(near && { near }),
        ...(others &&
          others.length > 0 && { instead: others.map(({ wanted, nodes }) => ({ wanted, calls: nodes[0]!.target })) }),
      }
    },
  )
}

const names = (all: readonly string[], most: number): string[] => all.slice(0, most).map((n) => cutText(n, MAX_NAME))
const cutExample = (text: string | null): string | null => text && cutText(text, 2 * MAX_TEXT)

/** A target that the code asks for, and the similar target that the graph calls instead. */
interface Other {
  wanted: string
  nodes: readonly Node[]
}

/** Null if there is no target, or if a node calls one of them. */
function othersOf(
  wanted: readonly string[],
  index: TargetIndex,
  byName: ReadonlyMap<string, readonly string[]>,
): Other[] | null {
  if (wanted.length === 0 || index.nodesOf(wanted).some(isCall)) return null
  return wanted.flatMap((target) => {
    for (const other of byName.get(baseName(target)) ?? []) {
      const nodes = index.nodesOf([other]).filter(isCall)
      if (nodes.length > 0) return [{ wanted: target, nodes }]
    }
    return []
  })
}

const nearMessage = (wanted: readonly string[], [first]: readonly Other[]): Message =>
  first
    ? otherForm(first.wanted, first.nodes)
    : message`No node calls ${wanted.length > 1 ? 'one of ' : ''}${listedParts(wanted.map(shown))}.`

/** @param nodes of one target */
function otherForm(target: string, nodes: readonly Node[]): Message {
  const [first] = nodes
  const places = nodes.length === 1 ? '' : ` and ${thousands(nodes.length - 1)} more`
  const has = message`The graph calls ${shown(first!.target)} (${node(first!.name)}${places}), the code asks for ${shown(target)}`
  if (operatorBehind(target) === operatorBehind(first!.target))
    return message`${has}: ${code('to_edge')} turns one into the other, and they are different objects.`
  if (isPacket(target))
    return message`${has}, the packet of its overloads, which equals none of them: compare ${code('node.target.overloadpacket')}.`
  if (isOverload(target) && isOverload(first!.target)) return message`${has}: overloads are compared exactly.`
  return message`${has}: they are different objects.`
}

const isPacket = (target: string): boolean =>
  /^\w+\.\w+$/.test(target) && !/^(?:torch|math|builtins|_?operator)\./.test(target)

/** `add` for `aten.add_.Tensor`, `torch.add`, `operator.add`, the method `add`. */
function baseName(target: string): string {
  const behind = operatorBehind(target)
  const parts = behind.split('.')
  const name = isOverload(behind) ? parts.at(-2) : parts.at(-1)
  return (name ?? target).replace(/^_+|_+$/g, '')
}

const shown = (target: string): MessagePart => operator(dialectText(target))
