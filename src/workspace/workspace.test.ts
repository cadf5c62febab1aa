import { describe, expect, it } from 'vitest'
import { fromBase64url, toBase64url } from './base64url'
import { deflate } from '../compact'
import { readSnapshotFile, snapshotFileName, writeSnapshotFile, type Snapshot } from './index'
import { decodeSnapshot, encodeSnapshot } from './link'
import { upgrade } from './versions'

const snapshot: Snapshot = {
  v: 1,
  workspace: {
    name: 'SiLU + quant <é 漢 🙂>',
    graph: { name: 'graph.txt', text: 'graph():\n    %x : [num_users=0] = placeholder[target=x]\n    return x\n' },
    shapes: { name: 'readable.py', text: 'class GraphModule(torch.nn.Module):\n' },
    graphs: [
      { name: 'second.txt', text: 'graph():\n' },
      { name: 'third.txt', text: '', shapes: { name: 's', text: 's' } },
    ],
    graphAt: 1,
    files: [
      { name: 'quant_key.py', text: 'KEY = "\u2028\u0000\ud83d\ude42"\n'.repeat(200) },
      { name: 'pass.py', text: '' },
    ],
    passes: ['patterns'],
    options: { timeLimitS: 10 },
  },
  view: {
    selection: { kind: 'match', pass: 'patterns', index: 4 },
    mode: 'split',
    panel: 'matches',
    openFile: 'pass.py',
  },
  summary: {
    nodesBefore: 3,
    nodesAfter: null,
    passes: [{ name: 'patterns', count: 1, entries: 18, fired: [{ entry: 2, title: 'P', count: 1 }] }],
    notes: ['a < b'],
  },
}

async function linkOf(value: unknown): Promise<string> {
  return `#v1.${toBase64url(await deflate(new TextEncoder().encode(JSON.stringify(value))))}`
}

async function messageOf(text: string): Promise<string> {
  const decoded = await decodeSnapshot(text)
  if (decoded.ok) throw new Error('expected a problem')
  return decoded.error.message
}

