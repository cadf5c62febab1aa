/** The only Python and tracer of an engine. Runs lease them: during its lease, a run's registrations are in both. */
import { sizeHintsOf } from '../../base/size_hints'
import { NEWEST_TORCH } from '../../base/torch_version'
import type { Graph } from '../../fx'
import { PatternRegistry, type Registration } from '../../matcher'
import { PythonError } from '../../matcher/types'
import { createPythonHost } from '../../python/host'
import type {
  ConsoleLine,
  PythonAssets,
  PythonEnvironment,
  PythonFile,
  PythonHost,
  PythonRun,
} from '../../python/types'
import { createTracer } from '../../trace'
import type { Tracer } from '../../trace/types'
import { withAdvice } from '../report/advice'
import { NotingRegistry, RecordingRegistry } from './recording_registry'
import { registryOptions, schemasOf } from './registering'

/** The code that Python runs. */
export interface Code {
  readonly files: readonly PythonFile[]
  readonly environment?: PythonEnvironment | undefined
  /** True if the sources of nodes and registrations have `spans`. */
  readonly precise?: boolean | undefined
}

/** The registrations that Python and the tracer hold for a run. */
interface Holding {
  /** Returns Python and the tracer to the state after the run's files ran. */
  restore(): void
  /** Applies the passes again, if stages registered patterns while they ran. */
  repeat?: (registry: PatternRegistry) => void
  /** The code to restore in Python after `undo` has given the functions of a file their own code back. */
  readonly under?: Holding
  undo?(): void
}

/** The registrations made by code. Python and the tracer hold them only during a lease. */
export interface Registrations<R extends PatternRegistry = PatternRegistry> {
  readonly registry: R
  /** How the files ran, with advice on each exception. */
  readonly python: PythonRun
  readonly holding: Holding
}

export interface Lease {
  /** @throws Error before Python is ready; recorded registrations do not need Python */
  readonly host: PythonHost
}

export class Interpreter {
  readonly tracer: Tracer = createTracer()
  readonly schemaOf = schemasOf(this.tracer)
  /** Resolves when Python has loaded. */
  readonly ready: Promise<void>
  private python: PythonHost | null = null
  private held: Holding | null = null
  /** The lease of the current call. */
  private leased: Holding | null = null
  /** Receives Python's registrations. */
  private registry = new PatternRegistry(this.registryOptions())

  /** @param onReady called once Python has loaded, before any user code runs */
  constructor(assets: PythonAssets, onReady?: () => void) {
    this.ready = createPythonHost({ assets, tracer: this.tracer, sink: () => this.registry }).then((host) => {
      this.python = host
      onReady?.()
    })
  }

  /** Resolves with an interpreter once it is ready. */
  static async start(assets: PythonAssets): Promise<Interpreter> {
    const interpreter = new Interpreter(assets)
    await interpreter.ready
    return interpreter
  }

  get isReady(): boolean {
    return this.python !== null
  }

  /** True if Python is unusable: create another interpreter. */
  get broken(): boolean {
    return this.python?.broken ?? false
  }

  /** @throws Error before Python is ready */
  get host(): PythonHost {
    if (!this.python) throw new Error('Python is not ready yet.')
    return this.python
  }

  /** Runs code, which then has the lease. @param graph the graph that its passes apply to */
  load(code: Code, graph: Graph): Registrations<RecordingRegistry> {
    const { host } = this
    if (this.leased) throw new Error('code cannot run while a run has Python')
    const execute = (): { registry: RecordingRegistry; python: PythonRun } => {
      this.clear(graph, code.environment)
      const registry = new RecordingRegistry(this.registryOptions())
      this.registry = registry
      const python = withAdvice(host.run(code.files, code.environment, code.precise))
      registry.filesRan()
      return { registry, python }
    }
    const made = execute()
    const holding: Holding = {
      restore: () => {
        // The same code registers the same patterns under the same numbers, so the run's cached results stay valid.
        const { registry } = execute()
        if (holding.repeat) {
          holding.repeat(registry)
          host.takeOutput()
        }
        made.registry.takeInputs(registry)
        this.registry = made.registry
      },
    }
    this.held = holding
    return { ...made, holding }
  }

  /**
   * Makes registrations again while the functions of changed files have their new code: a fraction of a run's time. Null if the
   * changes affect more than functions that ran in traces or in the calls that made the registration.
   * @param base of a precise run
   * @param of the registration that the changes affect
   * @param again receives the new registration if its calls changed, or the exception that user code raised
   */
  patched<T>(
    { holding: under, registry }: Pick<Registrations<RecordingRegistry>, 'holding' | 'registry'>,
    { files, of }: { files: readonly PythonFile[]; of: Registration },
    again: (made: Registration | PythonError | null) => T,
  ): { made: T; holding: Holding } | null {
    this.take(under)
    if (!this.patch(files)) return null
    const registered = this.registeredAgain(of, registry)
    if (registered === undefined) {
      this.host.unpatch()
      return null
    }
    const restore = (): void => {
      this.take(under)
      this.patch(files)
      // Its functions and tensors have new numbers.
      if (registered && 'search' in registered) Object.assign(registered, this.registeredAgain(of, registry))
    }
    const holding = { under, restore, undo: () => this.host.unpatch() }
    this.held = holding
    return { made: this.with({ holding }, () => again(registered)), holding }
  }

