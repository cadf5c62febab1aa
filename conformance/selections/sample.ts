/**
 * Makes a pattern from random connected selections of 2 to 12 nodes of every given graph, and prints what became of them.
 *
 *   node --import ./node_modules/tsx/dist/loader.mjs conformance/selections/sample.ts [--count 200] [--graphs NAME,…]
 *     [--out FILE.jsonl] [--code FOLDER]
 *
 * --code writes NAME.py for each graph: Python that rebuilds it, for check.py.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCase } from '../../src/engine/cases/case_input'
import { graphCode } from '../../src/engine/export/graph_code'
import { operatorLines } from '../../src/engine/export/operators'
import { PatternMaker } from '../../src/engine/from_selection/pattern_maker'
import { read, type Graph, type Node } from '../../src/fx'
import { nodeAssets } from '../../src/python/node_assets'
import { createTracer } from '../../src/trace'
import { Random } from '../read_fuzz/random'

const root = join(import.meta.dirname, '../graphs')

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

/** A connected set of calls, grown from a random one through random inputs and users. */
export function randomSelection(graph: Graph, random: Random): string[] | null {
  const calls = [...graph.nodes()].filter((n) => n.op !== 'placeholder' && n.op !== 'output' && n.op !== 'get_attr')
  const size = 2 + random.below(11)
  const picked = new Set<Node>([calls[random.below(calls.length)]!])
  const isCall = new Set(calls)
  while (picked.size < size) {
    const around = [...picked]
      .flatMap((n) => [...n.inputs(), ...n.users])
      .filter((n) => isCall.has(n) && !picked.has(n))
    if (around.length === 0) break
    picked.add(around[random.below(around.length)]!)
  }
  return picked.size < 2 ? null : calls.filter((n) => picked.has(n)).map((n) => n.name)
}

async function main(): Promise<void> {
  const count = Number(option('count') ?? 200)
  const wanted = option('graphs')?.split(',')
  const names = readdirSync(root).flatMap((f) => (f.endsWith('.graph.txt') ? [f.replace('.graph.txt', '')] : []))
  const lines: string[] = []
  let maker = await PatternMaker.create(nodeAssets())
  for (const name of names.filter((n) => wanted?.includes(n) ?? true)) {
    const graph = readFileSync(join(root, `${name}.graph.txt`), 'utf8')
    const readable = readFileSync(join(root, `${name}.readable.txt`), 'utf8')
    const parsed = read(graph, name).graph
    const code = option('code')
    if (code) writeFileSync(join(code, `${name}.py`), rebuildingCode(name, graph, readable))
    const random = new Random(hash(name))
    const tally = { traced: 0, expression: 0, refused: 0, failed: 0 }
    const started = performance.now()
    for (let i = 0; i < count; i++) {
      const nodes = randomSelection(parsed, random)
      if (!nodes) continue
      if (maker.broken) maker = await PatternMaker.create(nodeAssets())
      const id = `${name}/${i}`
      try {
        const made = maker.make({ id: name, graph, readable, nodes })
        if (!made.ok) {
          tally.refused++
          lines.push(JSON.stringify({ id, graph: name, nodes, refused: made.error }))
        } else {
          tally[made.value.form]++
          lines.push(JSON.stringify({ id, graph: name, nodes, ...made.value }))
        }
      } catch (e) {
        tally.failed++
        lines.push(JSON.stringify({ id, graph: name, nodes, failed: String((e as Error).stack) }))
      }
    }
    console.log(name.padEnd(26), JSON.stringify(tally), `${Math.round((performance.now() - started) / 1000)} s`)
  }
  const out = option('out')
  if (out) writeFileSync(out, `${lines.join('\n')}\n`)
}

/** Python that declares a graph's operators and rebuilds it with GraphBuilder (src/python/lib/_fusescope/exported/graphs.py). */
function rebuildingCode(id: string, text: string, readable: string): string {
  const graph = readCase({ id, pattern_py: '', graph: text, readable })
  const tracer = createTracer()
  tracer.begins(graph)
  const { lines } = operatorLines({ tracer, graphs: [graph], observed: [], texts: [] })
  const body = (code: readonly string[]): string => ['pass', ...code].map((l) => l.replaceAll(/^/gm, '    ')).join('\n')
  return `def declare_operators():\n${body(lines)}\n\n\ndef graph(build):\n${body(graphCode(graph).lines)}\n`
}

const hash = (text: string): number => [...text].reduce((h, c) => (Math.imul(h, 31) + c.charCodeAt(0)) >>> 0, 7)

await main()