describe('links', () => {
  it('round-trip a snapshot', async () => {
    const link = await encodeSnapshot(snapshot)
    expect(link).toMatch(/^#v2\.[A-Za-z0-9_-]+$/)
    expect(await decodeSnapshot(link)).toEqual({ ok: true, value: snapshot })
    expect(await decodeSnapshot(`https://example.org/a/b/?x=1${link}`)).toEqual({ ok: true, value: snapshot })
  })

  it('tolerate line breaks and punctuation added by mail and chat', async () => {
    const link = await encodeSnapshot(snapshot)
    expect((await decodeSnapshot(`${link}).`)).ok).toBe(true)
    expect((await decodeSnapshot(link.replace(/.{76}/g, '$&\r\n '))).ok).toBe(true)
  })

  it('open despite an unknown selection or panel', async () => {
    const view = { selection: { kind: 'galaxy' }, mode: 'sideways', panel: 'nowhere', openFile: '' }
    const decoded = await decodeSnapshot(await linkOf({ ...snapshot, view, later: 1 }))
    expect(decoded.ok && decoded.value.view).toEqual({
      selection: null,
      mode: 'before',
      panel: 'matches',
      openFile: '',
    })
    expect(decoded.ok && decoded.value.workspace).toEqual(snapshot.workspace)
  })

  it('have a minute for a run, whatever they ask for', async () => {
    const workspace = { ...snapshot.workspace, options: { timeLimitS: 3600 } }
    const decoded = await decodeSnapshot(await linkOf({ ...snapshot, workspace }))
    expect(decoded.ok && decoded.value.workspace.options).toEqual({ timeLimitS: 60 })
  })

  it('that are truncated are reported, at any position', async () => {
    const link = await encodeSnapshot(snapshot)
    for (let length = 4; length < link.length; length += 7)
      expect(await messageOf(link.slice(0, length)), String(length)).toMatch(/cut off after \d+ characters/)
    expect(await messageOf(`${link.slice(0, 60)}…`)).toMatch(/cut off/)
    expect(await messageOf(`${link.slice(0, 60)}...`)).toMatch(/cut off/)
  })

  it('that are corrupted are rejected with a message', async () => {
    const link = await encodeSnapshot(snapshot)
    for (let at = 4; at < link.length; at++) {
      const changed = link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A') + link.slice(at + 1)
      expect(await messageOf(changed), `character ${at}`).toMatch(/damaged|cut off|newer/)
    }
    expect(await messageOf(`${link.slice(0, 40)}%${link.slice(41)}`)).toMatch(/"%" at character 40 /)
  })

  it('of a newer Fusescope are reported', async () => {
    expect(await messageOf('#v3.abc')).toMatch(/newer Fusescope \(version 3/)
    expect(await messageOf(await linkOf({ ...snapshot, v: 7 }))).toMatch(/newer Fusescope \(version 7/)
  })

  it('that are not links are rejected with the expected form', async () => {
    for (const text of ['', 'hello', '#section', '#v.', 'v1', '\u0000\u0001'])
      expect(await messageOf(text)).toMatch(/is not a Fusescope link/)
  })

  it('that unpack to more than the limit are rejected', async () => {
    const zeros = new Uint8Array(80 * 1024 * 1024)
    const bomb = `#v1.${toBase64url(await deflate(zeros))}`
    expect(bomb.length).toBeLessThan(200_000)
    expect(await messageOf(bomb)).toMatch(/more than 64 MiB/)
  })

  it('with JSON of another structure are rejected with the path', async () => {
    const { workspace } = snapshot
    const bad = async (value: unknown) => messageOf(await linkOf(value))
    expect(await bad({ ...snapshot, workspace: { ...workspace, files: [{ name: 'a.py', text: 3 }] } })).toMatch(
      /workspace\.files\[0\]\.text/,
    )
    expect(await bad({ ...snapshot, workspace: { ...workspace, options: { timeLimitS: 1e9 } } })).toMatch(/timeLimitS/)
    const twice = { name: 'a.py', text: '' }
    expect(await bad({ ...snapshot, workspace: { ...workspace, files: [twice, twice] } })).toMatch(
      /two files of one name/,
    )
    expect(await bad({ ...snapshot, workspace: { ...workspace, files: [{ name: '../a', text: '' }] } })).toMatch(
      /plain file name/,
    )
    expect(await bad([1])).toMatch(/no version/)
    expect(await bad(null)).toMatch(/no version/)
  })

  it('with a hundred thousand brackets are rejected', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const link = `#v1.${toBase64url(await deflate(new TextEncoder().encode(`{"v":1,"workspace":${deep}}`)))}`
    expect(await messageOf(link)).toMatch(/damaged/)
  })

  it('cannot set a prototype', async () => {
    const text = JSON.stringify(snapshot).replace('{"v":1', '{"__proto__":{"polluted":1},"v":1')
    const decoded = await decodeSnapshot(`#v1.${toBase64url(await deflate(new TextEncoder().encode(text)))}`)
    expect(decoded.ok).toBe(true)
    expect((decoded as unknown as { value: { polluted?: number } }).value.polluted).toBeUndefined()
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('base64url', () => {
  it('equals the output of Node, for every length and byte', () => {
    for (let n = 0; n < 600; n++) {
      const bytes = new Uint8Array(n).map((_, i) => (i * 31 + n) & 255)
      const text = toBase64url(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64url'))
      expect(fromBase64url(text)).toEqual(bytes)
    }
    const long = new Uint8Array(100_001).fill(77)
    expect(toBase64url(long)).toBe(Buffer.from(long).toString('base64url'))
  })
})

describe('files', () => {
  it('carry a snapshot there and back, and are known by their start', async () => {
    const text = writeSnapshotFile(snapshot)
    expect(text).toMatch(/^\s*\{\s*"v"\s*:\s*\d+\s*,\s*"workspace"/)
    expect(readSnapshotFile(text, 'a.fusescope.json')).toEqual({ ok: true, value: snapshot })
    expect(await decodeSnapshot(`\uFEFF${text}`, 'a.fusescope.json')).toEqual({ ok: true, value: snapshot })
    expect(snapshotFileName(snapshot)).toBe('SiLU-quant-é-漢.fusescope.json')
  })

  it('that are not snapshots are reported', () => {
    const read = readSnapshotFile('{"v": 1,', 'mine.json')
    expect(!read.ok && read.error).toMatchObject({ file: 'mine.json', line: 1, column: 1 })
    expect(!read.ok && read.error.message).toMatch(/^mine\.json is not valid JSON/)
  })
})

describe('versions', () => {
  it('are upgraded one version at a time', () => {
    const steps = {
      1: (s: unknown) => ({ ...(s as object), v: 2, seen: ['1'] }),
      2: (s: unknown) => ({ ...(s as object), v: 1, seen: [...(s as { seen: string[] }).seen, '2'] }),
    }
    // Two imaginary upgrades that end in the current version.
    expect(upgrade(snapshot, 'link', steps, 3)).toEqual({ ok: true, value: snapshot })
  })

  it('that an upgrader cannot read are reported as damaged, without an exception', () => {
    const steps = {
      1: () => {
        throw new TypeError('no')
      },
    }
    const upgraded = upgrade({ v: 1 }, 'link', steps, 2)
    expect(!upgraded.ok && upgraded.error.message).toMatch(/damaged/)
  })
})
