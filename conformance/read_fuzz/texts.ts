/** Mutates texts of graphs, reads them, and reports crashes, slow readings and lines that were lost. */
import {
  clone,
  dumpOfText,
  formatProblem,
  lint,
  printGraph,
  printReadable,
  read,
  type Graph,
  type Problem,
} from '../../src/fx'
import { corpus, type CorpusText } from './corpus'
import { mutate } from './mutations'
import { Random } from './random'
import { statedNodes } from './statements'

/** Maximum processor time for an input of the fuzzer (at most about 200 kB) to be read and printed, in milliseconds. */
const TIME_LIMIT = 3000

/** The number of inputs in `npm test`. */
export const TEXTS = { seeds: [1, 2], each: 4000 }

export interface Finding {
  /** Which input: `seed:index`. */
  input: string
  from: string
  mutations: readonly string[]
  kind: 'lost' | 'threw' | 'slow'
  /** The lost line, the error, or the time. */
  detail: string
}

export interface TextFigures {
  inputs: number
  /** Lines that state a node, in all inputs. */
  stated: number
  /** Lines reported by a Problem instead of becoming a node. */
  reported: number
  slowestMs: number
  findings: Finding[]
}

/** An input is determined by the seed and its number. */
export function inputOf(
  texts: readonly CorpusText[],
  seed: number,
  index: number,
): { from: string; text: string; mutations: string[] } {
  const random = new Random(seed * 1_000_003 + index)
  const { name, text } = random.of(texts)
  return { from: name, ...mutate(text, random, random.of(texts).text) }
}

/** @param seeds each gives `count` inputs */
export function fuzzTexts(seeds: readonly number[], count: number): TextFigures {
  const texts = corpus()
  const figures: TextFigures = { inputs: 0, stated: 0, reported: 0, slowestMs: 0, findings: [] }
  for (const seed of seeds)
    for (let index = 0; index < count; index++) {
      const { from, text, mutations } = inputOf(texts, seed, index)
      const found = (kind: Finding['kind'], detail: string): void =>
        void figures.findings.push({ input: `${seed}:${index}`, from, mutations, kind, detail })
      figures.inputs++
      const started = performance.now()
      try {
        const outcome = readAll(text)
        const lost = [...statedNodes(text)].filter(([line, count]) => {
          figures.stated += count
          const read = outcome.nodes.get(line) ?? 0
          if (read >= count) return false
          const reported = outcome.all || outcome.problems.has(line)
          if (reported) figures.reported += count - read
          return !reported
        })
        const [first] = lost
        if (first) found('lost', `${lost.length} lines, the first ${first[0]}: ${lineOf(text, first[0])}`)
      } catch (e) {
        found('threw', e instanceof Error ? (e.stack ?? e.message).split('\n').slice(0, 4).join(' | ') : String(e))
      }
      const ms = performance.now() - started
      figures.slowestMs = Math.max(figures.slowestMs, ms)
      // Other programs may have had the processor; to ask for its time takes as long as to read an input.
      const own = ms > TIME_LIMIT ? processorMs(text) : 0
      if (own > TIME_LIMIT) found('slow', `${Math.round(own)} ms`)
    }
  return figures
}

/** Milliseconds of processor time in which a text is read. */
function processorMs(text: string): number {
  const started = process.cpuUsage()
  try {
    readAll(text)
  } catch {
    // It is a finding of its own.
  }
  return process.cpuUsage(started).user / 1000
}

interface Outcome {
  /** Nodes by line. */
  nodes: Map<number, number>
  problems: Set<number>
  /** A Problem speaks of the whole text, or of further lines by their number. */
  all: boolean
}

/** Reads a text as the page and the command line do, with all its graphs, and prints each. */
export function readAll(text: string): Outcome {
  const outcome: Outcome = { nodes: new Map(), problems: new Set(), all: false }
  const { kind, graphs, problems } = dumpOfText(text, 'fuzz.txt')
  take(outcome, problems, 0)
  // The graphs of JSON and of a diff have lines of their own.
  if (kind === 'json' || kind === 'diff' || graphs.length === 0) outcome.all = true
  for (const g of graphs) {
    const reading = read(g.text, 'fuzz.txt')
    const { graph } = reading
    if (reading.form === 'unknown') outcome.all = true
    printGraph(graph)
    printReadable(graph)
    lint(clone(graph).graph)
    take(outcome, reading.problems, g.line - 1)
    takeNodes(outcome, graph, g.line - 1)
  }
  return outcome
}

function take(outcome: Outcome, problems: readonly Problem[], offset: number): void {
  for (const p of problems) {
    formatProblem(p)
    outcome.problems.add(p.line + offset)
    if (/^\d+ more lines could not be read/.test(p.message)) outcome.all = true
  }
}

function takeNodes(outcome: Outcome, graph: Graph, offset: number): void {
  for (const { meta } of graph.nodes()) {
    if (meta.textLine === undefined) continue
    const line = meta.textLine + offset
    outcome.nodes.set(line, (outcome.nodes.get(line) ?? 0) + 1)
  }
  for (const sub of graph.subgraphs.values()) takeNodes(outcome, sub, offset)
}

const lineOf = (text: string, line: number): string =>
  text
    .split(/\r\n|\r|\n/)
    [line - 1]!.trim()
    .slice(0, 160)
