/** 5,000 damaged links and snapshot files, and links that unpack to too much. */
import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { sha256Bytes } from '../../src/base/sha256'
import { toBase64url } from '../../src/workspace/base64url'
import { decodeSnapshot } from '../../src/workspace/link'
import { fuzzLinks, LINKS } from './links'

it('a damaged link opens as itself or is refused with one sentence', async () => {
  const { findings, inputs, opened } = await fuzzLinks(LINKS.seeds, LINKS.each)
  expect(findings.slice(0, 20)).toEqual([])
  expect(inputs).toBeGreaterThan(4_000)
  expect(opened).toBeGreaterThan(100)
})

/** A link that holds a code under its right checksum. */
function linkOf(code: Uint8Array): string {
  const length = code.length + 1
  const content = new Uint8Array([(length & 127) | 128, length >> 7, 0, ...code])
  return `#v2.${toBase64url(new Uint8Array([...sha256Bytes(content).slice(0, 3), ...content]))}`
}

it.each([
  ['33 MB', () => `#v2.${'A'.repeat(33 * 1024 * 1024)}`, /at most 33554432 can be read/],
  [
    'a bomb of deflate',
    () => `#v1.${toBase64url(new Uint8Array(deflateRawSync(Buffer.alloc(80 * 1024 * 1024))))}`,
    /unpacks to more than 64 MiB/,
  ],
  ['a checksum over nothing', () => linkOf(new Uint8Array(0)), /damaged|not a Fusescope snapshot/],
])('%s is refused', async (_, link, message) => {
  const opened = await decodeSnapshot(link())
  expect(opened.ok ? 'opened' : opened.error.message).toMatch(message)
})
