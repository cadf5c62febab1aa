import { readFileSync } from 'node:fs'
import type { Graph } from '../../fx'
import { PatternRegistry, type Registration } from '../../matcher'
import { createTracer } from '../../trace'
import { createPythonHost } from '../host'
import { nodeAssets } from '../node_assets'
import type { PythonEnvironment, PythonFile, PythonHost, PythonRun } from '../types'

/** Python with the real tracer and registry, set up as in the engine. */
export interface Started {
  host: PythonHost
  /** Runs files, or one text as `p.py`. */
  run(files: string | readonly PythonFile[], environment?: PythonEnvironment): PythonRun
  /** The registrations of the last run by register_replacement. */
  readonly registrations: Registration[]
  /** The last run's passes. */
  readonly registry: PatternRegistry
  /** The registration's search function over its example inputs. */
  trace(registration: Registration): Graph
}

export async function start(): Promise<Started> {
  const tracer = createTracer()
  const registrations: Registration[] = []
  let registry: PatternRegistry
  const host: PythonHost = await createPythonHost({
    assets: nodeAssets(),
    tracer,
    sink: {
      newPass: (id, name) => registry.newPass(id, name),
      registerReplacement: (id, registration) => {
        registrations.push(registration)
        return registry.registerReplacement(id, registration)
      },
      registerGraphPattern: (id, registration) => registry.registerGraphPattern(id, registration),
      patternOf: (data) => registry.patternOf(data),
      contextOf: (outputs, bindings, graph) => registry.contextOf(outputs, bindings, graph),
      editOf: (match, graph) => registry.editOf(match, graph),
      applyOrThrow: (id, graph) => registry.applyOrThrow(id, graph),
      patternsOf: (id) => registry.patternsOf(id),
      setPatterns: (id, table) => registry.setPatterns(id, table),
    },
  })
  return {
    host,
    registrations,
    get registry() {
      return registry
    },
    run(files, environment) {
      registrations.length = 0
      registry = new PatternRegistry({
        host: () => host,
        schemaOf: (target) => tracer.schemaOf(target),
        overloadsOf: (packet) => tracer.overloadsOf?.(packet) ?? [],
      })
      return host.run(typeof files === 'string' ? [{ name: 'p.py', text: files }] : files, environment)
    },
    trace: (r) => host.trace(r.search, r.argNames, r.exampleInputs),
  }
}

export const testing = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The imports of a file that registers patterns: three lines. */
export const MATCHER_IMPORTS = `import torch
from torch._inductor.pattern_matcher import *
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, joint_fwd_bwd, register_replacement, register_graph_pattern
`

/** The lines that a file prints. */
export function printedBy(py: Started, source: string): string {
  const run = py.run(source)
  if (run.failure) throw new Error(run.failure.traceback)
  return run.console.map((c) => c.text).join('\n')
}
