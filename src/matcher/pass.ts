/** PatternMatcherPass: entries by the (op, target) at which they start. */
import type { TorchRules } from '../base/torch_version'
import type { Node, Graph } from '../fx'
import { TorchError } from '../trace/types'
import { Application } from './application'
import { GraphEntry, type Entry } from './entry'
import type { ApplyObserver } from './observer'
import { isClassOf } from './expr/module_class'
import { UnusedArgument } from './reasons/refusal'
import type { TorchFacts } from './schema_facts'
import { PythonError, type PatternTable } from './types'
import type { PatternHost } from './host'
import { endedRetrace } from './stage_two/check'
import { hasUnsupportedType } from './unsupported'

export interface ApplyResult {
  /** Number of replaced matches. */
  count: number
  /** The exception that ended the pass early, raised by user code or by PyTorch itself. */
  error: { pythonType: string; message: string; unusedArgument?: string; retrace?: true } | null
}

export class PatternMatcherPass {
  private readonly patterns = new Map<string, Entry[]>()
  /** Targets at which some entry starts, for any op: a fast filter for most nodes. */
  private readonly targets = new Set<string>()
  /** Search graphs by pattern text, for duplicates. */
  readonly seenPatterns = new Map<string, (string | null)[]>()

  constructor(
    readonly id: number,
    readonly name: string | null,
  ) {}

  add(entry: Entry): void {
    const prepend = entry instanceof GraphEntry && entry.registration.prepend
    for (const [op, target] of entry.targets) {
      const key = keyOf(op, target)
      this.targets.add(plain(target))
      const list = this.patterns.get(key)
      if (!list) this.patterns.set(key, [entry])
      else if (prepend) list.unshift(entry)
      else list.push(entry)
    }
    this.number()
  }

  /** Replaces its own entries with these; an entry of another pass is copied. */
  setTable(rows: readonly (readonly [op: string, target: string, entries: readonly Entry[]])[]): void {
    const own = new Map(this.entries.map((e) => [e.number, e]))
    this.patterns.clear()
    this.targets.clear()
    for (const [op, target, entries] of rows) {
      if (entries.length === 0) continue
      this.targets.add(plain(target))
      const held = entries.map((e) => {
        if (!own.has(e.number)) own.set(e.number, e.copy())
        return own.get(e.number)!
      })
      this.patterns.set(keyOf(op, target), held)
    }
    this.number()
  }

  private number(): void {
    this.entries.forEach((e, i) => (e.index = i))
  }

  /** Distinct entries, in the order of the keys and then of registration. */
  get entries(): Entry[] {
    return [...new Set([...this.patterns.values()].flat())]
  }

  /** `PatternMatcherPass.patterns`: by (op, target), in the order in which the pass first used them. */
  table(): PatternTable {
    return [...this.patterns].map(([key, entries]) => [
      ...placeOf(key),
      entries.map((e) => [e.number, e.text, e.pattern.repr()] as const),
    ])
  }

  /** The targets at which an entry is tried, in the order in which the pass first used them. */
  targetsOf(entry: Entry): (readonly [op: string, target: string])[] {
    return [...this.patterns].filter(([, entries]) => entries.includes(entry)).map(([key]) => placeOf(key))
  }

  apply(graph: Graph, host: PatternHost, facts: TorchFacts, observer: ApplyObserver = {}): ApplyResult {
    const result: ApplyResult = { count: 0, error: null }
    if (this.patterns.size === 0) return result
    const run = new Application(graph, host, facts, observer)
    const steps = observer.steps ?? null
    try {
      for (const node of this.candidates(graph, facts.rules)) {
        if (node.op === 'call_module' && !facts.rules.nestedModules) refusePath(node)
        const unsupported = hasUnsupportedType(node, facts.schemaOf)
        const entries = this.entriesAt(node) ?? []
        if (steps !== null && steps.candidate(node, entries, unsupported)) break
        if (unsupported) continue
        for (const entry of entries) {
          if (node.erased) break
          if (run.tryEntry(entry, node)) result.count++
        }
      }
    } catch (e) {
      if (!(e instanceof PythonError || e instanceof TorchError)) throw e
      result.error = {
        pythonType: e.pythonType,
        message: e.message,
        ...(e instanceof UnusedArgument && { unusedArgument: e.argument }),
        ...(endedRetrace(e) && { retrace: true }),
      }
      steps?.raised(result.error)
    }
    return result
  }

  /** Nodes at which some pattern starts, last first; listed in advance, so inserted nodes are not visited. */
  private candidates(graph: Graph, { nestedModules }: TorchRules): Node[] {
    const found: Node[] = []
    const all = !nestedModules && [...this.patterns.keys()].some((key) => key.startsWith('call_module:'))
    for (const n of graph.nodes()) if (this.entriesAt(n) || (all && n.op === 'call_module')) found.push(n)
    return found.reverse()
  }

  private entriesAt(node: Node): Entry[] | undefined {
    if (node.op !== 'call_module')
      return this.targets.has(node.target) ? this.patterns.get(keyOf(node.op, node.target)) : undefined
    return [...this.patterns].find(([key]) => {
      const [op, target] = placeOf(key)
      return op === 'call_module' && isClassOf(target, node)
    })?.[1]
  }
}

/** Before PyTorch 2.13 getattr finds the module. @throws TorchError for a path with dots */
function refusePath({ target }: Node): void {
  if (target.includes('.')) throw new TorchError('AttributeError', `'GraphModule' object has no attribute '${target}'`)
}

/** Normalizes to the form of Node.target: hand-written patterns may use `_operator.getitem`. */
const plain = (target: string): string => target.replace(/^_operator\./, 'operator.')
const keyOf = (op: string, target: string): string => `${op}:${plain(target)}`
const placeOf = (key: string): [op: string, target: string] => {
  const colon = key.indexOf(':')
  return [key.slice(0, colon), key.slice(colon + 1)]
}
