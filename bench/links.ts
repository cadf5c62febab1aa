/**
 * Measures links of every recorded graph: characters beside deflate-raw of the same texts, and the time to decode,
 * beside the time to inflate and parse what `#v1.` links held.
 * `npx tsx bench/links.ts`
 */
import { readdirSync, readFileSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { decodeSnapshot, encodeSnapshot } from '../src/workspace/link'
import type { Snapshot } from '../src/workspace'
import { median } from './stats'

const ROUNDS = 5
const folder = new URL('../conformance/graphs/', import.meta.url)
const load = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
const names = readdirSync(folder).flatMap((name) => /^(.*)\.readable\.txt$/.exec(name)?.[1] ?? [])

async function time(run: () => unknown): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return median(times)
}

const row = (cells: (string | number)[]): void =>
  console.log(cells.map((c, i) => (i === 0 ? String(c).padEnd(24) : String(c).padStart(14))).join(''))

row(['', 'characters', 'with comments', 'deflate-raw', 'decode, ms', 'inflate, ms'])
for (const name of names) {
  const [graph, shapes] = [`${name}.graph.txt`, `${name}.readable.txt`]
  const snapshot: Snapshot = {
    v: 1,
    workspace: {
      name,
      graph: { name: graph, text: load(graph) },
      shapes: { name: shapes, text: load(shapes) },
      files: [],
      options: { timeLimitS: 10 },
    },
    view: { selection: null, mode: 'before', panel: 'matches', openFile: '' },
    summary: null,
  }
  const short = await encodeSnapshot(snapshot, null, { comments: false })
  const whole = await encodeSnapshot(snapshot)
  const deflated = deflateRawSync(JSON.stringify(snapshot))
  const decode = await time(() => decodeSnapshot(short))
  const inflate = await time(() => JSON.parse(inflateRawSync(deflated).toString('utf8')) as unknown)
  row([name, short.length, whole.length, Math.ceil((deflated.length * 4) / 3), decode.toFixed(0), inflate.toFixed(1)])
}
