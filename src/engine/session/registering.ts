/** Connects a pattern registry and the Python host. */
import type { PatternRegistry, PatternRegistryOptions } from '../../matcher'
import type { RegistrationSink } from '../../matcher/host'
import type { PythonHost } from '../../python/types'
import type { SchemaFacts, Tracer } from '../../trace/types'

/** Forwards registrations from Python to the registry of the current run. */
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

/** @param host called when a pattern needs Python, which loads after the first registry exists */
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
