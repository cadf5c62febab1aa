/** Operators of one run by name: schemas and fake implementations of the user, schemas of the catalog, inferred ones. */
import { isOverload, Node, type Arg, type Graph, type Val } from '../fx'
import { asBinding } from '../ops/bindings'
import { bind, resolve, type Bound } from '../ops/bind'
import type { DispatchArg } from '../ops/fake'
import { inferSchema, signatureText, type GuessedSchema } from '../ops/infer'
import { catalogNamespaces, parseSchema, type OpSchema } from '../ops/schema'
import { TorchError } from '../ops/torch_error'
import { callOf, SchemaVersions } from './schema_versions'

export type FakeImpl = (args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>) => DispatchArg

/** `aten.add.Tensor` → `aten.add` */
export const withoutOverload = (target: string): string => target.slice(0, target.lastIndexOf('.'))

/** The keywords of a call whose tensor has the dtype and shape of `item`; all tensor keywords if the text has no shapes. */
function keywordsLike(call: Node, item: Val | undefined): string[] {
  const shown = (val: Val | undefined): string | null =>
    val?.kind === 'tensor' ? `${val.dtype}[${val.shape.join(', ')}]` : null
  const like = (arg: Arg): boolean => {
    const of = arg instanceof Node ? shown(arg.meta.val) : null
    return of === null || shown(item) === null || of === shown(item)
  }
  return [...call.kwargs].flatMap(([name, arg]) => (like(arg) ? [name] : []))
}

export class DeclaredOperators {
  /** Overloads that nobody declared and a call was bound to. */
  readonly inferred = new Set<string>()
  readonly guessed = new Map<string, GuessedSchema>()
  /** The graph that the facts below describe. It is never edited: passes get copies. */
  private graph: Graph | null = null
  /** Number of items that the graph takes from an operator's calls, by overload. */
  private readonly itemsInGraph = new Map<string, number>()
  /** Keywords of an operator's functionalized calls with the dtype and shape of an item that the graph takes. */
  private readonly writtenInGraph = new Map<string, Set<string>>()
  /** Packets that the graph calls. */
  private readonly packetsInGraph = new Set<string>()
  /** User-defined schemas by packet. */
  private readonly user = new Map<string, OpSchema[]>()
  /** Versions of the catalog's schemas. */
  readonly versions = new SchemaVersions()
  private readonly fakes = new Map<string, FakeImpl>()

  clear(): void {
    this.user.clear()
    this.fakes.clear()
    this.inferred.clear()
    this.guessed.clear()
    this.versions.forget()
  }

  /** @param graph the graph to which the passes of the next run apply */
  begin(graph: Graph): void {
    if (graph === this.graph) return this.versions.forget()
    this.graph = graph
    this.versions.begin(graph)
    this.itemsInGraph.clear()
    this.writtenInGraph.clear()
    this.packetsInGraph.clear()
    for (const node of graph.nodes()) {
      const { target, args } = node
      const [of, index] = args
      const called = callOf(node)
      if (called) this.packetsInGraph.add(withoutOverload(called.target))
      const call = target === 'operator.getitem' && of instanceof Node ? callOf(of) : null
      if (!call || (typeof index !== 'bigint' && typeof index !== 'number')) continue
      this.itemsInGraph.set(call.target, Math.max(this.itemsInGraph.get(call.target) ?? 0, Number(index) + 1))
      const written = this.writtenInGraph.get(call.target) ?? new Set()
      this.writtenInGraph.set(call.target, written)
      if (Number(index) > 0) for (const name of keywordsLike(of as Node, node.meta.val)) written.add(name)
    }
  }

  /** @throws TorchError for an overload that the user declared before, unless it is overwritten */
  define(ns: string, schema: string, overwrite = false): void {
    const parsed = parseSchema(ns, schema)
    const packet = withoutOverload(parsed.name)
    const known = this.user.get(packet) ?? []
    if (!overwrite && known.some((s) => s.name === parsed.name))
      throw new TorchError(
        'RuntimeError',
        `Tried to register an operator (${ns}::${parsed.text}) with the same name and overload name multiple times. ` +
          "Each overload's schema should only be registered with a single call to def().",
      )
    this.user.set(packet, [...known.filter((s) => s.name !== parsed.name), parsed])
  }

  /** @param name `_C.rms_norm`, `_C::rms_norm` or with an overload */
  registerFake(name: string, impl: FakeImpl): void {
    this.fakes.set(name.replace('::', '.'), impl)
  }

  /** The fake implementation of an overload: its own, or for `.default` the packet's. */
  fakeOf(target: string): FakeImpl | undefined {
    return this.fakes.get(target) ?? (target.endsWith('.default') ? this.fakes.get(withoutOverload(target)) : undefined)
  }

