/**
 * The zip of the standard library, which Python reads when it imports a module that its memory snapshot lacks; a start from the
 * snapshot needs none of it. Opening the file before it has arrived gives an error, and `missed` tells that the work must be
 * repeated.
 */
export class LateLibrary {
  /** Python has started without it. */
  needed = false
  /** Python opened the file before it arrived: its work since then is invalid. */
  missed = false
  /** Rejects if it could not be loaded. */
  readonly arrived: Promise<void>
  private take!: (bytes: Uint8Array) => void
  private refuse!: (error: Error) => void
  bytes: Uint8Array | null = null
  private file: ((bytes: Uint8Array) => void) | null = null

  constructor() {
    this.arrived = new Promise((resolve, reject) => {
      this.refuse = reject
      this.take = (bytes) => {
        this.bytes = bytes
        this.file?.(bytes)
        resolve()
      }
    })
    // Only callers that await `arrived` see the failure; this handler prevents an unhandled rejection.
    this.arrived.catch(() => {})
  }

  /** @param library its bytes or the reason why they could not be loaded. Must not be called while Python runs. */
  receive(library: Uint8Array | Error): void {
    if (library instanceof Error) this.refuse(library)
    else this.take(library)
  }

  /** @param fill gives Python's file its content; called at once or on arrival */
  putInto(fill: (bytes: Uint8Array) => void): void {
    this.needed = true
    this.file = fill
    if (this.bytes) fill(this.bytes)
  }
}
