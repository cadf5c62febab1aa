/** Texts for the conditions of code on the graph, in the page and on the command line. */
import { count } from '../../base/english'
import { code, listedParts, message, node, type Message } from '../../base/message'
import type { PipelineStage, StageCondition } from './types'

/**
 * The conditions that kept the code from an edit, kept a function from its end, or ask for an operator that the graph lacks. None
 * if every editing line ran.
 */
export function keptFrom({ did }: Pick<PipelineStage, 'did'>): StageCondition[] {
  const all = did?.conditions ?? []
  if (!all.some((c) => c.skipped?.edits)) return []
  const found = all.filter((c) => c.skipped !== undefined || (c.near && c.counts[0] === 0))
  // `if changed:` only repeats the outcome of the other conditions.
  const telling = found.filter((c) => !/^\w+$/.test(c.text))
  const kept = (telling.length > 0 ? telling : found).sort((a, b) => Number(namesNode(b)) - Number(namesNode(a)))
  const deepest = kept.flatMap((c) => deepestIn(c, all) ?? []).filter((c) => !kept.includes(c))
  return [...kept, ...new Set(deepest)]
}

/** True if the graph has the target of the condition in another form. */
const namesNode = ({ near = [] }: StageCondition): boolean => near.some((p) => typeof p !== 'string' && 'node' in p)

/**
 * For a condition that calls a function of the files: the condition in that function that the fewest calls reached and none passed.
 */
function deepestIn({ text }: StageCondition, all: readonly StageCondition[]): StageCondition | undefined {
  const called = new Set([...text.matchAll(/\b(\w+)\(/g)].map(([, name]) => name))
  const inside = all.filter(({ source: { fn }, counts: [yes, no] }) => called.has(fn) && (yes === 0 || no === 0))
  return inside.sort((a, b) => askedTimes(a) - askedTimes(b))[0]
}

const askedTimes = ({ counts: [yes, no] }: StageCondition): number => yes + no

/** `n.target in targets` at p.py:11 was false each of 20 times, so lines 12 to 17, which edit the graph, never ran. The graph calls … */
export function conditionMessage(condition: StageCondition): Message {
  const { text, source, near } = condition
  const place = { source: { file: source.file, line: source.line } }
  return message`${code(text)} at ${place} ${answerOf(condition)}${neverRan(condition)}.${near ? message` ${near}` : ''}`
}

/** Maximum number of named nodes; more are counted. */
const MOST_NAMED = 3
/** Number of answers at which conditions.py stops counting. */
const MOST_COUNTED = 100_000

/** `was false each of 20 times`, `was false for relu` */
export function answerOf(condition: StageCondition): Message {
  const { text, counts, examples, near } = condition
  const [yes, no] = counts
  const asked = yes + no
  const more = Math.max(yes, no) >= MOST_COUNTED ? ' or more' : ''
  if (text.startsWith('for ')) return message`${yes > 0 ? `ran for ${count(yes, 'item')}${more}` : 'found nothing'}`
  if (yes > 0 && no > 0) return message`was true ${yes} of ${asked} times${more}`
  // The graph's own operator is more informative than the first node.
  const example = near ? null : examples[no > 0 ? 1 : 0]
  const of = condition.nodes[no > 0 ? 1 : 0]
  const named = of.length === asked && asked <= MOST_NAMED
  const times = named
    ? message` for ${listedParts(of.map(node))}`
    : asked === 1
      ? ''
      : ` each of ${count(asked, 'time')}${more}`
  return message`was ${no > 0 ? 'false' : 'true'}${times}${example === null ? '' : message` (${asked === 1 ? '' : 'first '}${code(example)})`}`
}

function neverRan({ skipped }: StageCondition): string {
  if (!skipped) return ''
  const { line: first, endLine: last } = skipped
  const [lines, edit] = first === last ? [`line ${first}`, 'edits'] : [`lines ${first} to ${last}`, 'edit']
  return skipped.edits ? `, so ${lines}, which ${edit} the graph, never ran` : `, so ${lines} never ran`
}

/** The conditions on a node, in code order, with `true`, `false`, or both if a condition was evaluated twice. */
export function conditionsOfNode(
  conditions: readonly StageCondition[],
  name: string,
): { condition: StageCondition; answers: string }[] {
  const asked = conditions.flatMap((condition) => {
    const answers = ['true', 'false'].filter((_, i) => condition.nodes[i]!.includes(name)).join(' and ')
    return answers === '' ? [] : [{ condition, answers }]
  })
  return asked.sort((a, b) => a.condition.source.line - b.condition.source.line)
}
