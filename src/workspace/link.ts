/** Snapshots as links: `#v2.<base64url, unpadded>`; `#v1.…` of earlier versions still opens. */
import { err, ok, type Result } from '../base/result'
import { hasSourceComments, type EncodeOptions, inflate, INFLATED_LIMIT } from '../compact'
import { fromBase64url, toBase64url } from './base64url'
import { readSnapshotFile } from './file'
import { documentOf } from './link_document'
import { baseHash, decodeV2, encodeV2, type Base, type BaseLoader } from './link_v2'
import type { Snapshot } from './types'
import { newer, problem, subject, upgrade } from './versions'

/** @returns the snapshot as untrusted JSON */
async function decodeV1(
  bytes: Uint8Array<ArrayBuffer>,
  what: string,
  sentences: { cut: string; damaged: string },
): Promise<Result<unknown>> {
  const bad = (message: string) => err(problem(what, `${subject(what)} ${message}`))
  const inflated = await inflate(bytes, INFLATED_LIMIT)
  if (!inflated.ok)
    switch (inflated.why) {
      case 'cut':
        return bad(sentences.cut)
      case 'too big':
        return bad(`unpacks to more than ${INFLATED_LIMIT / 1048576} MiB; that is not a workspace.`)
      case 'damaged':
        return bad(sentences.damaged)
    }
  try {
    return { ok: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(inflated.bytes)) as unknown }
  } catch {
    return bad(sentences.damaged)
  }
}

/** Kind of link that this Fusescope writes. */
export const LINK_VERSION = 2
/** Browsers accept at most 2 MiB; a file may also contain a link's text. */
export const ENCODED_LIMIT = 32 * 1024 * 1024

/**
 * @param base the example that the workspace began as, which shortens the link
 * @returns the fragment, `#v2.…`
 */
export async function encodeSnapshot(
  snapshot: Snapshot,
  base: Base | null = null,
  options: EncodeOptions = {},
): Promise<string> {
  return `#v${LINK_VERSION}.${toBase64url(await encodeV2(snapshot, base, options))}`
}

/** Length above which a link leaves out source comments; a chat program takes about 2,000 characters. */
export const COMMENTS_LIMIT = 3000

export interface FittedLink {
  fragment: string
  /** False: source comments of print_readable were left out, to keep the link below COMMENTS_LIMIT. */
  comments: boolean
}

/** Encodes a snapshot, without source comments if that brings the link below COMMENTS_LIMIT. */
export async function encodeFitting(snapshot: Snapshot, base: Base | null = null): Promise<FittedLink> {
  const fragment = await encodeSnapshot(snapshot, base)
  if (fragment.length <= COMMENTS_LIMIT || !documentOf(snapshot).texts.some(hasSourceComments))
    return { fragment, comments: true }
  const shorter = await encodeSnapshot(snapshot, base, { comments: false })
  return shorter.length <= COMMENTS_LIMIT ? { fragment: shorter, comments: false } : { fragment, comments: true }
}

/** Reads the text of a base, which is a complete link. @returns null if it is not the text with this hash */
export async function readBase(text: string, hash: string): Promise<Base | null> {
  const link = text.trim()
  if (baseHash(link) !== hash) return null
  const packed = unwrap(link, 'link')
  const decoded = packed.ok ? await decodeV2(packed.value.bytes, NO_BASES) : null
  return decoded?.ok ? { hash, snapshot: decoded.value as object } : null
}

/** Without bases, only links that do not build on one open. */
const NO_BASES: BaseLoader = async () => null

/**
 * Reads a fragment, a whole address with one, or the JSON of a snapshot file.
 * @param what its name in a Problem: `link`, or a file's name
 */
export async function decodeSnapshot(
  text: string,
  what = 'link',
  loadBase: BaseLoader = NO_BASES,
): Promise<Result<Snapshot>> {
  const decoded = await decodeWithBase(text, what, loadBase)
  return decoded.ok ? ok(decoded.value.snapshot) : decoded
}

/** Also returns the base that the link builds on. */
export async function decodeWithBase(
  text: string,
  what: string,
  loadBase: BaseLoader,
): Promise<Result<{ snapshot: Snapshot; base: Base | null }>> {
  const alone = (read: Result<Snapshot>) => (read.ok ? ok({ snapshot: read.value, base: null }) : read)
  if (/^\uFEFF?\s*\{/.test(text.slice(0, 1000))) return alone(readSnapshotFile(text, what))
  const packed = unwrap(text, what)
  if (!packed.ok) return packed
  const { bytes, version, sentences } = packed.value
  if (version === 1) {
    const value = await decodeV1(bytes, what, sentences)
    return value.ok ? alone(upgrade(value.value, what)) : value
  }
  const decoded = await decodeV2(bytes, loadBase)
  if (decoded.ok) {
    const snapshot = upgrade(decoded.value, what)
    return snapshot.ok ? ok({ snapshot: snapshot.value, base: decoded.base }) : snapshot
  }
  switch (decoded.why) {
    case 'newer':
      return err(newer(what, version + 1, LINK_VERSION))
    case 'no base':
      return err(problem(what, `${subject(what)} ${NO_BASE}`))
    default:
      return err(problem(what, `${subject(what)} ${sentences[decoded.why]}`))
  }
}

const NO_BASE =
  'builds on an example that this Fusescope does not have. Open it where it was made, or ask for it as a file.'

interface Packed {
  version: number
  bytes: Uint8Array<ArrayBuffer>
  /** Ends of sentences about this link. */
  sentences: { cut: string; damaged: string }
}

function unwrap(text: string, what: string): Result<Packed> {
  const bad = (message: string, expected?: string) => err(problem(what, `${subject(what)} ${message}`, expected))
  if (text.length > ENCODED_LIMIT) return bad(`has ${text.length} characters; at most ${ENCODED_LIMIT} can be read.`)
  // Mail wraps lines; chat programs append punctuation, or dots where they truncate. None of these characters are in
  // the alphabet.
  const hash = text.indexOf('#v')
  const fragment = (hash >= 0 ? text.slice(hash + 1) : text.trim()).replace(/\s+/g, '')
  const head = /^v(\d{1,9})\./.exec(fragment)
  if (!head) return bad('is not a Fusescope link: it has no #v2.… at its end.', '#v2.…')
  const version = Number(head[1])
  if (version > LINK_VERSION || version < 1) return err(newer(what, version, LINK_VERSION))
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
  return ok({ version, bytes, sentences: { cut, damaged: DAMAGED } })
}

const DAMAGED = 'is damaged: some of its characters were changed on the way. Ask for it again, or as a file.'
