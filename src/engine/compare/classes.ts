/** Equal changes at several places, as one class with a sentence. */
import { count } from '../../base/english'
import { constantsText } from '../../explain/compare/canonical'
import { formatPython, type Node } from '../../fx'
import type { Change } from '../../explain/compare/types'
import type { ComparedChange } from './types'

export interface ChangeClass {
  kind: Change['kind']
  changes: Change[]
}

export function classesOf(changes: readonly Change[]): ChangeClass[] {
  const found = new Map<string, ChangeClass>()
  for (const change of changes) {
    const key = `${change.kind}: ${change.detail}`
    const of = found.get(key)
    if (of) of.changes.push(change)
    else found.set(key, { kind: change.kind, changes: [change] })
  }
  return [...found.values()]
}

export function comparedChange({ kind, changes }: ChangeClass): ComparedChange {
  const times = changes.length > 1 ? ` (${count(changes.length, 'place')})` : ''
  return {
    kind,
    sentence: `${sentenceOf(changes[0]!)}${times}.`,
    places: changes.map(({ removed, inserted, edits }) => ({
      old: names([...removed, ...edits.slice(0, 1).map((e) => e.old)]),
      now: names([...inserted, ...edits.slice(0, 1).map((e) => e.now)]),
    })),
  }
}

const names = (nodes: readonly { name: string }[]): string[] => [...new Set(nodes.map((n) => n.name))]

/** The rest of the call at a region, if it changed too. */
function callText({ edits: [edit] }: Change): string {
  if (!edit || edit.argument !== undefined || edit.now.op === 'output') return ''
  if (constantsText(edit.old) === constantsText(edit.now)) return ''
  return `, and ${edit.now.name} is called with ${argsText(edit.now)} instead of ${argsText(edit.old)}`
}

const argsText = ({ args, kwargs }: Node): string =>
  `(${[...args.map(formatPython), ...[...kwargs].map(([k, v]) => `${k}=${formatPython(v)}`)].join(', ')})`

const callOf = (n: Node): string => n.target + argsText(n)

const be = (nodes: readonly unknown[]): string => (nodes.length > 1 ? 'are' : 'is')

function sentenceOf(change: Change): string {
  const { kind, detail, removed, inserted, edits } = change
  const before = edits[0] && edits[0].now.op !== 'output' ? ` before ${edits[0].now.name}` : ''
  const at = edits[0]?.now.name ?? ''
  const targets = (nodes: typeof removed): string =>
    nodes.map((n) => (n.op === 'placeholder' ? 'an input' : n.target)).join(', ')
  switch (kind) {
    case 'inserted':
      return `${targets(inserted)} (${names(inserted).join(', ')}) ${be(inserted)} inserted${before}${callText(change)}`
    case 'removed':
      return `${targets(removed)} (${names(removed).join(', ')}) ${be(removed)} removed${before}${callText(change)}`
    case 'replaced':
      return `${targets(removed)} (${names(removed).join(', ')}) became ${targets(inserted)} (${names(inserted).join(', ')})${callText(change)}`
    case 'target':
    case 'overload':
      return edits.length > 1
        ? `${at} runs ${callOf(edits[0]!.now)} instead of ${callOf(edits[0]!.old)}`
        : `${at} runs ${edits[0]!.now.target} instead of ${edits[0]!.old.target}`
    case 'constant': {
      const [name, from, to] = /^\S+ (.*?): (.*) → (.*)$/s.exec(detail)!.slice(1)
      return name!.startsWith('argument ')
        ? `${at} has ${to} instead of ${from} as ${name}`
        : `${at} has ${name}=${to} instead of ${from}`
    }
    case 'argument':
      return `${at} is called with ${argsText(edits[0]!.now)} instead of ${argsText(edits[0]!.old)}`
    case 'wiring':
      return detail.startsWith('order')
        ? `${at} (${edits[0]!.now.target}) takes its inputs in another order: ${argsText(edits[0]!.now)}`
        : `${at} is called with ${argsText(edits[0]!.now)} instead of ${argsText(edits[0]!.old)}`
    case 'metadata':
      return `node.meta of ${at} differs: ${detail}`
    default:
      return `The ${kind} of ${at} is ${detail.split(' → ')[1]} instead of ${detail.split(' → ')[0]}`
  }
}
