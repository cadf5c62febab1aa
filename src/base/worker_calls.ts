/** Pending requests to a worker, by id. */

interface Waiting<Reply> {
  resolve(reply: Reply): void
  reject(error: unknown): void
}

export class WorkerCalls<Reply extends { readonly id: number }> {
  private nextId = 1
  private readonly waiting = new Map<number, Waiting<Reply>>()

  /** An unused request id. */
  newId(): number {
    return this.nextId++
  }

  /** Waits for the reply to a request. `send` posts the request after it is registered. */
  call(id: number, send: () => void): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      try {
        send()
      } catch (e) {
        this.waiting.delete(id)
        reject(e)
      }
    })
  }

  isWaiting(id: number): boolean {
    return this.waiting.has(id)
  }

  /** Resolves a request with its reply. @returns false if no such request is pending */
  settle(reply: Reply): boolean {
    return this.take(reply.id, (call) => call.resolve(reply))
  }

  /** Rejects one request. @returns false if it is no longer pending */
  fail(id: number, error: Error): boolean {
    return this.take(id, (call) => call.reject(error))
  }

  /** Rejects all pending requests after the worker has ended. */
  failAll(error: Error): void {
    for (const id of [...this.waiting.keys()]) this.fail(id, error)
  }

  private take(id: number, end: (call: Waiting<Reply>) => void): boolean {
    const call = this.waiting.get(id)
    if (!call) return false
    this.waiting.delete(id)
    end(call)
    return true
  }
}
