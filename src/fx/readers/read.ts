/** Reads a graph in any supported form. The text decides the form, not the file name. */
import { count, listed } from '../../base/english'
import type { Problem } from '../../base/result'
import { Graph } from '../graph/graph'
import { UNREADABLE } from '../target'
import { inferDevices } from '../graph/named_device'
import { formatArg } from '../printers/format'
import { restoreUserOrder } from '../graph/user_order'
import { cleanText, type CleanText } from './clean/clean_text'
import { fragmentLines, nodeOf } from './output_code'
import { contentOf, isProgramLine, type TextContent } from './sections/code_in_text'
import { describePrograms, describeSources, sourceName } from './sections/describe_code'
import { LOOP_BODY_TITLE } from './sections/find_graphs'
import { reportBetween, reportUnread } from './sections/lost_lines'
import { recognize, recognizeArtifacts, recognizeBinary, recognizeFence, recognizeScript } from './sections/recognize'
import { bodyOf, type Section, type SectionForm } from './sections/section'
import { readDot } from './read_dot'
import { readGraphText } from './read_graph_text'
import { readGraphSignature } from './graph_signature'
import { moduleTree, readModuleClasses } from './module_classes'
import { readReadable } from './read_readable'
import { readReproInputs, reproInputs } from './repro_inputs'
import { readTabular } from './read_tabular'
import { excerpt, Problems, skipSpaces } from './scan'

/**
 * `fx`: print(graph). `readable`: print_readable and other FX code. `tabular`: print_tabular. `dot`: FxGraphDrawer. `fragments`:
 * the comments of Inductor's output code. `unknown`: none of these; the graph is empty, and a problem says why.
 */
export type GraphForm = SectionForm | 'unknown'

/** A graph of a text that holds several: a log, a pasted session. */
export interface Candidate {
  /** The class's name, or `graph`. */
  name: string
  /** Its first line, from 1. */
  line: number
  /** The line after its last line. */
  endLine: number
  form: SectionForm
  /** Its title in a log: `__compiled_fn_1`, `AFTER POST GRAD`. */
  title: string | null
  /** The log artifact that contains it: `post_grad_graphs`. */
  artifact: string | null
}

export interface Reading {
  graph: Graph
  form: GraphForm
  /** Empty when every line was read. The graph holds all that could be read. */
  problems: Problem[]
  /** The problems among these that concern lines between the graphs. */
  between: Problem[]
  /** Notes on facts that the text leaves open although all lines were read: inferred inputs, an unknown order. */
  notes: Problem[]
  /** The graphs in the text, in order. */
  candidates: Candidate[]
  /** The index of this graph among them. */
  index: number
}

export interface ReadOptions {
  /** The index of the graph to read. Default: the first; in a TORCH_LOGS text the last, which is the most lowered. */
  index?: number
}

/**
 * Reads the graph in a text. Never throws, whatever the text contains.
 * @param file the name the user knows the text by, for problems
 */
export function read(given: string, file: string, options: ReadOptions = {}): Reading {
  const refuse = (message: string, found: string, line = 1, column = 1): Reading => ({
    graph: new Graph(),
    form: 'unknown',
    problems: [{ file, line, column, message, found, expected: EXPECTED }],
    between: [],
    notes: [],
    candidates: [],
    index: 0,
  })
  if (given.trim() === '') return refuse(`The text is empty. ${WHAT}`, 'an empty text')
  if (isBinary(given)) return refuse(recognizeBinary(given) ?? `This is a binary file. ${WHAT}`, 'a binary file')

  const clean = cleanText(given)
  const source = clean.text
  const content = contentOf(clean)
  const { graphs: sections, sources } = content
  if (sections.length === 0) {
    const start = skipSpaces(source, 0, source.length)
    const found = excerpt(source, start, source.length)
    const known = recognize(source)
    const code =
      describeSources(source, sources) ??
      recognizeArtifacts(clean.artifacts) ??
      describePrograms(content.programs) ??
      recognizeFence(given)
    // The model source that raised a traceback describes a text better than the traceback.
    const told = known && !(known.weak && code) ? known : (code ?? known)
    if (told) return refuse(told.message, found, told.line, told.column + (clean.columns.get(told.line - 1) ?? 0))
    return refuse(`No FX graph was found in this text. ${WHAT}`, found)
  }
  const index = Math.min(Math.max(options.index ?? defaultGraph(content, clean), 0), sections.length - 1)
  const problems = new Problems(file)
  const section = sections[index]!
  const graph = readSection(source, section, problems)
  if (graph.size === 0 && problems.list.length === 0)
    problems.add(section.line, 1, 'no nodes', EXPECTED, `The graph has no nodes. ${WHAT}`)
  // Output code repeats a node in the comments of every kernel that computes it.
  const isRead = (line: string): boolean => section.form === 'fragments' && nodeOf(line) !== null
  const isProgram = isProgramLine(content)
  reportUnread(source, section, graph, problems, { isRead, isProgram })
  const calls = hasCall(graph)
  const text = source.slice(section.start, section.end)
  const other = problems.list.length > 0 ? ((calls ? null : recognize(text)) ?? recognizeScript(text)) : null
  if (other) return refuse(other.message, 'no node', other.line + section.line - 1, other.column)
  const outside = new Problems(file)
  reportBetween(source, sections, outside, isProgram)
  for (const s of sources) problems.note(s.line, `${sourceName(s)} is source, not a printed graph: it is not read.`)
  restoreUserOrder(graph)
  readModuleClasses(graph, source.slice(sections[index - 1]?.end ?? 0, section.start), section.line, problems)
  readGraphSignature(graph, source.slice(section.end, sections[index + 1]?.start))
  readReproInputs(graph, source.slice(section.start, sections[index + 1]?.start), section.line, problems)
  noteDevices(graph, section.line, problems)
  const between = outside.finish(outside.list[0]?.line ?? 1)
  const list = [...problems.finish(section.line), ...between]
  for (const p of list) p.column += clean.columns.get(p.line - 1) ?? 0
  const candidates = sections.map((s) => candidateOf(s, source, clean))
  return { graph, form: section.form, problems: list, between, notes: problems.notes, candidates, index }
}

