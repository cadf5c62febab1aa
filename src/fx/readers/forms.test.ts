/**
 * Every form of dump: files that PyTorch 2.14.1 printed (conformance/dumps/texts), and the same as people paste them. Each
 * line of forms.json says what is read: `nodes`, `graphs`, and `status`, which is whole, part or none.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clone, lint, printGraph, printReadable, read, sectionTexts, UNREADABLE, type Reading } from '..'

const folder = new URL('../../../conformance/dumps/', import.meta.url)
const load = (name: string): string => readFileSync(new URL(`texts/${name}`, folder), 'utf8')
const names = readdirSync(new URL('texts', folder))

interface Expected {
  form: string
  status: 'whole' | 'part' | 'none'
  nodes: number
  graphs: number
  problem?: string
}
const expected = JSON.parse(readFileSync(new URL('forms.json', folder), 'utf8')) as Record<string, Expected>

function outcome(reading: Reading): Expected {
  const { form, graph, problems, candidates } = reading
  const status = graph.size === 0 ? 'none' : problems.length > 0 ? 'part' : 'whole'
  const first = problems[0]
  return {
    form,
    status,
    nodes: graph.size,
    graphs: candidates.length,
    ...(first && { problem: `${first.line}: ${first.message}` }),
  }
}

describe('recorded dumps and pastes', () => {
  it.each(names)('%s', (name) => {
    expect(outcome(read(load(name), name))).toEqual(expected[name])
  })

  it.each(names.filter((n) => expected[n]?.status === 'whole'))('%s: prints and reads back', (name) => {
    const text = load(name)
    for (const index of read(text, name).candidates.keys()) {
      const { graph } = read(text, name, { index })
      lint(clone(graph).graph)
      const again = read(printGraph(graph), name)
      expect(again.problems).toEqual([])
      expect(printGraph(again.graph)).toBe(printGraph(graph))
    }
  })
})

describe('the forms agree', () => {
  const graphOf = (name: string): string => printGraph(read(load(name), name).graph)

  it('print_tabular, readable code and a verbose print of one graph', () => {
    expect(graphOf('norm.aten.tabular.txt')).toBe(graphOf('norm.aten.readable_colored.txt'))
  })

  it('DOT has the same nodes, users and vals', () => {
    const drawn = read(load('norm.aten.dot.txt'), 'd').graph
    const printed = read(load('norm.aten.readable_colored.txt'), 'r').graph
    const users = (g: Reading['graph']): string[] => [...g.nodes()].map((n) => `${n.op} ${n.target} ${n.users.size}`)
    expect(users(drawn)).toEqual(users(printed))
    expect(drawn.find('rsqrt')!.meta.val).toMatchObject({ dtype: 'float32', shape: [4, 1] })
  })
})

/** A seeded generator (mulberry32), so that a failure repeats. */
function random(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** One edit as pasting and cutting makes them. */
function mutate(text: string, next: () => number): string {
  const at = Math.floor(next() * text.length)
  const lines = text.split('\n')
  const line = Math.floor(next() * lines.length)
  switch (Math.floor(next() * 7)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + Math.floor(next() * 30))
    case 2:
      return text.slice(0, at) + '()[]{}"\',:;%=.\n\t#|\\'[Math.floor(next() * 19)] + text.slice(at)
    case 3:
      return [...lines.slice(0, line), '...', ...lines.slice(line + 3)].join('\n')
    case 4:
      return [...lines.slice(0, line), ...lines.slice(line + 1)].join('\n')
    case 5:
      return [...lines.slice(0, line), lines[line], ...lines.slice(line)].join('\n')
    default:
      return [...lines.slice(0, line), 'WARNING: something else', ...lines.slice(line)].join('\n')
  }
}

/** Nodes of the text whose line is whole but which the reading neither has nor reports. */
function lost(before: Reading, after: Reading, text: string): string[] {
  if (after.problems.length > 0 || after.candidates.length !== before.candidates.length) return []
  const nested = (g: Reading['graph']): Reading['graph'][] => [g, ...[...g.subgraphs.values()].flatMap(nested)]
  const graphs = nested(after.graph)
  const had = new Set(graphs.flatMap((g) => [...g.nodes()].map((n) => n.name)))
  return [...before.graph.nodes()]
    .filter((n) => n.op.startsWith('call') && !had.has(n.name))
    .map((n) => n.name)
    .filter((name) =>
      new RegExp(
        `^[\\s>%]*${name}(?: : \\[num_users=\\d+\\] = call_\\w+\\[target=[^\\n]*\\}\\)$|: "[^"\\n]*" = torch\\.ops\\.[\\w.]+\\(\\w)`,
        'm',
      ).test(text),
    )
}

describe('mutations', () => {
  const small = names.filter((n) => load(n).length < 8000)
  it.each(small)('%s: no crash, and no node lost without a problem', (name) => {
    const text = load(name)
    const before = read(text, name)
    const next = random(names.indexOf(name) + 1)
    for (let i = 0; i < 20; i++) {
      const mutated = mutate(text, next)
      const reading = read(mutated, name)
      printGraph(reading.graph)
      printReadable(reading.graph)
      lint(clone(reading.graph).graph)
      for (const n of reading.graph.nodes())
        if (n.target === UNREADABLE) expect(reading.problems.length).toBeGreaterThan(0)
      expect(lost(before, reading, sectionTexts(mutated)[reading.index]?.text ?? '')).toEqual([])
    }
  })
})
