/**
 * Measures links of every recorded graph: characters beside deflate-raw of the same texts, and the time to decode,
 * beside the time to inflate and parse what `#v1.` links held. Then the default example: as it opens, with a selection, and
 * with one changed line after which no pattern fires, without and with what the page found.
 * `npx tsx bench/links.ts`
 */
import { readdirSync, readFileSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { carriedMisses } from '../src/app/features/share/carried_misses'
import { encodeOnBase } from '../src/app/features/share/example_link'
import { summaryOf } from '../src/app/session/summary'
import { Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import { decodeSnapshot, encodeSnapshot } from '../src/workspace/link'
import type { Snapshot, Workspace } from '../src/workspace'
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

const id = 'silu-mul-block-quant'
const example = JSON.parse(readFileSync(`public/examples/${id}/workspace.json`, 'utf8')) as Workspace
const hash = (JSON.parse(readFileSync('public/bases/index.json', 'utf8')) as Record<string, string>)[id]!
const base = { hash, text: readFileSync(`public/bases/${hash}.txt`, 'utf8') }
const edited = {
  ...example,
  files: example.files.map((f) => ({ ...f, text: f.text.replace('eps=1e-10', 'eps=1e-6') })),
}
const session = new Session(nodeAssets())
await session.ready
const { report } = session.analyzeWhole(edited, { fixes: true })
const openFile = 'activation_quant_fusion.py'
const plain = { selection: null, mode: 'before', panel: 'matches', openFile } as const
const selection = { kind: 'match', pass: 'patterns', index: 0 } as const
const camera = { side: 'before', node: 'getitem_8', dx: -12, dy: 40, zoom: 0.85 } as const
const characters = async (workspace: Workspace, view: Snapshot['view'], summary: Snapshot['summary']) =>
  (await encodeOnBase({ v: 1, workspace, view, summary }, base)).fragment.length
row(['', 'characters', 'most'])
row(['default', await characters(example, plain, null), 100])
row(['default, a selection', await characters(example, { ...plain, selection, camera }, null), ''])
row(['one line', await characters(edited, plain, null), 400])
row(['one line, matches', await characters(edited, plain, summaryOf(report)), ''])
row([
  'one line, causes',
  await characters(edited, plain, summaryOf(report, withoutFixes(carriedMisses(report, null)))),
  '',
])
row(['one line, fixes', await characters(edited, plain, summaryOf(report, carriedMisses(report, null))), ''])
process.exit(0)

function withoutFixes(misses: ReturnType<typeof carriedMisses>): typeof misses {
  const bare = [...misses].map(
    ([pass, all]) =>
      [pass, all.map((m) => ({ ...m, causes: m.causes.map((c) => ({ ...c, fixes: [], tried: [] })) }))] as const,
  )
  return new Map(bare)
}
