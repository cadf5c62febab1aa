/** Registers a capture's patterns in a registry, without Python. */
import type { Problem } from '../../base/result'
import type { SourceRef, Val } from '../../fx'
import {
  PythonError,
  type EntryTable,
  type PatternData,
  type PatternRegistry,
  type Registration,
  type RegistrationFacts,
} from '../../matcher'
import { TorchError } from '../../trace/types'
import { decode } from '../../python/wire'
import { patternOf, valOf } from './graphs'
import { callableOf } from './host'
import { functionOf, ownerOf, titleOf } from './titles'
import type { Capture, CapturedApplication, CapturedEntry, CapturedFunction } from './records'

/** The numbers that a registry assigned to a capture's entries. */
export class CapturedEntries {
  /** Registry's number by capture's id; null for an entry that it refused. */
  private readonly numbers = new Map<number, number | null>()
  private readonly ids = new Map<number, number>()
  readonly problems: Problem[] = []

  constructor(
    private readonly capture: Capture,
    private readonly registry: () => PatternRegistry,
  ) {}

  /** Capture's id of an entry. */
  readonly idOf = (number: number): number => this.ids.get(number) ?? -1

  /** Makes the registry's pass contain the entries that the pass had in this application. */
  fill(passId: number, { table }: CapturedApplication): void {
    const rows: EntryTable = table.map(([op, target, entries]) => [
      op,
      target,
      entries.map((id) => this.numberOf(passId, id)).filter((n): n is number => n !== null),
    ])
    this.registry().setPatterns(passId, rows)
  }

  private numberOf(passId: number, id: number): number | null {
    const known = this.numbers.get(id)
    if (known !== undefined) return known
    const entry = this.capture.entries.get(id)
    const number = entry ? this.register(passId, entry) : null
    this.numbers.set(id, number)
    if (number !== null) this.ids.set(number, id)
    return number
  }

  private register(passId: number, entry: CapturedEntry): number | null {
    const registry = this.registry()
    const pattern = this.patternOf(entry)
    if (!pattern) return null
    try {
      if (entry.kind !== 'replacement') {
        const checks = entry.functions.extraCheck !== undefined
        return registry.registerGraphPattern(passId, {
          ...factsOf(entry),
          pattern,
          extraCheck: checks ? callableOf(entry.id, 'extraCheck') : null,
          handler: callableOf(entry.id, 'handler'),
          prepend: false,
        }).number
      }
      const traced = !entry.givenPattern && entry.search !== null
      const made = registry.registerReplacement(passId, registrationOf(entry, traced ? null : pattern))!
      if (!traced || entry.text === null || made.text === entry.text) return made.number
      this.problem(`Pattern ${entry.id} of the trace prints differently from PyTorch’s; PyTorch’s is used.`)
      return registry.registerReplacement(passId, registrationOf(entry, pattern))!.number
    } catch (e) {
      if (!(e instanceof TorchError || e instanceof PythonError)) throw e
      this.problem(`Pattern ${entry.id} cannot be registered: ${e.pythonType}: ${e.message}`)
      return null
    }
  }

  private patternOf({ id, pattern }: CapturedEntry): PatternData | null {
    try {
      return patternOf(pattern)
    } catch {
      this.problem(`Pattern ${id} cannot be registered: its record has a field of the wrong form.`)
      return null
    }
  }

  private problem(message: string): void {
    this.problems.push({ file: this.capture.name, line: 1, column: 1, message })
  }
}

/** @param searchFnPattern PyTorch's pattern, used if no trace of the search function is */
function registrationOf(entry: CapturedEntry, searchFnPattern: Registration['searchFnPattern']): Registration {
  const workaround = entry.scalarWorkaround?.map(([name, value]) => [name, scalar(value)] as const) ?? null
  const inputs: readonly (Val | null)[] = entry.exampleInputs?.map(valOf) ?? entry.argNames.map(() => null)
  return {
    ...factsOf(entry),
    search: callableOf(entry.id, 'search'),
    replace: callableOf(entry.id, 'replace'),
    argNames: entry.argNames,
    exampleInputs: inputs.map((v): Val => v ?? { kind: 'scalar', value: null }),
    extraCheck: callableOf(entry.id, 'extraCheck'),
    scalarWorkaround: workaround && new Map(workaround),
    exclusiveArgNames: entry.exclusiveArgNames,
    searchFnPattern,
    skipDuplicates: false,
    accepted: true,
  }
}

const scalar = (data: Parameters<typeof decode>[0]): bigint | number | boolean =>
  decode(data, () => {
    throw new Error('a scalar is no tensor')
  }) as bigint | number | boolean

function factsOf(entry: CapturedEntry): RegistrationFacts {
  const fn = functionOf(entry)
  const calls = entry.registered.map(([file, line]) => `${file}:${line}`).join(' ')
  return {
    title: titleOf(entry),
    definition: ownerOf(fn) === null && fn?.file != null && fn.line !== null ? [fn.name, fn.file, fn.line] : null,
    order: entry.id,
    ...(calls !== '' && { calls }),
    source: sourceOf(entry, fn),
    bindings: entry.bindings,
  }
}

/** Location of the search function's definition, or of the innermost caller of register_replacement. */
function sourceOf(entry: CapturedEntry, fn: CapturedFunction | undefined): SourceRef | null {
  if (fn?.file != null && fn.line !== null) return { file: fn.file, line: fn.line, fn: fn.name }
  const [frame] = entry.registered
  return frame ? { file: frame[0], line: frame[1], fn: frame[2] } : null
}
