/** What a registry of patterns and the Python host are to each other. */
import type { PatternRegistry, PatternRegistryOptions } from '../../matcher'
import type { RegistrationSink } from '../../matcher/host'
import type { PythonHost } from '../../python/types'
import type { SchemaFacts, Tracer } from '../../trace/types'

/** Hands what Python registers to the registry of the run at hand. */
export function sinkOf(registry: () => PatternRegistry): RegistrationSink {
  return {
    newPass: (id, name) => registry().newPass(id, name),
    registerReplacement: (id, registration) => registry().registerReplacement(id, registration),
    registerGraphPattern: (id, registration) => registry().registerGraphPattern(id, registration),
    patternsOf: (id) => registry().patternsOf(id),
    setPatterns: (id, table) => registry().setPatterns(id, table),
    patternOf: (data) => registry().patternOf(data),
    contextOf: (outputs, bindings, graph) => registry().contextOf(outputs, bindings, graph),
    editOf: (match, graph) => registry().editOf(match, graph),
    applyOrThrow: (id, graph) => registry().applyOrThrow(id, graph),
  }
}

/** @param host asked for when a pattern calls back into Python, which loads after the first registry is made */
export function registryOptions(tracer: Tracer, host: () => PythonHost): PatternRegistryOptions {
  return {
    host,
    schemaOf: schemasOf(tracer),
    overloadsOf: (packet) => tracer.overloadsOf?.(packet) ?? [],
  }
}

export const schemasOf =
  (tracer: Tracer) =>
  (target: string): SchemaFacts | null =>
    tracer.schemaOf?.(target) ?? null
