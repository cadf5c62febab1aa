/**
 * Strips the shapes off recorded graphs, gives back those of the inputs, and compares with the results with all shapes.
 *   npx tsx conformance/shapeless.ts [--strides] [FILE…]
 * The graphs: the examples, the real graphs with their expected counts, and the recorded cases. `--strides`: the given
 * shapes have strides and devices. Prints each difference, and a table.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CaseInput, matchCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { readGraph } from '../src/engine/cases/graph_file'
import { createSession } from '../src/engine/session/session'
import { formatVal, mergeShapes, printGraph, printReadable, read, type Graph } from '../src/fx'
import { fillShapes } from '../src/trace/fill_shapes'
import { createTracer } from '../src/trace'
import { nodeAssets } from '../src/python/node_assets'
import { graphsOf } from '../src/workspace/graphs'
import { EXAMPLE_IDS, exampleWorkspace } from '../scripts/examples'
import { applyTyped } from '../src/engine/shapes/typed_shapes'
import { firstDifference, type Expected } from './compare'

const here = new URL('.', import.meta.url).pathname
const strides = process.argv.includes('--strides')
const only = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const FULL = { stride: true, device: true }
const format = strides ? { stride: true, device: true } : {}

/** Annotations of a graph's inputs. */
function inputShapes(graph: Graph): Record<string, string> {
  const found: Record<string, string> = {}
  for (const n of graph.nodes())
    if ((n.op === 'placeholder' || n.op === 'get_attr') && n.meta.val) {
      const text = formatVal(n.meta.val, format)
      if (text) found[n.name] = text
    }
  return found
}

const rows: (string | number)[][] = []
const wanted = (name: string): boolean => only.length === 0 || only.includes(name)

if (wanted('nodes')) compareNodes()
if (wanted('examples')) await compareExamples()
const interpreter = await Interpreter.start(nodeAssets())
if (wanted('graphs')) compareGraphs()
for (const file of readdirSync(join(here, 'cases')))
  if (wanted('cases') || only.includes(file.split('.')[0]!)) compareCases(file)
const row = (cells: readonly (string | number)[]): void =>
  console.log(cells.map((c, i) => (i === 0 ? String(c).padEnd(28) : String(c).padStart(12))).join(''))
row(['', 'compared', 'equal', 'unshaped'])
for (const r of rows) row(r)

/** The computed shape of each node of the real graphs against PyTorch's. */
function compareNodes(): void {
  let total = 0
  let equal = 0
  let missing = 0
  const graphs = join(here, 'graphs')
  const names = readdirSync(graphs).flatMap((f) => (f.endsWith('.graph.txt') ? [f.slice(0, -'.graph.txt'.length)] : []))
  for (const name of names) {
    const { graph } = read(readFileSync(join(graphs, `${name}.graph.txt`), 'utf8'), name)
    const { graph: readable } = read(readFileSync(join(graphs, `${name}.readable.txt`), 'utf8'), name)
    applyTyped(graph, inputShapes(readable))
    const { sources } = fillShapes(graph, createTracer())
    for (const s of sources.slice(0, 3)) console.log(`${name}, ${s.node.name} (${s.node.target}): ${s.error}`)
    const vals = new Map([...readable.nodes()].map((n) => [n.name, n.meta.val]))
    for (const node of graph.nodes()) {
      const want = vals.get(node.name)
      if (!want || node.op !== 'call_function' || want.kind !== 'tensor') continue
      total++
      const got = node.meta.val
      if (!got) missing++
      else if (formatVal(got, { stride: strides }) === formatVal(want, { stride: strides })) equal++
      else console.log(`${name}, ${node.name} (${node.target}): ${formatVal(want)}, computed ${formatVal(got)}`)
    }
  }
  rows.push(['nodes of real graphs', total, equal, missing])
}

async function compareExamples(): Promise<void> {
  const session = createSession(nodeAssets())
  await session.ready
  let total = 0
  let equal = 0
  let unshaped = 0
  for (const id of EXAMPLE_IDS) {
    const workspace = exampleWorkspace(id)
    for (const file of graphsOf(workspace)) {
      const { graph } = readGraph(file)
      // print(graph) has no further keys of node.meta, so these do not count as a difference of shapes.
      const text = [...graph.nodes()].some((n) => n.meta.additional) ? printReadable(graph, FULL) : file.text
      const shown = { name: file.name, text }
      const whole = { ...workspace, graph: shown, shapes: file.shapes, graphs: undefined, graphAt: undefined }
      const stripped = {
        ...whole,
        shapes: undefined,
        graph: { name: file.name, text: printGraph(graph) },
        inputShapes: inputShapes(graph),
      }
      const counts = [whole, stripped].map((w) => session.analyze(w).report)
      const fired = counts.map((r) =>
        JSON.stringify(r.passes.map((p) => [p.name, p.count, p.entries.map((e) => e.fired)])),
      )
      total++
      unshaped += counts[1]!.passes.reduce((n, p) => n + (p.unshaped?.length ?? 0), 0)
      if (fired[0] === fired[1]) equal++
      else
        console.log(
          `${id}, ${file.name}: ${counts.map((r) => r.passes.map((p) => p.count).join(' ')).join(' became ')}; ${counts[1]!.shapes?.rows
            .filter((r) => !r.typed)
            .map((r) => `${r.name} ${r.target}: ${r.problem}`)
            .slice(0, 4)
            .join('; ')}`,
        )
    }
  }
  rows.push(['examples', total, equal, unshaped])
}

function compareGraphs(): void {
  const recorded = JSON.parse(readFileSync(join(here, 'expected_counts.json'), 'utf8')) as Record<
    string,
    Record<string, { pattern_py: string; count: number }>
  >
  let [total, equal, unshaped] = [0, 0, 0]
  for (const [name, patterns] of Object.entries(recorded)) {
    const graph = readFileSync(join(here, `graphs/${name}.graph.txt`), 'utf8')
    const { graph: readable } = read(readFileSync(join(here, `graphs/${name}.readable.txt`), 'utf8'), name)
    for (const [title, { pattern_py, count }] of Object.entries(patterns)) {
      const { passes } = matchCase(interpreter, { id: title, pattern_py, graph, shapes: inputShapes(readable) })
      total++
      unshaped += passes[0]?.unshaped ?? 0
      if ((passes[0]?.count ?? 0) === count) equal++
      else console.log(`${name}, ${title}: ${count} became ${passes[0]?.count}, unshaped ${passes[0]?.unshaped}`)
    }
  }
  rows.push(['counts on real graphs', total, equal, unshaped])
}

function compareCases(file: string): void {
  let [total, equal, unshaped] = [0, 0, 0]
  for (const line of readFileSync(join(here, 'cases', file), 'utf8').split('\n')) {
    if (line.trim() === '') continue
    const input = JSON.parse(line) as CaseInput & { expected: Expected }
    if (!input.readable) continue
    const { readable, ...rest } = input
    const { graph } = read(input.graph, input.id)
    mergeShapes(graph, read(readable, input.id).graph)
    total++
    try {
      const output = matchCase(interpreter, { ...rest, shapes: inputShapes(graph) })
      const places = output.passes.reduce((n, p) => n + p.unshaped, 0)
      unshaped += places
      const difference = firstDifference(input.expected, output)
      if (difference === null) equal++
      else console.log(`${input.id}: ${difference.slice(0, 300)}${places ? ` (unshaped ${places})` : ''}`)
    } catch (e) {
      console.log(`${input.id}: ${String(e).slice(0, 200)}`)
    }
  }
  if (total > 0) rows.push([file.split('.')[0]!, total, equal, unshaped])
}
