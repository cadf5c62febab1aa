/** Damages links and snapshot files, opens them, and reports crashes, slow openings and links that open as something else. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import { sha256Bytes } from '../../src/base/sha256'
import { formatProblem } from '../../src/fx'
import { snapshotSchema, writeSnapshotFile } from '../../src/workspace'
import { fromBase64url, toBase64url } from '../../src/workspace/base64url'
import { decodeSnapshot, encodeSnapshot, readBase } from '../../src/workspace/link'
import type { Base } from '../../src/workspace/link_v2'
import type { Snapshot, Workspace } from '../../src/workspace/types'
import { Random } from './random'

const root = new URL('../..', import.meta.url)
/** Examples with a pattern file, a printed graph, and several graphs. */
const EXAMPLES = ['rms-norm-int8', 'inductor-graph-patterns', 'sglang-silu-and-mul']
/** Maximum time for an input to open or be refused, in milliseconds. */
const TIME_LIMIT = 5000

/** The number of inputs in `npm test`. */
export const LINKS = { seeds: [1], each: 5000 }

export interface LinkFinding {
  /** Which input: `seed:index`. */
  input: string
  change: string
  kind: 'opened as another' | 'refused' | 'threw' | 'slow'
  detail: string
}

export interface LinkFigures {
  inputs: number
  opened: number
  slowestMs: number
  findings: LinkFinding[]
}

/** A text that opens, and the snapshot that it opens as. */
export interface Sample {
  kind: 'v2' | 'v1' | 'file'
  text: string
  snapshot: Snapshot
}

let base: Base | null = null
const loadBase = async (hash: string): Promise<Base | null> => (base?.hash === hash ? base : null)

export async function samples(): Promise<Sample[]> {
  const all: Sample[] = []
  for (const id of EXAMPLES) {
    const workspace = JSON.parse(
      readFileSync(new URL(`public/examples/${id}/workspace.json`, root), 'utf8'),
    ) as Workspace
    const view = { selection: null, mode: 'before', panel: 'matches', openFile: workspace.files[0]!.name } as const
    const snapshot = snapshotSchema.parse({ v: 1, workspace, view, summary: null }) as Snapshot
    all.push({ kind: 'v2', text: await encodeSnapshot(snapshot), snapshot })
    if (base === null) {
      const { base: hash } = (
        JSON.parse(readFileSync(new URL('public/examples/index.json', root), 'utf8')) as { id: string; base: string }[]
      ).find((e) => e.id === id)!
      base = await readBase(readFileSync(new URL(`public/bases/${hash}.txt`, root), 'utf8'), hash)
      const name = `${workspace.name} (mine)`
      const changed = { ...snapshot, workspace: { ...snapshot.workspace, name } }
      all.push({ kind: 'v2', text: await encodeSnapshot(changed, base), snapshot: changed })
      all.push({
        kind: 'v1',
        text: `#v1.${toBase64url(new Uint8Array(deflateRawSync(JSON.stringify(snapshot))))}`,
        snapshot,
      })
      all.push({ kind: 'file', text: writeSnapshotFile(snapshot), snapshot })
    }
  }
  return all
}

/** A change, and its permitted results: `same`: it opens unchanged; `refused`: it must not open. */
interface Change {
  text: string
  may: 'same' | 'refused' | 'any'
}
type Damage = (sample: Sample, random: Random) => Change | null

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const OTHERS = ' \n\t.,;:!?…\'")]}>#%&=+/~*|\u200b\u00a0é漢🙂\u0000'
/** Where the code of a link begins, after `#v2.`. */
const CODE = 4

/** A link with one place changed: of the old links, which have no checksum, some open as something else. */
const changed = ({ kind }: Sample, text: string, original: string): Change => ({
  text,
  may: kind !== 'v2' ? 'any' : text === original ? 'same' : 'refused',
})

const at = (random: Random, { text }: Sample): number => CODE + random.below(text.length - CODE)

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a character changed': (s, r) => {
    const i = at(r, s)
    return changed(s, s.text.slice(0, i) + ALPHABET.charAt(r.below(64)) + s.text.slice(i + 1), s.text)
  },
  'a character of another class': (s, r) => {
    const i = at(r, s)
    return { text: s.text.slice(0, i) + r.of([...OTHERS]) + s.text.slice(i + 1), may: 'any' }
  },
  'a character deleted': (s, r) => {
    const i = at(r, s)
    return changed(s, s.text.slice(0, i) + s.text.slice(i + 1), s.text)
  },
  'a character inserted': (s, r) => {
    const i = at(r, s)
    // Text after the code is not read: chat programs append text to links.
    return { ...changed(s, s.text.slice(0, i) + ALPHABET.charAt(r.below(64)) + s.text.slice(i), s.text) }
  },
  'two characters swapped': (s, r) => {
    const i = Math.min(at(r, s), s.text.length - 2)
    return changed(s, s.text.slice(0, i) + s.text[i + 1]! + s.text[i]! + s.text.slice(i + 2), s.text)
  },
  truncated: (s, r) => changed(s, s.text.slice(0, at(r, s)), s.text),
  'the begin lost': (s, r) => ({ text: s.text.slice(r.below(s.text.length)), may: 'any' }),
  'a part repeated': (s, r) => {
    const i = at(r, s)
    const part = s.text.slice(i, i + 1 + r.below(60))
    return changed(s, s.text.slice(0, i) + part + s.text.slice(i), s.text)
  },
  'lower case': (s) => changed(s, s.text.slice(0, CODE) + s.text.slice(CODE).toLowerCase(), s.text),
  'wrapped by mail': (s) => (s.kind === 'file' ? null : { text: s.text.replace(/.{76}/g, '$&\r\n'), may: 'same' }),
  'punctuation behind it': (s, r) =>
    s.kind === 'file' ? null : { text: s.text + r.of(['.', ').', '",', '>', ' ', '\n', '!!']), may: 'same' },
  'dots behind it': (s, r) =>
    s.kind === 'file' ? null : { text: s.text.slice(0, at(r, s)) + r.of(['...', '…']), may: 'refused' },
  'a future version': (s, r) =>
    s.kind === 'file'
      ? { text: s.text.replace('"v": 1', `"v": ${2 + r.below(1e6)}`), may: 'refused' }
      : { text: `#v${3 + r.below(1e6)}${s.text.slice(3)}`, may: 'refused' },
  'another version': (s, r) =>
    s.kind === 'file'
      ? null
      : { text: `#v${r.of(['0', '1', '2', '00', '-1', '1e9', '1.5', ''])}.${s.text.slice(CODE)}`, may: 'any' },
  'code with a right checksum': (s, r) => (s.kind === 'v2' ? { text: sealed(s.text, r, false), may: 'any' } : null),
  'noise with a right checksum': (s, r) => (s.kind === 'v2' ? { text: sealed(s.text, r, true), may: 'any' } : null),
  'a field of another type': (s, r) => ({ text: retyped(s, r), may: 'any' }),
}
const NAMES = Object.keys(DAMAGES)

