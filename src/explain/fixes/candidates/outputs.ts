/** What pattern and replacement return: one value more, or one less. */
import type { Node } from '../../../fx'
import { isGetitem } from '../../reasons/operators'
import { coneOf } from '../../align/pattern_graph'
import type { Change } from '../change'
import type { Fn } from '../place'
import {
  functionAround,
  listField,
  nodeField,
  paramNames,
  paramsOf,
  returnedBy,
  textField,
  within,
  type SyntaxNode,
} from '../syntax'
import { exampleInputs } from './example_inputs'
import { brief, inserted, type Candidate, type MakeCandidates } from './types'

/** Returns a value from pattern and replacement that something outside the match uses. */
export const returnIntermediate: MakeCandidates = ({ place, pattern, graph }) => {
  const { search, replace } = place
  if (!pattern || !graph || !search || !replace) return []
  const all = place.expressions(pattern)
  const e = all.find((x) => functionAround(x.node) === search.node)
  if (!e) return []
  // What a helper gives is taken to be the value itself; running it tells.
  const helper = e !== all[0]
  const inside = new Set(place.alignment?.pairs.values())
  const outside = [...graph.users].filter((u) => !inside.has(u))
  // Of an operator with several outputs, its items are what is used.
  const taken = !helper && place.isTakenItem(pattern)
  const items = taken
    ? [`[${String(pattern.args[1] as bigint)}]`]
    : !helper && outside.every(isGetitem)
      ? [...new Set(outside.map((u) => u.args[1]))].flatMap((i) => (typeof i === 'bigint' ? [`[${i}]`] : []))
      : ['']
  if (items.length === 0) return []
  const changes: Change[] = []
  let name = place.nameOf(e)
  if (name === null || storedTwice(search, name)) {
    name = freshName(search, 'kept')
    changes.push(inserted(e.file, e.node.from, `(${name} := `), inserted(e.file, e.node.to, ')'))
  }
  const several = (place.pattern?.outputs.length ?? 1) > 1
  const added = appended(search, several, items.map((i) => name + i).join(', '))
  if (!added) return []
  changes.push(...added, ...otherCalls(search, several))
  if (replace.node !== search.node) {
    const computed = inlined(e.node, search, replace)
    const kept = computed === null ? null : /^[\w.]+\(/.test(computed) ? computed : `(${computed})`
    const also = kept === null ? null : appended(replace, several, items.map((i) => kept + i).join(', '))
    if (!also) return []
    changes.push(...also)
  }
  return [
    {
      title: `Return ${brief(items.map((i) => name + i).join(', '))} (${graph.name}) from the pattern as well`,
      changes,
    },
  ]
}

/** Other calls of the search function, a fake kernel's for one, get what it returned before. */
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

/** Adds values to what a function returns; null where that cannot be placed. */
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

/** Drops an output that the graph does not use. */
export const dropOutput: MakeCandidates = ({ cause, place, pattern }) => {
  const { search, replace } = place
  if (!pattern || !search || !replace) return []
  const returned = returnedBy(search.node)
  if (!returned?.sequence || returned.items.length < 2) return []
  const e = place.expression(pattern)
  const name = e && place.nameOf(e)
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
        { title: `Do not return ${brief(search.file.source(returned.items[i]!))}`, changes: [mine], narrows: true },
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
            title: `Do not return ${brief(search.file.source(returned.items[i]!))}, in pattern and replacement`,
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

/**
 * Keeps only outputs that share a value, and the arguments they need: the matcher finds each output along what it
 * shares with those before it.
 */
export const keepConnected: MakeCandidates = ({ cause, place }) => {
  const { search, replace, pattern } = place
  if (cause.expected !== 'outputs that share a value' || !search || !replace || !pattern) return []
  const mine = returnedBy(search.node)
  const theirs = returnedBy(replace.node)
  const examples = exampleInputs(place)
  const params = paramNames(search.node)
  if (!mine?.sequence || !theirs?.sequence || !examples || examples.items.length !== params.length) return []
  if (theirs.items.length !== mine.items.length || mine.items.length !== pattern.outputs.length) return []
  const groups: { outputs: number[]; nodes: Set<Node> }[] = []
  pattern.outputs.forEach((output, i) => {
    const cone = coneOf(output)
    const joined = groups.filter((g) => cone.some((n) => g.nodes.has(n)))
    const merged = { outputs: [...joined.flatMap((g) => g.outputs), i].sort((a, b) => a - b), nodes: new Set(cone) }
    for (const g of joined) {
      g.nodes.forEach((n) => merged.nodes.add(n))
      groups.splice(groups.indexOf(g), 1)
    }
    groups.push(merged)
  })
  return groups
    .sort((a, b) => b.nodes.size - a.nodes.size)
    .slice(0, 3)
    .flatMap(({ outputs, nodes }): Candidate[] => {
      const used = params.flatMap((name, i) =>
        [...nodes].some((n) => n.op === 'placeholder' && pattern.argNames.get(n) === name) ? [i] : [],
      )
      const only = (fn: Fn, items: readonly SyntaxNode[], keep: readonly number[]): Change => ({
        file: fn.file.name,
        from: items[0]!.from,
        to: items.at(-1)!.to,
        text: keep.map((i) => fn.file.source(items[i]!)).join(', '),
      })
      const gone = new Set(params.filter((_, i) => !used.includes(i)))
      const goneThere = new Set(paramNames(replace.node).filter((_, i) => !used.includes(i)))
      const kept = outputs.map((i) => mine.items[i]!)
      const title = `Match ${brief(kept.map((n) => search.file.source(n)).join(', '))} alone; the other outputs share nothing with it`
      const shared: Change[] = [
        only(search, mine.items, outputs),
        ...(gone.size === 0
          ? []
          : [
              only(search, paramsOf(search.node), used),
              ...withoutNames(search, gone),
              only({ file: examples.at.file, node: examples.at.node }, examples.items, used),
            ]),
      ]
      if (replace.node === search.node) return [{ title, changes: shared, narrows: true }]
      const signature = gone.size === 0 ? [] : [only(replace, paramsOf(replace.node), used)]
      const without = gone.size === 0 ? [] : withoutNames(replace, goneThere)
      const inPlace: Candidate = {
        title,
        changes: [...shared, ...signature, ...without, only(replace, theirs.items, outputs)],
        narrows: true,
      }
      // A replacement that computes all outputs at once cannot give some of them without the arguments that are gone.
      const code = kept.map((n) => inlined(n, search, replace))
      const computed: Candidate[] = code.includes(null)
        ? []
        : [
            {
              title: `${title}; the replacement computes it as the pattern does until it calls a kernel for it`,
              changes: [...shared, ...signature, bodyOf(replace, code as string[])],
              narrows: true,
            },
          ]
      const depends = outputs.some((i) =>
        [...within(theirs.items[i]!)].some((n) => n.type === 'Name' && goneThere.has(textField(n, 'id')!)),
      )
      return depends ? computed : [inPlace, ...computed]
    })
}

/** A function's statements, all of them, as one that returns these values. */
function bodyOf(fn: Fn, values: readonly string[]): Change {
  const text = values.length === 1 ? values[0]! : values.join(', ')
  const lambda = nodeField(fn.node, 'body')
  if (lambda)
    return { file: fn.file.name, from: lambda.from, to: lambda.to, text: values.length === 1 ? text : `(${text})` }
  const body = listField(fn.node, 'body')
  return { file: fn.file.name, from: body[0]!.from, to: body.at(-1)!.to, text: `return ${text}` }
}

/** Takes out the assignments that are computed from names that are gone. */
function withoutNames(fn: Fn, gone: Set<string>): Change[] {
  const changes: Change[] = []
  for (const statement of listField(fn.node, 'body')) {
    if (statement.type !== 'Assign') continue
    const names = [...within(statement)].filter((n) => n.type === 'Name')
    if (!names.some((n) => textField(n, 'ctx') === 'Load' && gone.has(textField(n, 'id')!))) continue
    for (const n of names) if (textField(n, 'ctx') === 'Store') gone.add(textField(n, 'id')!)
    const start = fn.file.text.lastIndexOf('\n', statement.from) + 1
    const end = fn.file.text.indexOf('\n', statement.to)
    changes.push({ file: fn.file.name, from: start, to: end < 0 ? statement.to : end + 1, text: '' })
  }
  return changes
}

/**
 * An expression of one function as code of another with the same parameters: what its names were assigned is put in
 * their places. Null where it depends on more than plain assignments.
 */
export function inlined(node: SyntaxNode, from: Fn, to: Fn, depth = 0): string | null {
  if (depth > 40) return null
  const params = paramNames(from.node)
  const theirs = paramNames(to.node)
  const changes: { at: SyntaxNode; text: string }[] = []
  for (const n of within(node)) {
    if (n.type === 'NamedExpr') return null
    if (n.type !== 'Name' || textField(n, 'ctx') !== 'Load') continue
    const name = textField(n, 'id')!
    const i = params.indexOf(name)
    if (i >= 0) {
      const other = theirs[i]
      if (other === undefined || storedIn(from, name).length > 0) return null
      if (other !== name) changes.push({ at: n, text: other })
      continue
    }
    const stores = storedIn(from, name)
    if (stores.length === 0) continue
    if (stores.length > 1) return null
    const value = assignedTo(stores[0]!)
    const text = value && inlined(value.value, from, to, depth + 1)
    if (text === null || text === undefined) return null
    const whole = value!.item === null ? text : `(${text})[${value!.item}]`
    changes.push({ at: n, text: n === node || value!.value.type === 'Call' ? whole : `(${whole})` })
  }
  let text = ''
  let at = node.from
  for (const c of changes.sort((a, b) => a.at.from - b.at.from)) {
    text += from.file.text.slice(at, c.at.from) + c.text
    at = c.at.to
  }
  text += from.file.text.slice(at, node.to)
  return text.length > 1500 ? null : text
}

function assignedTo(store: SyntaxNode): { value: SyntaxNode; item: number | null } | null {
  const parent = store.parent
  if (parent?.type === 'Assign') {
    const value = nodeField(parent, 'value')
    return value && { value, item: null }
  }
  if ((parent?.type === 'Tuple' || parent?.type === 'List') && parent.parent?.type === 'Assign') {
    const value = nodeField(parent.parent, 'value')
    return value && { value, item: listField(parent, 'elts').indexOf(store) }
  }
  return null
}

const storedIn = (fn: Fn, name: string): SyntaxNode[] =>
  [...within(fn.node)].filter(
    (n) => n.type === 'Name' && textField(n, 'ctx') === 'Store' && textField(n, 'id') === name,
  )
const storedTwice = (fn: Fn, name: string): boolean => storedIn(fn, name).length > 1

/** A name that nothing in the function has. */
export function freshName(fn: Fn, base: string): string {
  const used = new Set([...within(fn.node)].flatMap((n) => textField(n, 'id') ?? textField(n, 'arg') ?? []))
  let name = base
  for (let i = 2; used.has(name); i++) name = `${base}_${i}`
  return name
}
