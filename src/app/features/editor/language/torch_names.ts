/** Looks up dotted names of torch in the facts of the engine. */
import type { LanguageFacts } from '../../../../engine/protocol'
import { OperatorIndex, type OverloadFacts } from './operator_index'

export interface Completion {
  name: string
  kind: 'namespace' | 'operator' | 'overload' | 'function' | 'module'
  /** A schema or a signature; empty if unknown. */
  detail: string
}

/** What a dotted name means. */
export interface Meaning {
  /** `aten.mul`; null for a function that is not an operator. */
  packet: string | null
  /** The overload that the name selects; null: any. */
  overload: string | null
  overloads: readonly OverloadFacts[]
  /** Parameters of a Python function. */
  signature: string | null
  /** The name without the module. */
  name: string
}

const OPS = 'torch.ops'

export class TorchNames {
  readonly index: OperatorIndex
  private readonly modules: ReadonlyMap<string, ReadonlyMap<string, string>>

  constructor(readonly facts: LanguageFacts) {
    this.index = new OperatorIndex(facts.operators)
    this.modules = new Map(Object.entries(facts.modules).map(([path, names]) => [path, new Map(names)]))
  }

  /** Names that may follow `path.`; if the path is not a module of torch, the methods of a tensor. */
  after(path: string): Completion[] {
    if (path === OPS) return this.index.namespaces().map((name) => ({ name, kind: 'namespace', detail: '' }))
    if (path.startsWith(`${OPS}.`)) {
      const [namespace = '', name] = path.slice(OPS.length + 1).split('.')
      if (name !== undefined)
        return this.index
          .overloads(namespace, name)
          .map((o) => ({ name: o.name, kind: 'overload', detail: signatureText(o.schema) }))
      return this.index
        .names(namespace)
        .map((n) => ({ name: n, kind: 'operator', detail: this.schemaOf(namespace, n) }))
    }
    const names = this.modules.get(path) ?? (path.startsWith('torch') ? null : this.modules.get('Tensor'))
    const modules = this.submodules(path)
    return [
      ...modules.map((name): Completion => ({ name, kind: 'module', detail: '' })),
      ...[...(names ?? [])]
        .filter(([name]) => !modules.includes(name))
        .map(([name, signature]): Completion => ({
          name,
          kind: 'function',
          detail: signature || this.schemaOf('aten', name),
        })),
    ]
  }

  /** @param path with aliases replaced; if the last name does not follow a module, it is looked up as a method */
  meaningOf(path: string): Meaning | null {
    if (path.startsWith(`${OPS}.`)) {
      const [namespace = '', name, overload] = path.slice(OPS.length + 1).split('.')
      return name === undefined ? null : this.operator(namespace, name, overload ?? null)
    }
    const dot = path.lastIndexOf('.')
    const [owner, name] = [path.slice(0, Math.max(0, dot)), path.slice(dot + 1)]
    const signature = this.modules.get(owner)?.get(name)
    if (signature) return { packet: null, overload: null, overloads: [], signature, name }
    const isOperator =
      this.modules.get(owner)?.has(name) ??
      (owner !== '' && !owner.startsWith('torch') && this.modules.get('Tensor')!.has(name))
    return isOperator ? this.operator('aten', name, null) : null
  }

  private operator(namespace: string, name: string, overload: string | null): Meaning | null {
    const overloads = this.index.overloads(namespace, name)
    if (overloads.length === 0) return null
    return { packet: `${namespace}.${name}`, overload, overloads, signature: null, name }
  }

  private schemaOf(namespace: string, name: string): string {
    const [first] = this.index.overloads(namespace, name)
    return first ? signatureText(first.schema) : ''
  }

  private submodules(path: string): string[] {
    const below = [...this.modules.keys()].flatMap((m) =>
      m.startsWith(`${path}.`) ? m.slice(path.length + 1).split('.')[0]! : [],
    )
    return [...new Set(path === 'torch' ? ['ops', ...below] : below)]
  }
}

/** `(Tensor self, Tensor other) -> Tensor` */
export const signatureText = (schema: string): string => schema.slice(schema.indexOf('('))
