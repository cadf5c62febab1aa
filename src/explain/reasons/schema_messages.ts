/** The parts of a message about the schema of an operator: releases that declare it differently, and guessed schemas. */
import { code, listedParts, message, type Message } from '../../base/message'
import type { GuessedSchema } from '../../matcher/schema_facts'

/** The schema that a call fits. */
export interface FittingSchema {
  /** `vLLM 2026-01 to 2026-04 (csrc/torch_bindings.cpp)`; null: declared by the files of the workspace. */
  version: string | null
  schema: string
}

/** The calls of one operator in graph and pattern fit no common version of its schema. */
export interface VersionsDiffer {
  /** `_C::per_token_group_fp8_quant`. */
  operator: string
  /** Null if the call fits no known version. */
  graph: FittingSchema | null
  pattern: FittingSchema | null
  /** Number of known versions. */
  known: number
  /** Arguments that only one of the two schemas has, or that have a default in one of them. */
  arguments: { name: string; only: 'graph' | 'pattern'; what: 'argument' | 'default' }[]
}

/** `; the graph calls _C::op as vLLM 2025-07 to 2026-02 (…) declares it, the pattern as vLLM 2026-06 (…): …`. */
export function versionsClause({ operator, graph, pattern, known, arguments: differ }: VersionsDiffer): Message {
  const op = code(operator)
  const declare = 'declare the operator with torch.library if yours differs'
  const none = known === 1 ? 'does not fit the known version' : `fits none of the ${known} known versions`
  if (!graph && !pattern) return message`; no known version of ${op} fits either call: ${declare}`
  if (!graph)
    return message`; the graph’s call of ${op} ${none}, the pattern’s call fits ${declaredBy(pattern!)}: ${declare}`
  if (!pattern)
    return message`; the graph calls ${op} as ${declaredBy(graph)} declares it, the pattern’s call ${none}: ${declare}`
  return message`; the graph calls ${op} as ${declaredBy(graph)} declares it, the pattern as ${declaredBy(pattern)}${differencesOf(differ)}`
}

const declaredBy = ({ version }: FittingSchema): string => version ?? 'a file of the workspace'

function differencesOf(differ: VersionsDiffer['arguments']): Message | '' {
  const of = (only: 'graph' | 'pattern', what: 'argument' | 'default'): Message[] =>
    differ.filter((d) => d.only === only && d.what === what).map((d) => [code(d.name)])
  const parts = (['graph', 'pattern'] as const).flatMap((side): Message[] => {
    const [names, defaults] = [of(side, 'argument'), of(side, 'default')]
    return [
      ...(names.length > 0 ? [message`only the ${side}’s has ${listedParts(names)}`] : []),
      ...(defaults.length > 0 ? [message`only the ${side}’s has a default for ${listedParts(defaults)}`] : []),
    ]
  })
  return parts.length > 0 ? message`: ${listedParts(parts)}` : ''
}

/** `; 2 outputs of mine::fused were guessed from getitem: declare the operator, torch.library.define(…)`. */
export function guessedClause({ operator, outputs, from, declaration }: GuessedSchema): Message {
  const count = `${outputs} ${outputs === 1 ? 'output' : 'outputs'}`
  const source = {
    getitem: 'from the graph’s getitem',
    names: 'from the names of its arguments',
    call: 'from the call',
  }
  return message`; ${code(operator)} has no schema, and its ${count} ${outputs === 1 ? 'was' : 'were'} guessed ${source[from]}; declare the operator: ${code(declaration)}`
}
