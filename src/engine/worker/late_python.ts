/** The parts of Python that arrive in the worker after its start: the standard library, which most runs do not read. */
import { LateLibrary } from '../../python/start/late_library'
import { fromLibrary } from '../../python/start/pack'
import { once } from '../../base/memoize'
import type { PythonAssets } from '../../python/types'
import type { WireRequest } from './wire'
import { unpacked } from './worker_files'

export class LatePython {
  readonly library = new LateLibrary()
  private texts: PythonAssets['lib'] | null = null

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
      const { zip, lib } = fromLibrary(unpacked(stdlib.bytes, stdlib.packed))
      this.texts = once(lib)
      this.library.receive(zip)
    } catch (error) {
      this.library.receive(error as Error)
    }
  }

  /** The texts of our Python files, once they have arrived with the standard library or `loadLib` has loaded them. */
  lib(): Readonly<Record<string, string>> {
    if (!this.texts) throw new Error('the Python library has not arrived')
    return this.texts()
  }

  /** Loads them if Python has started without a snapshot, or not yet. */
  async loadLib(): Promise<void> {
    if (this.texts) return
    const { pythonLib } = await import('../../python/lib_files.browser')
    this.texts ??= () => pythonLib
  }

  /** Waits until Python is complete. Returns at once if it has not started: then it does not run, or starts with all files. */
  async whole(id: number): Promise<void> {
    if (!this.library.needed || this.library.bytes) return
    this.waits(id)
    await this.library.arrived
  }

  /** Runs code, and runs it again if it imported a module that had not arrived. */
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