const hasCall = (graph: Graph): boolean =>
  [...graph.nodes()].some((n) => n.op.startsWith('call') && n.target !== UNREADABLE)

/** Minimum length of a long text, and length of its beginning in which parameters may come first, in characters. */
const LONG = 200_000
const BEGINNING = 100_000

/** True for a long text whose beginning shows that `read` finds one graph; faster than reading it. */
export function isOneLongGraph(given: string): boolean {
  if (given.length < LONG || isBinary(given)) return false
  const clean = cleanText(given)
  const source = clean.text
  const [section, ...others] = contentOf(clean).graphs
  if (!section || others.length > 0 || section.form === 'fragments') return false
  const { start, end } = section
  const lineEnd = source.indexOf('\n', start + BEGINNING)
  if (lineEnd < 0 || lineEnd > end) return false
  const beginning = readSection(source, { ...section, end: lineEnd, open: true }, new Problems(''))
  return hasCall(beginning) && recognizeScript(source.slice(start, end)) === null
}

/** print_readable omits devices unless asked for them; nodes of the graph may name them. */
function noteDevices(graph: Graph, line: number, problems: Problems): void {
  const { found, unknown } = inferDevices(graph) ?? { found: [], unknown: [] }
  const some = (names: readonly string[]): string =>
    `${listed(names.slice(0, 4))}${names.length > 4 ? ` and ${count(names.length - 4, 'more input')}` : ''}`
  const parts = found.map(
    ({ device, node, inputs }) => `${formatArg(device)} is inferred for ${some(inputs)}, because ${node.name} names it`,
  )
  if (unknown.length > 0) parts.push(`no node says which of its devices ${some(unknown)} is on: the cpu is taken`)
  if (parts.length === 0) return
  problems.note(
    line,
    `This text prints no devices: ${parts.join('; ')}. Print the graph with include_device=True to be certain.`,
  )
}

/**
 * Index of the graph to read by default: the first that is certainly a printed graph; in a log the last that is not a loop body and
 * not cut after its header.
 */
function defaultGraph({ graphs, certain }: TextContent, { text, logged }: CleanText): number {
  if (!logged)
    return Math.max(
      0,
      graphs.findIndex((s) => certain.has(s)),
    )
  const own = (s: Section): boolean => s.title !== LOOP_BODY_TITLE
  const at = graphs.findLastIndex((s) => own(s) && STATES.test(bodyOf(text, s)))
  if (at >= 0) return at
  const begun = graphs.findLastIndex((s) => own(s) && /def |[%=]/.test(bodyOf(text, s)))
  return begun < 0 ? graphs.length - 1 : begun
}

/** A line that computes or returns something, which a graph needs unless it is cut at its head. */
const STATES =
  /^[ \t|]*(?:%\w+ : |return\b|call_\w|output\b|"?\w+"? \[label=|\w+(?:\s*:\s*[^=\n]{1,200})? = (?!L_|fx_pytree))/m

/**
 * The lines of each graph in a text, with the modules that `print(gm)` lists above them and the inputs that a repro creates below
 * them, without the marks of a log or a web page.
 */
export function sectionTexts(text: string): { text: string; above: number }[] {
  const clean = cleanText(text)
  const { graphs } = contentOf(clean)
  return graphs.map((s, i) => {
    const modules = moduleTree(clean.text.slice(graphs[i - 1]?.end ?? 0, s.start))
    const inputs = reproInputs(clean.text.slice(s.end, graphs[i + 1]?.start))
    const own = clean.text.slice(s.start, s.end).trimEnd()
    return { text: `${modules}${own}\n${inputs}`, above: modules.split('\n').length - 1 }
  })
}

function readSection(source: string, section: Section, problems: Problems): Graph {
  const range = { ...section, open: section.open || section.cuts.length > 0 }
  switch (section.form) {
    case 'fx':
      return readGraphText(source, range, problems)
    case 'readable':
      return readReadable(source, range, problems)
    case 'tabular':
      return readTabular(source, range, problems)
    case 'dot':
      return readDot(source, range, problems)
    case 'fragments': {
      const lines = fragmentLines(source, range)
      return readGraphText(lines, { start: 0, end: lines.length, line: section.line, open: true }, problems)
    }
  }
}

function candidateOf(section: Section, source: string, { artifacts }: CleanText): Candidate {
  const { name, line, form, title } = section
  let lines = 0
  for (let i = source.indexOf('\n', section.start); i >= 0 && i < section.end; i = source.indexOf('\n', i + 1)) lines++
  return { name, line, endLine: line + Math.max(1, lines), form, title, artifact: artifacts.get(line - 1) ?? null }
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
