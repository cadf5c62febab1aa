/** Adds or drops an output of pattern and replacement. */
import { isGetitem } from '../../../fx'
import type { Change } from '../change'
import { unpackedTo, type Fn } from '../pattern_site'
import { constantRepr, functionAround, nodeField, returnedBy, textField, type SyntaxNode } from '../syntax'
import { freshName, inlined, storedTwice } from './inlined'
import { brief, inserted, type Candidate, type MakeCandidates } from './types'

/** Returns a value that is used outside the match, from both pattern and replacement. */
export const returnIntermediate: MakeCandidates = ({ site, pattern, graph }) => {
  const { search, replace } = site
  if (!pattern || !graph || !search || !replace) return []
  const all = site.expressions(pattern)
  const e = all.find((x) => functionAround(x.node) === search.node)
  if (!e) return []
  // Assume that a helper returns the value itself; the trial shows whether it does.
  const helper = e !== all[0]
  const inside = new Set(site.alignment?.pairs.values())
  const outside = [...graph.users].filter((u) => !inside.has(u))
  // The items of an operator with several outputs are used, not the operator's node.
  const taken = !helper && site.isTakenItem(pattern)
  const items = taken
    ? [`[${String(pattern.args[1] as bigint)}]`]
    : !helper && outside.every(isGetitem)
      ? [...new Set(outside.map((u) => u.args[1]))].flatMap((i) => (typeof i === 'bigint' ? [`[${i}]`] : []))
      : ['']
  if (items.length === 0) return []
  const unpacked = items.map((item) => unpackedName(search, e.node, item))
  const changes: Change[] = []
  let name = site.nameOf(e)
  if (!unpacked.includes(null)) name = ''
  else if (name === null || storedTwice(search, name)) {
    name = freshName(search, 'kept')
    changes.push(inserted(e.file, e.node.from, `(${name} := `), inserted(e.file, e.node.to, ')'))
  }
  const code = items.map((item, i) => (name === '' ? unpacked[i]! : name + item))
  const several = (site.pattern?.outputs.length ?? 1) > 1
  const added = appended(search, several, code.join(', '))
  if (!added) return []
  changes.push(...added, ...otherCalls(search, several))
  const title = `Return ${brief(code.join(', '))} (${graph.name}) from the pattern as well`
  if (replace.node === search.node) return [{ title, changes }]
  const ways: string[][] = items.length === 1 ? replacementItems(replace).map((text) => [text]) : []
  const computed = inlined(e.node, search, replace)
  if (computed !== null) {
    const kept = /^[\w.]+\(/.test(computed) ? computed : `(${computed})`
    ways.push(items.map((i) => kept + i))
  }
  return ways.flatMap((texts, i): Candidate[] => {
    const also = appended(replace, several, texts.join(', '))
    if (!also) return []
    const how = computed !== null && i === ways.length - 1 ? '' : `, and ${texts.join(', ')} from the replacement`
    return [{ title: title + how, changes: [...changes, ...also] }]
  })
}

/** The variable that receives an unpacked item of a call, if it holds nothing else. */
function unpackedName(search: Fn, call: SyntaxNode, item: string): string | null {
  const target = unpackedTo(call)[Number(/^\[(\d+)\]$/.exec(item)?.[1] ?? NaN)]
  const name = target?.type === 'Name' ? textField(target, 'id') : null
  return name !== null && name !== '_' && !storedTwice(search, name) ? name : null
}

/** Maximum number of items of the replacement's own calls tried as the output that the pattern drops. */
const MAX_ITEMS = 3

/** Further items of calls from which the replacement returns an item: a fused operator often computes the dropped output too. */
function replacementItems(replace: Fn): string[] {
  const { items } = returnedBy(replace.node) ?? { items: [] }
  const returned = items.map((n) => replace.file.source(n))
  return items
    .flatMap((n) => {
      const [value, slice] = n.type === 'Subscript' ? [nodeField(n, 'value'), nodeField(n, 'slice')] : [null, null]
      const index = Number((slice && constantRepr(slice)) ?? NaN)
      if (value?.type !== 'Name' || !Number.isInteger(index)) return []
      return [index + 1, index - 1, index + 2].filter((k) => k > 0).map((k) => `${replace.file.source(value)}[${k}]`)
    })
    .filter((text, i, all) => all.indexOf(text) === i && !returned.includes(text))
    .slice(0, MAX_ITEMS)
}

/** Other calls of the search function, such as a fake kernel's, keep their previous return value. */
function otherCalls(search: Fn, several: boolean): Change[] {
  const name = textField(search.node, 'name')
  const returned = returnedBy(search.node)
  if (name === null || !returned) return []
  const before = several ? `[:${returned.sequence ? returned.items.length : -1}]` : '[0]'
  return search.file
    .of('Call')
    .filter((call) => {
      const func = nodeField(call, 'func')
      return func?.type === 'Name' && textField(func, 'id') === name
    })
    .map((call) => inserted(search.file, call.to, before))
}

/** Adds values to a function's return; null if there is no place for them. */
function appended(fn: Fn, several: boolean, text: string): Change[] | null {
  const returned = returnedBy(fn.node)
  if (!returned) return null
  const { whole, items, sequence } = returned
  const last = items.at(-1)
  if (sequence) return last ? [inserted(fn.file, last.to, `, ${text}`)] : null
  const lambda = fn.node.type === 'Lambda'
  const star = several ? '*' : ''
  return [
    ...(lambda || star ? [inserted(fn.file, whole.from, `${lambda ? '(' : ''}${star}`)] : []),
    inserted(fn.file, whole.to, `, ${text}${lambda ? ')' : ''}`),
  ]
}

/** Removes an output that the graph does not use. */
export const dropOutput: MakeCandidates = ({ cause, site, pattern }) => {
  const { search, replace } = site
  if (!pattern || !search || !replace) return []
  const returned = returnedBy(search.node)
  if (!returned?.sequence || returned.items.length < 2) return []
  const e = site.expression(pattern)
  const name = e && site.nameOf(e)
  const found = returned.items.findIndex(
    (n) => n === e?.node || (n.type === 'Name' && name !== null && textField(n, 'id') === name),
  )
  const positions = [...new Set([found, Number(cause.argument ?? -1)])].filter(
    (i) => i >= 0 && i < returned.items.length,
  )
  return positions.flatMap((i): Candidate[] => {
    const mine = without(search, returned, i)
    if (replace.node === search.node)
      return [
        { title: `Stop returning ${brief(search.file.source(returned.items[i]!))}`, changes: [mine], narrows: true },
      ]
    const theirs = returnedBy(replace.node)
    if (!theirs) return []
    const count = returned.items.length
    const change = theirs.sequence
      ? theirs.items.length === count
        ? without(replace, theirs, i)
        : null
      : count === 2
        ? inserted(replace.file, theirs.whole.to, `[${1 - i}]`)
        : null
    return change
      ? [
          {
            title: `Stop returning ${brief(search.file.source(returned.items[i]!))}, in pattern and replacement`,
            changes: [mine, change],
            narrows: true,
          },
        ]
      : []
  })
}

function without(fn: Fn, { items }: { items: SyntaxNode[] }, i: number): Change {
  const [from, to] = i + 1 < items.length ? [items[i]!.from, items[i + 1]!.from] : [items[i - 1]!.to, items[i]!.to]
  return { file: fn.file.name, from, to, text: '' }
}
