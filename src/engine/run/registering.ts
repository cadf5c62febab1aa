/** Connects a pattern registry and the Python host. */
import type { PythonHost } from '../../python/types'
import type { SchemaFacts, Tracer } from '../../trace/types'

/** @param host called when a pattern needs Python, which loads after the first registry exists */
export const registryOptions = (tracer: Tracer, host: () => PythonHost) => ({
  host,
  schemaOf: schemasOf(tracer),
  overloadsOf: (packet: string) => tracer.overloadsOf(packet),
  rules: () => tracer.rules,
})

export const schemasOf =
  (tracer: Tracer) =>
  (target: string): SchemaFacts | null =>
    tracer.schemaOf(target)