  /**
   * The registrations of a run after an edit of its files in place: only patterns whose traces ran changed code are traced again,
   * in a fraction of a run's time. Null if only a run shows the changes, or if Python no longer holds the registrations.
   */
  edited(
    { holding: under, registry, python }: Registrations<RecordingRegistry>,
    files: readonly PythonFile[],
  ): Registrations<RecordingRegistry> | null {
    if (!this.holds({ holding: under })) return null
    const started = performance.now()
    this.take(under)
    const touched = this.host.edit(files)
    if (!touched) return null
    const undo = (): void => this.host.undoEdit()
    const restore = (): void => {
      this.take(under)
      this.host.edit(files)
    }
    const holding = { under, restore, undo }
    this.held = holding
    const { value, console } = this.printing({ holding }, () => registry.tracedAgain(new Set(touched)))
    if (value && console.length === 0)
      return { registry: value, holding, python: { ...python, ms: performance.now() - started } }
    this.take(under)
    return null
  }

  /** True if Python holds everything that these registrations need, which running their files would restore. */
  holds({ holding }: Pick<Registrations, 'holding'>): boolean {
    return this.held === holding || this.held?.under === holding
  }

  /** Restores everything that these registrations need. */
  bringBack({ holding }: Pick<Registrations, 'holding'>): void {
    this.take(holding)
  }

  /** Null if the registration is unchanged; undefined if only a run can tell. */
  private registeredAgain(
    of: Registration,
    registry: RecordingRegistry,
  ): Registration | PythonError | null | undefined {
    const made: Registration[] = []
    this.registry = new NotingRegistry(this.registryOptions(), made)
    try {
      const at = this.host.registerAgain(of.search)
      return at === null ? undefined : at < 0 ? null : made[at]
    } catch (e) {
      if (e instanceof PythonError) return e
      throw e
    } finally {
      this.registry = registry
    }
  }

  private patch(files: readonly PythonFile[]): boolean {
    if (files.every((f) => this.host.patch(f))) return true
    this.host.unpatch()
    return false
  }

  /** Calls `replay`, whose result returns the tracer to the same state; does not need Python. */
  replay<T extends Holding>(graph: Graph, replay: () => T | null): T | null {
    this.clear(graph)
    return (this.held = replay())
  }

  /** Calls `act` while Python and the tracer hold these registrations. Its output is dropped. */
  with<T>(registrations: Pick<Registrations, 'holding'>, act: (lease: Lease) => T): T {
    return this.printing(registrations, act).value
  }

  /** Like `with`, but returns the output too. */
  printing<T>(
    { holding }: Pick<Registrations, 'holding'>,
    act: (lease: Lease) => T,
  ): { value: T; console: ConsoleLine[] } {
    const outer = this.leased
    this.take(holding)
    this.leased = holding
    let console: ConsoleLine[] = []
    try {
      return { value: act(this), console }
    } finally {
      this.leased = outer
      if (!outer) console.push(...(this.python?.takeOutput() ?? []))
      else if (!this.broken) this.take(outer)
    }
  }

  /** Calls `act`, which applies passes during a lease. Registrations by their stages go to the registry passed to it. */
  applying<T>(
    { registry, holding }: Pick<Registrations, 'registry' | 'holding'>,
    act: (registry: PatternRegistry) => T,
  ): T {
    const own = this.registry
    this.registry = registry
    this.tracer.forgetFixed()
    try {
      return act(registry)
    } finally {
      this.registry = own
      if (registry instanceof RecordingRegistry && registry.hasOfStages)
        holding.repeat ??= (again) => void this.applying({ registry: again, holding }, act)
    }
  }

  /** A generator; each of its steps has the lease. Between steps, other runs may have it. */
  *slices<Y, R>(registrations: Registrations, make: (lease: Lease) => Generator<Y, R>): Generator<Y, R> {
    const inner = this.with(registrations, make)
    for (;;) {
      const step = this.with(registrations, () => inner.next())
      if (step.done) return step.value
      yield step.value
    }
  }

  /** Forgets the operators of the last run: the tracer then knows the catalog and the calls of this graph. */
  clear(graph: Graph, environment?: PythonEnvironment): void {
    this.held = null
    this.tracer.torch = environment?.torch ?? NEWEST_TORCH
    this.tracer.reset()
    this.tracer.begins(graph, sizeHintsOf(environment?.flags))
  }

  private take(holding: Holding): void {
    if (this.held === holding) return
    const under = this.held?.under
    if (under) {
      this.held?.undo?.()
      this.held = under
      if (under === holding) return
    }
    holding.restore()
    this.held = holding
  }

  private registryOptions() {
    return registryOptions(this.tracer, () => this.host)
  }
}
