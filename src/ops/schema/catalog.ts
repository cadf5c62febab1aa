/**
 * The built-in schemas: PyTorch's own (torch.txt), and those of vLLM's, SGLang's and Ascend's operators, which many
 * patterns use without defining them. The latter are in the operator's file, or in libraries.txt if only the schema is
 * known. Read on first use, one operator at a time.
 */
import { schemaTexts } from '#schema-texts'
import { SCHEMAS } from '../tables/schemas'
import { parseSchema } from './parse'
import type { OpSchema } from './types'

/** Schema lines by packet: `aten.add` → its overloads' lines, in the order of the registry. */
let lines: Map<string, string[]> | null = null
const parsed = new Map<string, readonly OpSchema[]>()

function index(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of [...schemaTexts(), ...SCHEMAS].join('\n').split('\n')) {
    const m = /^(\w+)::(\w+)/.exec(line)
    if (!m) continue
    const packet = `${m[1]}.${m[2]}`
    const list = found.get(packet)
    if (list) list.push(line)
    else found.set(packet, [line])
  }
  return found
}

/** All overloads of `aten.add`; empty for an unknown packet. */
export function catalogOverloads(packet: string): readonly OpSchema[] {
  let schemas = parsed.get(packet)
  if (schemas) return schemas
  lines ??= index()
  schemas = (lines.get(packet) ?? []).map((line) => parseSchema(null, line))
  parsed.set(packet, schemas)
  return schemas
}

/** The schema of `aten.add.Tensor`; null if it is unknown. */
export function catalogSchema(target: string): OpSchema | null {
  const packet = target.slice(0, target.lastIndexOf('.'))
  return catalogOverloads(packet).find((s) => s.name === target) ?? null
}
