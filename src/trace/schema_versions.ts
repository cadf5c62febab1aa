/**
 * The version of each cataloged operator that a run uses: the first version that fits the graph's calls, else the first that fits
 * the call in user code.
 */
import { isOverload, operatorBehind, type Graph, type Node, isKind } from '../fx'
import { bind, resolve, type Bound } from '../ops/bind'
import type { DispatchArg } from '../ops/fake'
import { catalogVersions, fits, preferred, sourceText, type CallShape, type OpSchema } from '../ops/schema'
import { TorchError } from '../ops/torch_error'

type Kwargs = ReadonlyMap<string, DispatchArg>

/** The version used for an operator with several known versions, or for one whose calls fit none. */
export interface SchemaChoice {
  /** `_C::per_token_group_fp8_quant`. */
  operator: string
  /** Project, months and file of the version that is used. */
  version: string
  schema: string
  /** Number of known versions. */
  known: number
  /** The version that the graph's calls fit, if the user's calls use another one; null if they fit none. */
  graph?: string | null
}

export class SchemaVersions {
  /** Calls in the graph by overload, for operators with a source in the catalog. */
  private readonly inGraph = new Map<string, CallShape[]>()
  /** The version used, by overload; null for an overload that the catalog lacks. */
  private readonly taken = new Map<string, OpSchema | null>()
  private readonly overloads = new Map<string, readonly OpSchema[]>()
  /** Versions that user code called, by overload. */
  private readonly called = new Map<string, OpSchema>()

  /** @param graph the graph to which the passes of the next run apply */
  begin(graph: Graph | null): void {
    this.inGraph.clear()
    this.forget()
    for (const node of graph?.nodes() ?? []) {
      const call = callOf(node)
      if (!call || versionsOf(call.target).length < 1) continue
      const known = this.inGraph.get(call.target)
      if (known) known.push(call.shape)
      else this.inGraph.set(call.target, [call.shape])
    }
  }

  /** Forgets the calls of user code. */
  forget(): void {
    this.taken.clear()
    this.overloads.clear()
    this.called.clear()
  }

  /** The version used for an overload; null if the catalog lacks it. */
  schemaOf(target: string): OpSchema | null {
    let schema = this.taken.get(target)
    if (schema === undefined) this.taken.set(target, (schema = this.ranked(target)[0] ?? null))
    return schema
  }

  /** The overloads of a packet, each in the version used. */
  overloadsOf(packet: string): readonly OpSchema[] {
    let schemas = this.overloads.get(packet)
    if (!schemas) {
      const versions = catalogVersions(packet)
      schemas = versions.some((s) => s.source) ? preferred(versions).map((s) => this.schemaOf(s.name) ?? s) : versions
      this.overloads.set(packet, schemas)
    }
    return schemas
  }

  /** The version for a call through auto_functionalized. */
  schemaFor(target: string, shape: CallShape): OpSchema | null {
    const found = this.ranked(target).find((s) => fits(s, shape))
    if (found) this.note(found)
    return found ?? this.schemaOf(target)
  }

  /** Binds a call to the first version that takes it. @throws TorchError that names the known versions */
  bind(target: string, args: readonly DispatchArg[], kwargs: Kwargs): Bound {
    const ranked = this.ranked(target)
    return this.first(ranked, ranked, (schema) => bind(schema, args, kwargs))
  }

  /** The same for a packet, whose overloads are tried in turn. @throws TorchError that names the known versions */
  resolve(packet: string, args: readonly DispatchArg[], kwargs: Kwargs): Bound {
    const current = this.overloadsOf(packet)
    const others = catalogVersions(packet).filter((s) => !current.includes(s))
    const attempts = others.length > 0 ? [current, others] : [current]
    return this.first(attempts, attempts.flat(), (schemas) => resolve(packet, schemas, args, kwargs))
  }

