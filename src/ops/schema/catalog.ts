/**
 * The built-in schemas: PyTorch's own (torch.txt), and the operators of vLLM, SGLang, vLLM-Ascend and torch_npu, which
 * many patterns call without defining them. The latter stand in the operator's file, or in libraries.txt if only the
 * schema is known, and name their source: a line `# <project> <file>` applies to the schemas after it, and
 * `<first month>..<last month>` before a schema says when the file declared it. An operator has one line per version,
 * the preferred one first. Read on first use, one operator at a time.
 */
import { once } from '../../base/memoize'
import { schemaTexts } from '#schema-texts'
import { SCHEMAS } from '../tables/schemas'
import { parseSchema } from './parse'
import type { OpSchema, SchemaSource } from './types'

interface Line {
  readonly text: string
  readonly source: SchemaSource | null
}

/** Schema lines by packet: `aten.add` → the lines of its overloads and their versions, in the order of the registry. */
const lines = once(index)
const parsed = new Map<string, readonly OpSchema[]>()

function index(): Map<string, Line[]> {
  const found = new Map<string, Line[]>()
  for (const text of [...schemaTexts(), ...SCHEMAS]) {
    let origin: readonly [project: string, file: string] | null = null
    for (const line of text.split('\n')) {
      const header = /^# (.+) (\S+)$/.exec(line)
      if (header) origin = [header[1]!, header[2]!]
      const m = /^(?:(\d{4}-\d\d)\.\.(\d{4}-\d\d) )?((\w+)::(\w+).*)$/.exec(line)
      if (!m) continue
      const [, since = null, until = null, schema, ns, op] = m
      const source = origin && { project: origin[0], file: origin[1], since, until }
      const packet = `${ns}.${op}`
      found.set(packet, [...(found.get(packet) ?? []), { text: schema!, source }])
    }
  }
  return found
}

/** Names of the catalog's operators in a namespace: `add`, `add_`. */
export function catalogNames(namespace: string): string[] {
  const prefix = `${namespace}.`
  return [...lines().keys()].filter((packet) => packet.startsWith(prefix)).map((packet) => packet.slice(prefix.length))
}

/** The preferred schema of each overload of the catalog: `aten::add.Tensor(Tensor self, …) -> Tensor`. */
export function catalogTexts(): string[] {
  const named = new Map<string, string>()
  for (const line of [...lines().values()].flat()) {
    const name = line.text.slice(0, line.text.indexOf('('))
    if (!named.has(name)) named.set(name, line.text)
  }
  return [...named.values()]
}

/** Namespaces that have operators in the catalog. It need not have all of them. */
export const catalogNamespaces = once(
  (): ReadonlySet<string> => new Set([...lines().keys()].map((packet) => packet.slice(0, packet.indexOf('.')))),
)

/** All versions of all overloads of `aten.add`, the preferred version first; empty for a packet the catalog lacks. */
export function catalogVersions(packet: string): readonly OpSchema[] {
  let schemas = parsed.get(packet)
  if (schemas) return schemas
  schemas = (lines().get(packet) ?? []).map(({ text, source }) => ({
    ...parseSchema(null, text),
    ...(source && { source }),
  }))
  parsed.set(packet, schemas)
  return schemas
}

/** All overloads of `aten.add`, each in its preferred version; empty for a packet the catalog lacks. */
export const catalogOverloads = (packet: string): readonly OpSchema[] => preferred(catalogVersions(packet))

/** The first version of each overload. */
export const preferred = (versions: readonly OpSchema[]): readonly OpSchema[] =>
  versions.length < 2 ? versions : versions.filter((s, i) => versions.findIndex((v) => v.name === s.name) === i)

/** The preferred version of `aten.add.Tensor`; null if the catalog lacks it. */
export function catalogSchema(target: string): OpSchema | null {
  const packet = target.slice(0, target.lastIndexOf('.'))
  return catalogVersions(packet).find((s) => s.name === target) ?? null
}

/** `vLLM 2025-08 to 2026-02 (csrc/torch_bindings.cpp)`. */
export function sourceText({ project, file, since, until }: SchemaSource): string {
  const months = since === null ? '' : since === until ? ` ${since}` : ` ${since} to ${until}`
  return `${project}${months} (${file})`
}
