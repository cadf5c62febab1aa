/** Loads a file from another host through public/load.html, because the page's own policy forbids such connections. */
import { messageOf } from '../../../base/error_message'
import type { RemoteFile } from './raw_address'

/** Maximum size of a loaded file, in bytes. */
export const MAX_REMOTE = 64 * 1024 * 1024
/** Time without data after which a host counts as not answering, in ms. */
const SILENCE_MS = 20_000
/** Maximum time for a file to arrive, in ms. */
const LONGEST_MS = 300_000
/** Maximum time for the loader to start, in ms. */
const START_MS = 10_000

type Answer =
  | { kind: 'bytes'; bytes: ArrayBuffer }
  | { kind: 'status'; status: number }
  | { kind: 'large' }
  | { kind: 'slow' }
  | { kind: 'long' }
  | { kind: 'refused' }

/** @throws Error, one plain sentence, if the host does not deliver the file */
export async function loadRemote(file: RemoteFile): Promise<File> {
  const answer = file.own ? await fromOwnHost(file.url) : await throughFrame(file.url)
  if (answer.kind === 'bytes') return new File([answer.bytes], file.name)
  throw new Error(sentence(answer, file.host))
}

/** What a refusal means, and what the user can do. */
export function sentence(answer: Exclude<Answer, { kind: 'bytes' }>, host: string): string {
  switch (answer.kind) {
    case 'status':
      if (answer.status === 404) return `${host} has no such file (404).`
      if (answer.status === 401 || answer.status === 403)
        return `${host} asks for a login (${answer.status}): download the file and drop it here.`
      return `${host} answered ${answer.status}: try again later, or download the file and drop it here.`
    case 'large':
      return `The file has more than ${MAX_REMOTE / 1048576} MiB.`
    case 'slow':
      return `${host} sent nothing for ${SILENCE_MS / 1000} s: try again, or download the file and drop it here.`
    case 'long':
      return `${host} did not send the whole file within ${LONGEST_MS / 60_000} min: download the file and drop it here.`
    case 'refused':
      return `${host} cannot be reached, or does not let other sites read its files (CORS): download the file and drop it here.`
  }
}

async function fromOwnHost(url: string): Promise<Answer> {
  try {
    const response = await fetch(url)
    if (!response.ok) return { kind: 'status', status: response.status }
    const bytes = await response.arrayBuffer()
    return bytes.byteLength > MAX_REMOTE ? { kind: 'large' } : { kind: 'bytes', bytes }
  } catch {
    return { kind: 'refused' }
  }
}

async function throughFrame(url: string): Promise<Answer> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = 'Loader'
  // Without allow-same-origin the frame has no origin: it reaches neither this page nor the site's storage.
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = new URL('load.html', document.baseURI).href
  const channel = new MessageChannel()
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The loader did not start.')), START_MS)
      channel.port1.onmessage = ({ data }: MessageEvent<Answer | { kind: 'started' }>) => {
        clearTimeout(late)
        if (data.kind !== 'started') resolve(data)
      }
      frame.addEventListener('load', () => {
        // The frame has no origin that could be named here; the message contains only the address.
        frame.contentWindow?.postMessage({ url, limit: MAX_REMOTE, silence: SILENCE_MS, longest: LONGEST_MS }, '*', [
          channel.port2,
        ])
      })
      document.documentElement.append(frame)
    })
  } catch (e) {
    throw new Error(messageOf(e))
  } finally {
    frame.remove()
    channel.port1.close()
  }
}
