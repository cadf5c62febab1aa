/** Counts the bytes of Python's files while they load, for slow lines. */

/** Number of bytes received from the host. `total`: the size of the files whose download has begun. */
export type HearLoading = (received: number, total: number) => void

/** Loads faster than this are not shown, in ms. */
const SLOW_MS = 1000

export class LoadingBytes {
  private received = 0
  private total = 0
  private readonly begun = performance.now()

  constructor(private readonly hear: HearLoading) {}

  /** Counts a file's bytes as they arrive. Skips compressed files, whose size on the wire differs, and files of unknown size. */
  counted(response: Response): Response {
    const size = this.begin(response)
    if (size === 0 || !response.body || response.headers.has('content-encoding')) {
      this.total -= size
      return response
    }
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, to) => {
        this.add(chunk.byteLength)
        to.enqueue(chunk)
      },
    })
    return new Response(response.body.pipeThrough(count), { headers: response.headers })
  }

  /** Counts a file at its end: browsers keep compiled code of their own responses only. @returns its size; 0 if the host does not say */
  begin(response: Response): number {
    const size = Number(response.headers.get('content-length') ?? 0)
    this.total += size
    return size
  }

  add(bytes: number): void {
    this.received += bytes
    if (performance.now() - this.begun > SLOW_MS) this.hear(this.received, this.total)
  }
}
