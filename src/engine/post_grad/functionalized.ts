/** Reads auto_functionalized nodes. */
import type { Node } from '../../fx'
import type { SchemaLookup } from '../../matcher'

export const V1 = 'higher_order.auto_functionalized'
export const V2 = 'higher_order.auto_functionalized_v2'
export const FUNCTIONALIZED: ReadonlySet<string> = new Set([V1, V2])

/** node.meta["only_clone_these_tensors"], set by reinplacing: argument names (v1), or indices of bases (v2). */
const KEY = 'only_clone_these_tensors'

/** The arguments that need clones; null before reinplacing. */
export function kept(node: Node): readonly unknown[] | null {
  const value = node.meta.additional?.[KEY]
  return Array.isArray(value) ? (value as readonly unknown[]) : null
}

export function keep(node: Node, clones: readonly (string | number)[]): void {
  node.meta.additional = { ...node.meta.additional, [KEY]: clones }
}

/**
 * Names of the arguments the wrapped operator writes to, in schema order. Without a schema, a v2 node has them in its
 * keywords (`_NAME_base_index`, `_NAME_length`); a v1 node only returns the written values last, without names.
 */
export function mutatedOf(node: Node, target: string, schemaOf: SchemaLookup): string[] {
  const schema = schemaOf(target)
  if (schema) return schema.args.filter((a) => a.written).map((a) => a.name)
  const names = [...node.kwargs.keys()].flatMap((k) => /^_(.+?)_(?:base_index|length)$/.exec(k)?.[1] ?? [])
  return names.filter((n) => !names.some((list) => n !== list && new RegExp(`^${list}_\\d+$`).test(n)))
}
