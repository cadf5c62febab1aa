/**
 * Measures the readers on the llama graph (3,235 nodes): MB/s of each form, and the ratio to a lower bound for any
 * reader, split('\n') and one regular expression per line, in alternating runs.
 * `npx tsx bench/parse.ts`
 */
import { readFileSync } from 'node:fs'
import { printGraph, printReadable, read } from '../src/fx'
import { median } from './stats'

const ROUNDS = 15
const folder = new URL('../conformance/graphs/', import.meta.url)
const load = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

const LINES: Record<string, RegExp> = {
  fx: /^ +%(\w+) : \[num_users=(\d+)\] = (\w+)\[target=([^\]]*)\](.*)$/,
  readable: /^ +(\w+)(?:: "([^"]*)")? = ([\w.]+)(.*)$/,
}

function baseline(text: string, line: RegExp): number {
  let found = 0
  for (const l of text.split('\n')) if (line.exec(l)) found++
  return found
}

function time(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

const row = (cells: string[]): void =>
  console.log(cells.map((c, i) => (i === 0 ? c.padEnd(22) : c.padStart(14))).join(''))

row(['', 'first, ms', 'median, ms', 'spread, ms', 'MB/s', 'baseline, ms', 'ratio'])
for (const [form, file] of [
  ['fx', 'llama.graph.txt'],
  ['readable', 'llama.readable.txt'],
] as const) {
  const text = load(file)
  const graph = read(text, file).graph
  const jobs: [string, () => unknown][] = [
    [`read ${form}`, () => read(text, file)],
    [`print ${form}`, () => (form === 'fx' ? printGraph(graph) : printReadable(graph, { stride: true, device: true }))],
  ]
  for (const [name, job] of jobs) {
    const first = time(job)
    const times: number[] = []
    const base: number[] = []
    for (let i = 0; i < ROUNDS; i++) {
      times.push(time(job))
      base.push(time(() => baseline(text, LINES[form]!)))
    }
    const ms = median(times)
    const reference = median(base)
    row([
      name,
      first.toFixed(1),
      ms.toFixed(1),
      `${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)}`,
      (text.length / 1000 / ms).toFixed(0),
      reference.toFixed(1),
      (ms / reference).toFixed(1),
    ])
  }
}
