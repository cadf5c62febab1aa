/** Finds the nodes of a graph that satisfy a query. */
import type { GraphView, NodeView, Report } from '../../../engine/protocol'
import { shortDtype } from '../../../engine/shapes/typed_text'
import { err, ok, type Result } from '../../../base/result'
import { modulesOf } from '../../fold/modules'
import { pathBetween } from '../../fold/filters'
import { indexOf, markOf, positions } from '../../../engine/queries/report_index'
import { partsOf } from './parts'
import type { Compile } from './patterns'
import { parseQuery, tokens, type Condition, type Term } from './query'

export interface FindContext {
  graph: GraphView
  side: 'before' | 'after'
  /** Determines `matched:`; null while there is none. */
  report: Report | null
  /** True if the graph is the result of the report's passes on the report's graph. */
  made?: boolean
}

type Test = (node: NodeView, index: number) => boolean

/**
 * The nodes that satisfy every term, in graph order. For a query of one plain word: the exact name first, then names with this
 * prefix, then targets with this part, then the rest. None for an empty query; the error is one sentence.
 */
export function findNodes(context: FindContext, query: string, compile: Compile): Result<NodeView[], string> {
  const terms = parseQuery(query, compile)
  if (!terms.ok) return terms
  if (terms.value.length === 0) return ok([])
  for (const { condition } of terms.value) {
    const problem = problemOf(condition, context)
    if (problem !== null) return err(problem)
  }
  const tests = terms.value.map((term) => testOf(term, context))
  const found = context.graph.nodes.filter((node, i) => tests.every((test) => test(node, i)))
  const word = loneWord(terms.value)
  if (word === null) return ok(found)
  const ranks = new Map(found.map((node) => [node, rankOf(node, word)]))
  return ok(found.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!))
}

export interface TermCount {
  term: string
  /** Nodes that satisfy this one term. */
  nodes: number
}

/** Each term of a query with the number of nodes that it finds alone, to explain an empty result. */
export function countTerms(context: FindContext, query: string, compile: Compile): TermCount[] {
  const terms = parseQuery(query, compile)
  if (!terms.ok) return []
  const texts = tokens(query)
  return terms.value.map((term, i) => {
    const test = testOf(term, context)
    return { term: texts[i]!, nodes: context.graph.nodes.filter(test).length }
  })
}

/** The error for a term that names a missing node or a missing path. */
function problemOf(c: Condition, { graph, report }: FindContext): string | null {
  if (c.kind === 'text' && c.key === 'matched' && !report) return 'The matches of this graph are not known here.'
  const names = c.kind === 'near' ? [c.name] : c.kind === 'path' ? [c.from, c.to] : []
  const absent = names.find((name) => !positions(graph).has(name))
  if (absent !== undefined) return `No node is named ${absent}.`
  if (c.kind === 'path' && !pathBetween(graph, c.from, c.to))
    return `No path leads from ${c.from} to ${c.to}, nor back.`
  return null
}

function loneWord(terms: readonly Term[]): string | null {
  const [term] = terms
  return terms.length === 1 && !term!.not && term!.condition.kind === 'word' ? term!.condition.text : null
}

const targetOf = (node: NodeView): string => `${node.target} ${node.inner ?? ''}`.toLowerCase()

function rankOf(node: NodeView, word: string): number {
  const name = node.name.toLowerCase()
  if (name === word) return 0
  if (name.startsWith(word)) return 1
  if (targetOf(node).split(/[\s.]/).includes(word)) return 2
  return name.includes(word) ? 3 : 4
}

function testOf(term: Term, context: FindContext): Test {
  const test = conditionTest(term.condition, context)
  return term.not ? (node, i) => !test(node, i) : test
}

function conditionTest(c: Condition, context: FindContext): Test {
  switch (c.kind) {
    case 'word':
      return (node) => node.name.toLowerCase().includes(c.text) || targetOf(node).includes(c.text)
    case 'pattern':
      return (node) => c.test(node.name) || c.test(node.target) || c.test(node.inner ?? '')
    case 'number':
      return (node) => compare(node[c.key].length, c.comparison, c.value)
    case 'near':
      return nearTest(context.graph, c.name, c.steps)
    case 'path': {
      const names = new Set(pathBetween(context.graph, c.from, c.to))
      return (node) => names.has(node.name)
    }
    case 'text':
      return textTest(c.key, c.value, context)
  }
}

function compare(n: number, comparison: string, value: number): boolean {
  if (comparison === ':') return n === value
  if (comparison === '>') return n > value
  if (comparison === '<') return n < value
  return comparison === '>=' ? n >= value : n <= value
}

function textTest(key: (Condition & { kind: 'text' })['key'], value: string, context: FindContext): Test {
  switch (key) {
    case 'name': {
      const test = wildcard(value)
      return (node) => test(node.name)
    }
    case 'op':
      return opTest(value)
    case 'dtype': {
      const dtype = shortDtype(value)
      return (node) => node.dtype === dtype
    }
    case 'shape':
      return shapeTest(value)
    case 'device': {
      const device = value.toLowerCase()
      return (node) => node.device === device || node.device?.split(':')[0] === device
    }
    case 'arg':
      return (node) =>
        node.args.some((a) => a.includes(value)) || node.kwargs.some(([k, v]) => `${k}=${v}`.includes(value))
    case 'matched':
      return matchedTest(value, context)
    case 'line':
      return lineTest(value)
    case 'in':
      return partTest(value, context)
    case 'module':
      return moduleTest(value, context.graph)
  }
}

