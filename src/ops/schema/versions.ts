/** The versions of a cataloged operator that fit a call, by argument names and counts. */
import type { OpSchema, SchemaArg } from './types'

/** The arguments that a call passes, without their values. */
export interface CallShape {
  readonly positional: number
  readonly keywords: readonly string[]
  /** The operator is called through auto_functionalized (1) or auto_functionalized_v2 (2). */
  readonly functionalized: 0 | 1 | 2
}

/** True if the call passes what the schema requires and nothing that it lacks. */
export function fits(schema: OpSchema, { positional, keywords, functionalized }: CallShape): boolean {
  if (functionalized > 0 && !schema.mutable) return false
  if (functionalized === 2) return fitsV2(schema, keywords)
  // auto_functionalized raises KeyError for a written argument that is left out, optional or not.
  if (functionalized === 1 && schema.args.some((a) => a.written && !keywords.includes(a.name))) return false
  const byPosition = schema.args.filter((a) => !a.kwargOnly)
  if (positional > byPosition.length) return false
  const given = new Set(byPosition.slice(0, positional))
  return covers(
    schema.args.filter((a) => !given.has(a)),
    keywords,
  )
}

/** All required arguments are passed, and no others. */
const covers = (args: readonly SchemaArg[], passed: readonly string[]): boolean =>
  args.every((a) => a.hasDefault || passed.includes(a.name)) &&
  passed.every((name) => args.some((a) => a.name === name))

/** In auto_functionalized_v2 a written argument `x` is passed as `_x_base_index` (a list as `_x_length`), others by name. */
function fitsV2(schema: OpSchema, keywords: readonly string[]): boolean {
  const written = new Set(
    keywords.flatMap((k) => {
      const m = /^_(\w+?)(?:_\d+)?_base_index$/.exec(k) ?? /^_(\w+)_length$/.exec(k)
      return m ? [m[1]!] : []
    }),
  )
  const writes = schema.args.filter((a) => a.written)
  const others = schema.args.filter((a) => !a.written)
  return (
    writes.length === written.size &&
    writes.every((a) => written.has(a.name)) &&
    covers(
      others,
      keywords.filter((k) => !k.startsWith('_')),
    )
  )
}