  /** Choices worth naming: operators with several versions, and those whose calls in the graph fit none. */
  choices(): SchemaChoice[] {
    const targets = [...new Set([...this.inGraph.keys(), ...this.called.keys()])].sort()
    return targets.flatMap((target) => {
      const versions = versionsOf(target)
      const schema = this.called.get(target) ?? this.schemaOf(target)
      if (!schema?.source) return []
      const fitting = this.fitting(target)
      const graph = fitting === null || fitting.includes(schema) ? undefined : (fitting[0]?.source ?? null)
      if (versions.length < 2 && graph === undefined) return []
      return [
        {
          operator: target.replace(/\.default$/, '').replace('.', '::'),
          version: sourceText(schema.source),
          schema: schema.text,
          known: versions.length,
          ...(graph !== undefined && { graph: graph && sourceText(graph) }),
        },
      ]
    })
  }

  /** Versions that fit every call in the graph; null if the graph has no call of the operator. */
  private fitting(target: string): OpSchema[] | null {
    const calls = this.inGraph.get(target)
    return calls ? cataloged(target).filter((s) => calls.every((c) => fits(s, c))) : null
  }

  /** All versions: those that fit the graph's calls first, then the one that user code called last. */
  private ranked(target: string): OpSchema[] {
    const all = cataloged(target)
    if (all.length < 2) return [...all]
    const fitting = this.fitting(target) ?? []
    const called = this.called.get(target)
    const rank = (s: OpSchema): number => (fitting.includes(s) ? 0 : s === called ? 1 : 2)
    return [...all].sort((a, b) => rank(a) - rank(b))
  }

  /** The first attempt that binds. @throws TorchError the error of the first attempt, with the known versions */
  private first<T>(attempts: readonly T[], known: readonly OpSchema[], run: (attempt: T) => Bound): Bound {
    let error: TorchError | null = null
    for (const attempt of attempts)
      try {
        const bound = run(attempt)
        this.note(bound.schema)
        return bound
      } catch (e) {
        if (!(e instanceof TorchError)) throw e
        error ??= e
      }
    throw withVersions(error!, known)
  }

  private note(schema: OpSchema): void {
    if (!schema.source || this.called.get(schema.name) === schema) return
    this.called.set(schema.name, schema)
    this.taken.delete(schema.name)
    this.overloads.clear()
  }
}

const cataloged = (target: string): readonly OpSchema[] =>
  isOverload(target) ? catalogVersions(target.slice(0, target.lastIndexOf('.'))).filter((s) => s.name === target) : []

/** Versions outside PyTorch. */
const versionsOf = (target: string): readonly OpSchema[] => cataloged(target).filter((s) => s.source)

/** The error of a call that fits no version, listing the versions. PyTorch's own operators have none. */
function withVersions(error: TorchError, schemas: readonly OpSchema[]): TorchError {
  const known = schemas.flatMap((s) => (s.source ? [`  ${s.text}: ${sourceText(s.source)}`] : []))
  if (known.length === 0) return error
  const what =
    known.length === 1 ? 'The known version does not take' : `None of the ${known.length} known versions takes`
  return new TorchError(
    error.pythonType,
    `${error.message}\n${what} this call; declare the operator with torch.library if yours differs:\n${known.join('\n')}`,
  )
}

/** The known versions of an operator outside PyTorch, and those that fit a call. */
export function versionsFor({ target, shape }: { target: string; shape: CallShape }): {
  known: readonly OpSchema[]
  fitting: readonly OpSchema[]
} {
  const known = versionsOf(target)
  return { known, fitting: known.filter((s) => fits(s, shape)) }
}

/** The operator that a node calls, directly or through auto_functionalized. */
export function callOf(node: Node): { target: string; shape: CallShape } | null {
  const keywords = [...node.kwargs.keys()]
  const v2 = node.target === 'higher_order.auto_functionalized_v2'
  if (v2 || node.target === 'higher_order.auto_functionalized') {
    const op = node.args[0]
    if (!isKind(op, 'op')) return null
    const target = isOverload(op.name) ? op.name : `${op.name}.default`
    return { target, shape: { positional: 0, keywords, functionalized: v2 ? 2 : 1 } }
  }
  const target = operatorBehind(node.target)
  if (!isOverload(target)) return null
  return { target, shape: { positional: node.args.length, keywords, functionalized: 0 } }
}