/** `layer17`, `layer`, `mlp3`: an instance of a repeated part, numbered from 0 as in messages, or all instances. */
function partTest(value: string, context: FindContext): Test {
  const [, label = '', number] = /^(.*?)[\s_-]*(\d+)?$/s.exec(value.toLowerCase())!
  const wanted = number === undefined ? null : `${label} ${Number(number)}`
  const parts = partsOf(context)
  const fits = (part: string): boolean =>
    wanted === null ? part.slice(0, part.lastIndexOf(' ')) === label : part === wanted
  return (_, i) => parts.get(i)?.some((part) => fits(part.toLowerCase())) ?? false
}

/** `layers.3`: in this module or one inside it; `mlp`: the module's path contains this part anywhere. */
function moduleTest(value: string, graph: GraphView): Test {
  const paths = modulesOf(graph)
  const test = wildcard(value)
  const size = value.split('.').length
  const fits = new Map<string, boolean>()
  return (_, i) => {
    const path = paths?.[i] ?? null
    if (path === null) return false
    let fit = fits.get(path)
    if (fit === undefined) {
      const parts = path.split('.')
      fits.set(path, (fit = parts.some((_, at) => test(parts.slice(at, at + size).join('.')))))
    }
    return fit
  }
}

/** A case-insensitive test for text in which * matches any text. */
function wildcard(value: string): (text: string) => boolean {
  const [first = '', ...rest] = value.toLowerCase().split('*')
  const last = rest.pop()
  return (given) => {
    const text = given.toLowerCase()
    if (last === undefined) return text === first
    const end = text.length - last.length
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
    // Match each part at its first place, because a later place leaves less text for the other parts.
    let at = first.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}

/** A whole operator, or any run of parts of its name: mm and aten.mm find aten.mm.default, but not aten.addmm.default. */
function opTest(value: string): Test {
  const wanted = value.replace(/^torch\.ops\./, '').replaceAll('::', '.')
  const test = wildcard(wanted)
  const size = wanted.split('.').length
  const fits = (name: string): boolean => {
    const parts = name.split('.')
    return parts.some((_, i) => test(parts.slice(i, i + size).join('.')))
  }
  return (node) =>
    node.op === wanted ||
    (node.op.startsWith('call') && (fits(node.target) || (node.inner !== null && fits(node.inner))))
}

/** `[*, 256]` is compared size by size, `...` matches any number of sizes; a bare size may be any of the sizes. */
function shapeTest(value: string): Test {
  const sizesOf = (text: string): string[] => {
    const inner = text.replace(/^\[/, '').replace(/\]$/, '').trim()
    return inner === '' ? [] : inner.split(',').map((size) => size.trim())
  }
  const wanted = sizesOf(value)
  const any = !value.startsWith('[')
  return (node) => {
    if (node.shape === null) return false
    const sizes = sizesOf(node.shape)
    return any ? wanted.every((size) => sizes.includes(size)) : sizesFit(wanted, sizes)
  }
}

function sizesFit(wanted: readonly string[], sizes: readonly string[]): boolean {
  const rest = wanted.indexOf('...')
  if (rest >= 0) {
    const after = wanted.slice(rest + 1)
    if (sizes.length < rest + after.length) return false
    return (
      sizesFit(wanted.slice(0, rest), sizes.slice(0, rest)) && sizesFit(after, sizes.slice(sizes.length - after.length))
    )
  }
  return wanted.length === sizes.length && wanted.every((size, i) => size === '*' || size === sizes[i])
}

function matchedTest(value: string, { report, side }: FindContext): Test {
  if (!report) return () => false
  const index = indexOf(report)
  const refs = side === 'before' ? index.byNode : index.byAdded
  if (value === 'no') return (node) => !refs.has(node.name)
  if (value === '*') return (node) => refs.has(node.name)
  const title = value.toLowerCase()
  return (node) =>
    refs.get(node.name)?.some(({ pass, entry }) => {
      const { letter } = markOf(report, pass.name, entry.index)
      // A class of variants shares one letter, and each variant has a number: A finds A1 and A2.
      const ofClass = letter.toLowerCase().replace(/\d+$/, '')
      return letter.toLowerCase() === title || ofClass === title || entry.title.toLowerCase().includes(title)
    }) ?? false
}

/** `act.py:42`, `act.py`, `42`: the end of the file's path, the line, or both. */
function lineTest(value: string): Test {
  const at = /^(.*?):?(\d+)?$/s.exec(value)
  const file = at?.[1] ?? ''
  const line = at?.[2] === undefined ? null : Number(at[2])
  return ({ source }) =>
    source !== null &&
    (line === null || source.line === line) &&
    (file === '' || source.file === file || source.file.endsWith(`/${file}`))
}

/** Nodes within `steps` edges of a node, edges taken in both directions. */
function nearTest(graph: GraphView, name: string, steps: number): Test {
  const start = positions(graph).get(name)
  const reached = new Set<number>(start === undefined ? [] : [start])
  let edge = [...reached]
  for (let step = 0; step < steps && edge.length > 0; step++) {
    const next: number[] = []
    for (const i of edge)
      for (const j of [...graph.nodes[i]!.inputs, ...graph.nodes[i]!.users])
        if (!reached.has(j)) {
          reached.add(j)
          next.push(j)
        }
    edge = next
  }
  return (_, i) => reached.has(i)
}
