/** Reads a graph in any supported form. The text decides the form, not the file name. */
import { Graph } from '../graph/graph'
import { hasLogPrefix, stripLogPrefixes } from './log_prefix'
import { readGraphText, type TextRange } from './read_graph_text'
import { classOfLine, readReadable } from './read_readable'
import type { Problem } from '../../base/result'
import { excerpt, Problems, skipSpaces, wordEnd } from './scan'
import { restoreUserOrder } from '../graph/user_order'

/** `fx`: print(graph). `readable`: print_readable. `unknown`: neither; the graph is empty, and a problem says why. */
export type GraphForm = 'fx' | 'readable' | 'unknown'

/** One of several graphs in a text: a log, a pasted session. */
export interface Candidate {
  /** The class's name, or `graph`. */
  name: string
  /** Line it starts on, from 1. */
  line: number
}

export interface Reading {
  graph: Graph
  form: GraphForm
  /** Empty if every line was read. The graph contains all that could be read. */
  problems: Problem[]
  /** The graphs in the text, in order. */
  candidates: Candidate[]
  /** Index of this graph among them. */
  index: number
}

export interface ReadOptions {
  /** Index of the graph to read. Default: the first; in a TORCH_LOGS text the last, which is the most lowered. */
  index?: number
}

/**
 * Reads the graph in a text. Never throws for bad input.
 * @param file the user's name for the text, used in problems
 */
export function read(text: string, file: string, options: ReadOptions = {}): Reading {
  const refuse = (message: string, found: string): Reading => ({
    graph: new Graph(),
    form: 'unknown',
    problems: [{ file, line: 1, column: 1, message, found, expected: EXPECTED }],
    candidates: [],
    index: 0,
  })
  if (text.trim() === '') return refuse(`The text is empty. ${WHAT}`, 'an empty text')
  if (isBinary(text)) return refuse(`This is a binary file. ${WHAT}`, 'a binary file')

  const logged = hasLogPrefix(text)
  const source = logged ? stripLogPrefixes(text) : text
  const { form, ranges, candidates } = sniff(source)
  if (form === 'unknown') {
    const start = skipSpaces(source, 0, source.length)
    const found = excerpt(source, start, source.length)
    return refuse(`No FX graph was found in this text. ${WHAT}`, found)
  }
  const index = Math.min(Math.max(options.index ?? (logged ? ranges.length - 1 : 0), 0), ranges.length - 1)
  const problems = new Problems(file)
  const range = ranges[index]!
  const graph = form === 'fx' ? readGraphText(source, range, problems) : readReadable(source, range, problems)
  if (graph.size === 0 && problems.list.length === 0)
    problems.add(range.line, 1, 'no nodes', EXPECTED, `The graph has no nodes. ${WHAT}`)
  restoreUserOrder(graph)
  const list = problems.finish(range.line)
  if (logged) restoreColumns(list, text, source)
  return { graph, form, problems: list, candidates, index }
}

const EXPECTED = 'print(graph) or print_readable'
const WHAT =
  'Provide the text of print(graph), which starts with "graph():", or of print_readable (also fx_graph_readable.py), which starts with "class".'

function isBinary(text: string): boolean {
  const head = text.slice(0, 4096)
  if (head.includes('\0')) return true
  let bad = 0
  for (let i = 0; i < head.length; i++) {
    const c = head.charCodeAt(i)
    if (c === 0xfffd || (c < 32 && c !== 10 && c !== 13 && c !== 9 && c !== 12 && c !== 27)) bad++
  }
  return bad * 20 > head.length
}

interface Sniffed {
  form: GraphForm
  ranges: TextRange[]
  candidates: Candidate[]
}

/** Finds where graphs begin. The form of the first one determines the form of the text. */
function sniff(text: string): Sniffed {
  let form: GraphForm = 'unknown'
  const starts: { pos: number; line: number; name: string }[] = []
  let rootIndent = 0
  let line = 0
  for (let pos = 0; pos < text.length;) {
    let end = text.indexOf('\n', pos)
    if (end < 0) end = text.length
    line++
    const start = skipSpaces(text, pos, end)
    const c = text.charCodeAt(start)
    if (form !== 'readable' && c === 103 && isGraphHeader(text, start, end)) {
      form = 'fx'
      starts.push({ pos, line, name: 'graph' })
    } else if (form === 'unknown' && c === 37 && isNodeLine(text, start, end)) {
      form = 'fx'
      starts.push({ pos, line, name: 'graph' })
    } else if (form !== 'fx' && (c === 99 || c === 47)) {
      const name = classOfLine(text.slice(start, end))
      const indent = c === 47 ? 0 : start - pos
      if (name !== null && (starts.length === 0 || indent <= rootIndent)) {
        if (starts.length === 0) rootIndent = indent
        form = 'readable'
        starts.push({ pos, line, name })
      }
    } else if (form === 'unknown' && c === 100 && text.startsWith('def forward(', start)) {
      form = 'readable'
      starts.push({ pos, line, name: 'forward' })
      rootIndent = start - pos
    }
    pos = end + 1
  }
  const ranges = starts.map(({ pos, line: first }, i) => ({
    start: pos,
    end: starts[i + 1]?.pos ?? text.length,
    line: first,
  }))
  return { form, ranges, candidates: starts.map(({ name, line: first }) => ({ name, line: first })) }
}

/** `graph():`, `graph(x) -> torch.Tensor:` */
function isGraphHeader(text: string, start: number, end: number): boolean {
  if (!text.startsWith('graph(', start)) return false
  const close = text.slice(start, Math.min(end, start + 100_000)).indexOf(')')
  if (close < 0) return false
  const rest = text.slice(start + close + 1, end).trim()
  return rest.startsWith(':') || rest.startsWith('->')
}

/** `%name : … = op[target=`, including an invalid name, so that the reader reports it. */
function isNodeLine(text: string, start: number, end: number): boolean {
  const stop = wordEnd(text, start + 1, end)
  return text.slice(stop, Math.min(end, stop + 2000)).includes('[target=')
}

/** Adds the length of the log prefix to columns counted without it. */
function restoreColumns(problems: Problem[], text: string, stripped: string): void {
  const before = text.split('\n')
  const after = stripped.split('\n')
  for (const p of problems) p.column += (before[p.line - 1]?.length ?? 0) - (after[p.line - 1]?.length ?? 0)
}
