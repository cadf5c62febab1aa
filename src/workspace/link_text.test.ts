/** Links as text: read by the words of docs/links.md, and by a Markdown parser. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { decodeSnapshot, encodeSnapshot, readBase } from './link'
import type { Snapshot } from './types'

const snapshot = (name: string, text = 'x = 1\n'): Snapshot => ({
  v: 1,
  workspace: {
    name,
    graph: { name: 'graph.txt', text: 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)' },
    files: [{ name: 'patterns.py', text }],
    options: { timeLimitS: 10 },
  },
  view: { selection: null, mode: 'before', panel: 'matches', openFile: 'patterns.py' },
  summary: null,
})

const base = async () => {
  const hashes = JSON.parse(readFileSync('public/bases/index.json', 'utf8')) as Record<string, string>
  const [hash] = Object.values(hashes)
  return (await readBase(readFileSync(`public/bases/${hash}.txt`, 'utf8'), hash!))!
}

/** The parts of a link, by the table “Bytes” of docs/links.md. */
function parts(link: string) {
  const bytes = Buffer.from(link.replace('#v2.', ''), 'base64url')
  const rest = bytes.subarray(3)
  let [length, size] = [0, 0]
  do length += (rest[size]! & 127) * 128 ** size
  while (rest[size++]! & 128)
  const flags = rest[size]!
  const hash = flags & 1 ? rest.subarray(size + 1, size + 7).toString('hex') : null
  const sum = createHash('sha256').update(rest).digest().subarray(0, 3)
  return { whole: rest.length === size + length, valid: sum.equals(bytes.subarray(0, 3)), flags, hash }
}

describe('a link, read by the words of its specification', () => {
  it('has a checksum, a length, flags and the hash of its base', async () => {
    expect(parts(await encodeSnapshot(snapshot('a')))).toEqual({ whole: true, valid: true, flags: 0, hash: null })
    const b = await base()
    expect(parts(await encodeSnapshot({ ...(b.snapshot as Snapshot) }, b))).toEqual({
      ...{ whole: true, valid: true, flags: 1, hash: b.hash },
    })
  })

  it('of the first kind is what a script writes with deflate alone', async () => {
    const link = `#v1.${deflateRawSync(JSON.stringify(snapshot('by a script'))).toString('base64url')}`
    expect(await decodeSnapshot(link)).toEqual({ ok: true, value: snapshot('by a script') })
  })
})

/** Addresses of links that a Markdown parser finds. */
const addresses = (text: string): string[] =>
  [...(marked.parse(text) as string).matchAll(/href="([^"]*)"/g)].map((m) => m[1]!)

describe('a link in Markdown', () => {
  it('of every kind is whole: bare at the end of a sentence, in brackets, in a list, and as a named link', async () => {
    const b = await base()
    const kinds: string[] = [
      `#v1.${deflateRawSync(JSON.stringify(snapshot('one')))
        .toString('base64url')
        .replace(/[-_]+$/, '')}`,
    ]
    // Enough links that some would end in “-” or “_”.
    for (let i = 0; i < 60; i++) kinds.push(await encodeSnapshot(snapshot(`n${i}`, `y = ${i * 7919}\n`)))
    for (let i = 0; i < 20; i++)
      kinds.push(
        await encodeSnapshot(
          { ...(b.snapshot as Snapshot), view: { ...snapshot('').view, panel: 'whynot', topLine: i + 1 } },
          b,
        ),
      )
    for (const kind of kinds) {
      expect(kind).toMatch(/[A-Za-z0-9]$/)
      const url = `https://example.org/fusescope/${kind}`
      for (const text of [`See ${url}.`, `(${url})`, `- one\n- ${url}\n`, `> ${url}`, `[the miss](${url})`])
        expect(addresses(text)).toEqual([url])
    }
    const last = await decodeSnapshot(kinds[60]!)
    expect(last).toEqual({ ok: true, value: snapshot('n59', `y = ${59 * 7919}\n`) })
  })
})