/** A link whose code was changed on purpose, with a valid length and checksum. */
function sealed(link: string, random: Random, noise: boolean): string {
  const bytes = fromBase64url(link.slice(CODE)) as Uint8Array
  let skip = 3
  while (bytes[skip]! >= 128) skip++
  const code = [...bytes.slice(skip + 1)]
  if (noise) {
    const length = 1 + random.below(300)
    code.splice(0, Infinity, random.of([0, 0, 0, 1, 255]), ...Array.from({ length }, () => random.below(256)))
  } else
    for (let n = 1 + random.below(3); n > 0; n--)
      code.splice(random.below(code.length), random.below(2), random.below(256))
  const content: number[] = []
  let n = code.length
  for (; n > 127; n = n >> 7) content.push((n & 127) | 128)
  content.push(n, ...code)
  const body = new Uint8Array(content)
  return `#v2.${toBase64url(new Uint8Array([...sha256Bytes(body).slice(0, 3), ...body]))}`
}

const VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  '',
  'x'.repeat(3000),
  [],
  {},
  [null],
  true,
  { text: 1 },
  '../../x',
  '__proto__',
]

/** The snapshot as a file, or as an old link, with one field replaced, deleted or added. */
function retyped({ kind, snapshot }: Sample, random: Random): string {
  const copy = structuredClone(snapshot) as unknown
  let target = copy as Record<string, unknown>
  for (let depth = random.below(4); depth > 0; depth--) {
    const inner = Object.values(target).filter((v) => typeof v === 'object' && v !== null)
    if (inner.length > 0) target = random.of(inner) as Record<string, unknown>
  }
  const keys = [...Object.keys(target), 'more']
  const key = random.of(keys)
  if (random.below(5) === 0) delete target[key]
  else target[key] = random.of(VALUES)
  const json = JSON.stringify(copy)
  return kind === 'file' ? json : `#v1.${toBase64url(new Uint8Array(deflateRawSync(json)))}`
}

/** Opens damaged links. @param seeds each gives `count` inputs */
export async function fuzzLinks(seeds: readonly number[], count: number): Promise<LinkFigures> {
  const all = await samples()
  const figures: LinkFigures = { inputs: 0, opened: 0, slowestMs: 0, findings: [] }
  for (const seed of seeds)
    for (let index = 0; index < count; index++) {
      const random = new Random(seed * 1_000_003 + index)
      const sample = random.of(all)
      const name = random.of(NAMES)
      const change = DAMAGES[name]!(sample, random)
      if (change === null) continue
      figures.inputs++
      const found = (kind: LinkFinding['kind'], detail: string): void =>
        void figures.findings.push({ input: `${seed}:${index}`, change: `${name} of a ${sample.kind}`, kind, detail })
      const started = performance.now()
      try {
        const opened = await openChanged(change, sample)
        if (opened === 'opened') figures.opened++
        else if (opened !== 'refused') found(opened.kind, opened.detail)
      } catch (e) {
        found('threw', e instanceof Error ? (e.stack ?? e.message).split('\n').slice(0, 4).join(' | ') : String(e))
      }
      const ms = performance.now() - started
      figures.slowestMs = Math.max(figures.slowestMs, ms)
      if (ms > TIME_LIMIT) found('slow', `${Math.round(ms)} ms`)
    }
  return figures
}

async function openChanged(
  { text, may }: Change,
  { kind, snapshot }: Sample,
): Promise<'opened' | 'refused' | Pick<LinkFinding, 'kind' | 'detail'>> {
  const opened = await decodeSnapshot(text, kind === 'file' ? 'x.fusescope.json' : 'link', loadBase)
  if (!opened.ok) {
    const message = formatProblem(opened.error)
    if (message.length > 2000 || message.includes('\n'))
      return { kind: 'refused', detail: `a message of ${message.length} characters` }
    return may === 'same' ? { kind: 'refused', detail: message } : 'refused'
  }
  if (!snapshotSchema.safeParse(opened.value).success)
    return { kind: 'opened as another', detail: 'against the schema' }
  if (may !== 'any' && !isDeepStrictEqual(opened.value, snapshot))
    return { kind: 'opened as another', detail: text.length < 200 ? text : `${text.length} characters` }
  return 'opened'
}
