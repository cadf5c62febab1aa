/** Snapshots as links: `#v1.<deflate-raw, base64url, unpadded>`. */
import { err, type Result } from '../base/result'
import { fromBase64url, toBase64url } from './base64url'
import { deflate, inflate } from './deflate'
import { readSnapshotFile } from './file'
import type { Snapshot } from './types'
import { CURRENT_VERSION, newer, problem, subject, upgrade } from './versions'

/** Maximum unpacked size in bytes: twenty times the largest graph seen. */
export const INFLATED_LIMIT = 64 * 1024 * 1024
/** Browsers accept at most 2 MiB; a file may also contain a link's text. */
export const ENCODED_LIMIT = 32 * 1024 * 1024

/** @returns the fragment, `#v1.…` */
export async function encodeSnapshot(snapshot: Snapshot): Promise<string> {
  const packed = await deflate(new TextEncoder().encode(JSON.stringify(snapshot)))
  return `#v${CURRENT_VERSION}.${toBase64url(packed)}`
}

/**
 * Reads a fragment, a whole address with one, or the JSON of a snapshot file.
 * @param what its name in a Problem: `link`, or a file's name
 */
export async function decodeSnapshot(text: string, what = 'link'): Promise<Result<Snapshot>> {
  if (/^\uFEFF?\s*\{/.test(text.slice(0, 1000))) return readSnapshotFile(text, what)
  const bad = (message: string, expected?: string) => err(problem(what, `${subject(what)} ${message}`, expected))
  if (text.length > ENCODED_LIMIT) return bad(`has ${text.length} characters; at most ${ENCODED_LIMIT} can be read.`)
  // Mail wraps lines; chat programs append punctuation, or dots where they truncate. None of these characters are in
  // the alphabet.
  const hash = text.indexOf('#v')
  const fragment = (hash >= 0 ? text.slice(hash + 1) : text.trim()).replace(/\s+/g, '')
  const head = /^v(\d{1,9})\./.exec(fragment)
  if (!head) return bad('is not a Fusescope link: it has no #v1.… at its end.', '#v1.…')
  const version = Number(head[1])
  if (version > CURRENT_VERSION) return err(newer(what, version))
  const rest = fragment.slice(head[0].length)
  const body = rest.replace(/[.,;:!?…'")\]}>]+$/, '')
  const cut = `is cut off after ${fragment.length} characters. Chat programs cut long links: ask for it as a file.`
  if (/(\.\.\.|…)/.test(rest.slice(body.length)) || body === '') return bad(cut)
  const bytes = fromBase64url(body)
  if (bytes === 'length') return bad(cut)
  if (typeof bytes === 'number')
    return bad(
      `is damaged: ${JSON.stringify(body[bytes])} at character ${head[0].length + bytes + 1} does not belong in a link.`,
    )
  const inflated = await inflate(bytes, INFLATED_LIMIT)
  if (!inflated.ok)
    switch (inflated.why) {
      case 'cut':
        return bad(cut)
      case 'too big':
        return bad(`unpacks to more than ${INFLATED_LIMIT / 1048576} MiB; that is not a workspace.`)
      case 'damaged':
        return bad('is damaged: some of its characters were changed on the way. Ask for it again, or as a file.')
    }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(inflated.bytes))
  } catch {
    return bad('is damaged: some of its characters were changed on the way. Ask for it again, or as a file.')
  }
  return upgrade(value, what)
}
