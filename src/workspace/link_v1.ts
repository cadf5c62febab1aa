/** Links of the first kind: the snapshot's JSON in deflate-raw. They open for ever; none are written any more. */
import { inflate, INFLATED_LIMIT } from '../compact'
import { err, type Result } from '../base/result'
import { problem, subject } from './versions'

/** @returns the snapshot as untrusted JSON */
export async function decodeV1(
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