  /** The user's schemas, with their namespaces. */
  texts(): string[] {
    return [...this.user].flatMap(([packet, schemas]) =>
      schemas.map((s) => `${packet.slice(0, packet.indexOf('.'))}::${s.text}`),
    )
  }

  /** True for a packet with user-defined overloads. */
  isUsers(packet: string): boolean {
    return this.user.has(packet)
  }

  /** The schema of `aten.add.Tensor`: the user's, the catalog's, or null. */
  schemaOf(target: string): OpSchema | null {
    // A definition of one overload keeps the project's other overloads of the packet.
    return this.declared(target) ?? this.versions.schemaOf(target)
  }

  /** The schema for a call through auto_functionalized; null for an undeclared operator. */
  schemaForWrapped(target: string, kwargs: ReadonlyMap<string, DispatchArg>, v2: boolean): OpSchema | null {
    const shape = { positional: 0, keywords: [...kwargs.keys()], functionalized: v2 ? 2 : 1 } as const
    return this.declared(target) ?? this.versions.schemaFor(target, shape)
  }

  private declared(target: string): OpSchema | undefined {
    return this.user.get(withoutOverload(target))?.find((s) => s.name === target)
  }

  /**
   * True for an operator that the user declared, the graph calls or the catalog contains; `uncertain` for another operator in a
   * namespace of the catalog, which may be incomplete.
   */
  isKnown(packet: string): boolean | 'uncertain' {
    const ns = packet.slice(0, packet.indexOf('.'))
    if (this.user.has(packet) || this.packetsInGraph.has(packet) || this.overloadsOf(packet).length > 0) return true
    return catalogNamespaces().has(ns) && 'uncertain'
  }

  /** Overloads of a packet (`aten.add`), the user's or the catalog's. */
  overloadsOf(packet: string): readonly string[] {
    return (this.user.get(packet) ?? this.versions.overloadsOf(packet)).map((s) => s.name)
  }

  /**
   * A call bound to the overload that PyTorch resolves; outside aten and prims, to an inferred schema if there is none.
   * @throws TorchError where no overload takes the arguments
   */
  bound(given: string, givenArgs: readonly DispatchArg[], givenKwargs: ReadonlyMap<string, DispatchArg>): Bound {
    const { name, args, kwargs } = isOverload(given)
      ? { name: given, args: givenArgs, kwargs: givenKwargs }
      : asBinding(given, givenArgs, givenKwargs)
    const packet = isOverload(name) ? withoutOverload(name) : name
    const own = this.user.get(packet)
    const schemas = own ?? this.versions.overloadsOf(packet)
    if (isOverload(name)) {
      const schema = own?.find((s) => s.name === name)
      if (schema) return bind(schema, args, kwargs)
      if (this.versions.schemaOf(name)) return this.versions.bind(name, args, kwargs)
      const [ns, op, overload] = name.split('.') as [string, string, string]
      if (schemas.length > 0)
        throw new TorchError('AttributeError', `The underlying op of '${ns}.${op}' has no overload name '${overload}'`)
    } else if (own) return resolve(name, own, args, kwargs)
    else if (schemas.length > 0) return this.versions.resolve(name, args, kwargs)
    const [ns, op] = name.split('.') as [string, string]
    if (ns === 'aten' || ns === 'prims')
      throw new TorchError('AttributeError', `'_OpNamespace' '${ns}' object has no attribute '${op}'`)
    const target = isOverload(name) ? name : `${name}.default`
    const outputs = this.itemsInGraph.get(target) ?? null
    return bind(
      this.infer(inferSchema(target, args, kwargs, { outputs }), outputs === null ? 'call' : 'getitem'),
      args,
      kwargs,
    )
  }

  /** The inferred schema of a mutating operator that is called with keywords only. */
  inferMutable(target: string, kwargs: ReadonlyMap<string, DispatchArg>): OpSchema {
    // Item 0 is what the operator itself returns.
    const items = this.itemsInGraph.get(target)
    const outputs = items === undefined ? null : items - 1
    const from = kwargs.has('_all_bases') ? 'call' : outputs === null ? 'names' : 'getitem'
    return this.infer(
      inferSchema(target, [], kwargs, { mutates: true, outputs, written: this.writtenInGraph.get(target) }),
      from,
    )
  }

  private infer(schema: OpSchema, from: GuessedSchema['from']): OpSchema {
    const [ns, name, overload] = schema.name.split('.') as [string, string, string]
    const operator = `${ns}::${name}${overload === 'default' ? '' : `.${overload}`}`
    const outputs = Math.max(schema.returns.length, schema.args.filter((a) => a.written).length)
    const declaration = `torch.library.define("${operator}", "${signatureText(schema)}")`
    this.inferred.add(schema.name)
    this.guessed.set(schema.name, { operator, outputs, from, declaration })
    return schema
  }
}
