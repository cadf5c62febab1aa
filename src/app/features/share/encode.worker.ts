/// <reference lib="webworker" />
/** Encodes links: a graph of 3,000 nodes takes half a second, in which the page must stay responsive. */
import { messageOf } from '../../../base/error_message'
import { encodeOnBase } from './example_link'
import type { EncodeReply, EncodeRequest } from './encoder'

declare const self: DedicatedWorkerGlobalScope

self.onmessage = ({ data: { id, snapshot, base } }: MessageEvent<EncodeRequest>) => {
  const post = (reply: EncodeReply): void => self.postMessage(reply)
  encodeOnBase(snapshot, base).then(
    (link) => post({ id, link }),
    (error: unknown) => post({ id, problem: messageOf(error) }),
  )
}
