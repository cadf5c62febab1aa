/** A registry that records registrations in order, so that they can be replayed. */
import { messageOf } from '../../base/error_message'
import {
  PatternRegistry,
  type GraphRegistration,
  type LiveHost,
  type PatternRegistryOptions,
  type Registration,
} from '../../matcher'
import type { RegisteredEntry } from '../../matcher/types'
import type { PatternEdit } from '../../explain/fixes/trials'

/** Recorded patterns are not registered again: their functions cannot run. */
interface LiveOptions extends PatternRegistryOptions {
  host: () => LiveHost
}

export class RecordingRegistry extends PatternRegistry {
  readonly passIds: [number, string | null][] = []
  readonly registrations: { pass: number; registration: Registration | GraphRegistration }[] = []

  constructor(protected override readonly options: LiveOptions) {
    super(options)
  }

  override newPass(id: number, name: string | null): void {
    this.passIds.push([id, name])
    super.newPass(id, name)
  }

  override registerReplacement(pass: number, registration: Registration): RegisteredEntry | null {
    this.registrations.push({ pass, registration })
    return super.registerReplacement(pass, registration)
  }

  override registerGraphPattern(pass: number, registration: GraphRegistration): RegisteredEntry {
    this.registrations.push({ pass, registration })
    return super.registerGraphPattern(pass, registration)
  }

  /**
   * Replays all registrations in a new registry, with an edit to the trace of one search function.
   * @param index of the registration whose search function is edited
   * @returns the new registry, and the message of an exception that a registration raised
   */
  withEditedPattern(
    index: number,
    edit: PatternEdit,
  ): {
    registry: RecordingRegistry
    error: string | null
  } {
    const { options } = this
    const target = this.registrations[index]?.registration
    const search = target && 'search' in target ? target.search : null
    const host = () => (search === null ? options.host() : editingHost(options.host(), search, edit))
    const registry = new RecordingRegistry({ ...options, host })
    for (const [id, name] of this.passIds) registry.newPass(id, name)
    try {
      for (const { pass, registration } of this.registrations)
        if ('search' in registration) registry.registerReplacement(pass, registration)
        else registry.registerGraphPattern(pass, registration)
      return { registry, error: null }
    } catch (e) {
      return { registry, error: messageOf(e) }
    }
  }
}

/** Python, with an edit to the trace of one function. */
const editingHost = (host: LiveHost, search: number, edit: PatternEdit): LiveHost => ({
  recorded: false,
  trace(fn, argNames, args, options) {
    const graph = host.trace(fn, argNames, args, options)
    if (fn === search) edit(graph)
    return graph
  },
  extraCheck: (fn, match) => host.extraCheck(fn, match),
  handle: (fn, match) => host.handle(fn, match),
  matchUser: (fn, node, ctx, pattern) => host.matchUser(fn, node, ctx, pattern),
  anchorsUser: (fn, ctx, searched) => host.anchorsUser(fn, ctx, searched),
  traceDecisions: (fn) => host.traceDecisions(fn),
})
