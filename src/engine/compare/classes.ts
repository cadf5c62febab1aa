/** Equal changes at several places, as one class with a sentence. */
import { count } from '../../base/english'
import { constantsText } from '../../explain/compare/canonical'
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
  const [from, to] = [constantsText(edit.old), constantsText(edit.now)]
  return from === to ? '' : `, and ${edit.now.name} is called with (${to}) instead of (${from})`
}

function sentenceOf(change: Change): string {
  const { kind, detail, removed, inserted, edits } = change
  const before = edits[0] && edits[0].now.op !== 'output' ? ` before ${edits[0].now.name}` : ''
  const at = edits[0]?.now.name ?? ''
  const targets = (nodes: typeof removed): string =>
    nodes.map((n) => (n.op === 'placeholder' ? 'an input' : n.target)).join(', ')
  switch (kind) {
    case 'inserted':
      return `${targets(inserted)} (${names(inserted).join(', ')}) is inserted${before}${callText(change)}`
    case 'removed':
      return `${targets(removed)} (${names(removed).join(', ')}) is removed${before}${callText(change)}`
    case 'replaced':
      return `${targets(removed)} (${names(removed).join(', ')}) became ${targets(inserted)} (${names(inserted).join(', ')})${callText(change)}`
    case 'target':
    case 'overload':
      return `${at} runs ${detail.split(' → ')[1]} instead of ${detail.split(' → ')[0]}`
    case 'constant': {
      const [name, from, to] = /^\S+ (.*?): (.*) → (.*)$/s.exec(detail)!.slice(1)
      return name!.startsWith('argument ')
        ? `${at} has ${to} instead of ${from} as ${name}`
        : `${at} has ${name}=${to} instead of ${from}`
    }
    case 'argument':
      return `${at} is called with ${detail.split(' → ').at(-1)} instead of ${/\(.*\)$/s.exec(detail.split(' → ')[0]!)?.[0] ?? detail}`
    case 'wiring':
      return `${at} (${edits[0]!.now.target}) reads ${names(edits[0]!.now.inputs()).join(', ')}, which are other nodes or in another order`
    case 'metadata':
      return `node.meta of ${at} differs: ${detail}`
    default:
      return `The ${kind} of ${at} is ${detail.split(' → ')[1]} instead of ${detail.split(' → ')[0]}`
  }
}
