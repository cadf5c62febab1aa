/** What of Python arrives in the worker after its start: the standard library, which most runs do not read. */
import { LateLibrary } from '../../python/start/late_library'
import type { WireRequest } from './wire'
import { unpacked } from './worker_files'

export class LatePython {
  readonly library = new LateLibrary()

  /**
   * @param waits called when a request begins to wait
   * @param runs called when its code runs
   */
  constructor(
    private readonly waits: (id: number) => void,
    private readonly runs: (id: number) => void,
  ) {}

  take(stdlib: Extract<WireRequest, { kind: 'stdlib' }>['stdlib']): void {
    try {
      if (typeof stdlib === 'string') throw new Error(stdlib)
      this.library.receive(unpacked(stdlib.bytes, stdlib.packed))
    } catch (error) {
      this.library.receive(error as Error)
    }
  }

  /** Waits until Python is whole. At once where it has not started: it does not run, or starts with all. */
  async whole(id: number): Promise<void> {
    if (!this.library.needed || this.library.bytes) return
    this.waits(id)
    await this.library.arrived
  }

  /** Runs code, and again where it has imported what had not arrived. */
  async run<T>(id: number, act: () => T): Promise<T> {
    const { library } = this
    library.missed = false
    this.runs(id)
    try {
      const first = act()
      if (!library.missed) return first
    } catch (error) {
      if (!library.missed) throw error
    }
    await this.whole(id)
    this.runs(id)
    return act()
  }
}
