/** Mutates the recorded dumps with fixed seeds: reading never throws, and no graph is dropped without a problem. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clone, lint, printGraph, printReadable, read } from '..'
import { dumpOfText } from './dump'

const folder = new URL('../../../conformance/dumps/texts/', import.meta.url)
const texts = readdirSync(folder)
  .filter((f) => f.endsWith('.txt'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
  .filter(({ text }) => text.length < 60_000)
const SEEDS = [1, 2, 3, 5, 8]

type Random = () => number
/** mulberry32. */
function randomOf(seed: number): Random {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), a | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
const upTo = (random: Random, n: number): number => Math.floor(random() * n)
const each = (text: string, change: (line: string) => string): string => text.split('\n').map(change).join('\n')

/** What pasting does to a text: all graphs stay. */
const KEEPING: Readonly<Record<string, (text: string, random: Random) => string>> = {
  'CRLF ends': (t) => t.replace(/\r?\n/g, '\r\n'),
  quoted: (t) => each(t, (l) => `> ${l}`),
  indented: (t) => each(t, (l) => (l === '' ? l : `    ${l}`)),
  fenced: (t) => `Here it is:\n\n\`\`\`\n${t.trimEnd()}\n\`\`\`\nThanks.\n`,
  'prose around it': (t) => `Hello all,\n\nthis is what I get:\n\n${t.trimEnd()}\n\nAny idea why?\n`,
  'blanks at line ends': (t, r) => each(t, (l) => l + ' '.repeat(upTo(r, 3))),
  'a byte order mark': (t) => `\ufeff${t}`,
}

/** What loses parts of a text: a graph may lose nodes, or go with a problem that says so. */
const LOSING: Readonly<Record<string, (text: string, random: Random) => string>> = {
  'a line left out': (t, r) => {
    const lines = t.split('\n')
    return lines.toSpliced(upTo(r, lines.length), 1).join('\n')
  },
  'lines left out, with a mark': (t, r) => {
    const lines = t.split('\n')
    return lines.toSpliced(upTo(r, lines.length), 1 + upTo(r, 8), '...').join('\n')
  },
  'the end left out': (t, r) => t.slice(0, Math.max(1, upTo(r, t.length))),
  'the begin left out': (t, r) => t.slice(upTo(r, t.length)),
  'two lines swapped': (t, r) => {
    const lines = t.split('\n')
    const [i, j] = [upTo(r, lines.length), upTo(r, lines.length)]
    return lines.with(i, lines[j]!).with(j, lines[i]!).join('\n')
  },
  'characters changed': (t, r) => {
    const at = upTo(r, t.length)
    return t.slice(0, at) + '%[]{}()":=,\n\t\\#'.charAt(upTo(r, 15)) + t.slice(at + upTo(r, 3))
  },
  'a log line inside': (t, r) => {
    const lines = t.split('\n')
    return lines.toSpliced(upTo(r, lines.length), 0, 'INFO 05-01 12:00:00 [backends.py:80] cache hit').join('\n')
  },
}

/** Reads the text as the page and the command line do. */
function survive(text: string): { graphs: number; nodes: number; problems: number } {
  const { graphs, problems } = dumpOfText(text, 'fuzz.txt')
  let nodes = 0
  let said = problems.length
  for (const g of graphs) {
    const { graph, problems: bad, notes } = read(g.text, g.title)
    printGraph(graph)
    printReadable(graph)
    lint(clone(graph).graph)
    nodes += graph.size
    said += bad.length + notes.length
  }
  return { graphs: graphs.length, nodes, problems: said }
}

const whole = texts.map(({ name, text }) => ({ name, text, was: survive(text) }))
const readable = whole.filter(({ was }) => was.nodes > 0)

describe.each(Object.entries(KEEPING))('%s', (_, mutate) => {
  it('keeps every graph and every node', () => {
    const lost = readable.flatMap(({ name, text, was }) => {
      const { graphs, nodes, problems } = survive(mutate(text, randomOf(1)))
      return graphs === was.graphs && nodes >= was.nodes ? [] : [{ name, was, now: { graphs, nodes, problems } }]
    })
    expect(lost).toEqual([])
  })
})

describe.each(Object.entries(LOSING))('%s', (_, mutate) => {
  it('drops no graph silently', () => {
    const silent = readable.flatMap(({ name, text, was }) =>
      SEEDS.flatMap((seed) => {
        const { nodes, problems } = survive(mutate(text, randomOf(seed)))
        return nodes > 0 || problems > 0 ? [] : [{ name, seed, was }]
      }),
    )
    expect(silent).toEqual([])
  })
})

it('two texts in one hold the graphs of both', () => {
  const random = randomOf(13)
  const lost = readable.flatMap(({ name, text, was }) => {
    const other = readable[upTo(random, readable.length)]!
    const both = survive(`${text.trimEnd()}\n\n\n${other.text.trimEnd()}\n`)
    return both.nodes > 0 && (both.graphs >= was.graphs || both.problems > 0)
      ? []
      : [{ name, other: other.name, was, then: other.was, both }]
  })
  expect(lost).toEqual([])
})
