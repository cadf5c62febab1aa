/** deflate-raw through the platform's streams, in browsers and in Node 20; inflating stops at a limit. */

/** Bytes written at a time: a bomb of deflate's highest ratio (1032) unpacks to 4 MiB a slice before it is stopped. */
const SLICE = 4096

/** Maximum unpacked size in bytes: twenty times the largest graph seen. */
export const INFLATED_LIMIT = 64 * 1024 * 1024

export type Inflated = { ok: true; bytes: Uint8Array } | { ok: false; why: 'damaged' | 'cut' | 'too big' }

/** @param bytes any length */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/**
 * Unpacks deflate-raw. Stops at `limit` bytes, so that a small link cannot fill the memory.
 */
export async function inflate(bytes: Uint8Array<ArrayBuffer>, limit: number): Promise<Inflated> {
  const stream = new DecompressionStream('deflate-raw')
  const reader = stream.readable.getReader()
  const writer = stream.writable.getWriter()
  let written = false
  const writing = (async () => {
    for (let at = 0; at < bytes.length; at += SLICE) await writer.write(bytes.slice(at, at + SLICE))
    written = true
    await writer.close()
  })()
  // The reader reports the same failure.
  writing.catch(() => undefined)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size > limit) {
        await Promise.allSettled([reader.cancel(), writer.abort()])
        return { ok: false, why: 'too big' }
      }
      chunks.push(value)
    }
  } catch {
    // All bytes were accepted without an end of stream: the data is truncated. Any other failure means that it is not a
    // deflate stream.
    return { ok: false, why: written ? 'cut' : 'damaged' }
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return { ok: true, bytes: whole }
}
