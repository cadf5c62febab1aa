import { readFileSync } from 'node:fs'
import type { Graph } from '../../fx'
import { PatternRegistry, type PatternRegistryOptions, type RegisteredEntry, type Registration } from '../../matcher'
import { createTracer } from '../../trace'
import { createPythonHost } from '../host'
import { nodeAssets } from '../node_assets'
import type { PythonEnvironment, PythonFile, PythonHost, PythonRun } from '../types'

/** Python with the real tracer and registry, set up as in the engine. */
export interface Started {
  host: PythonHost
  /** Runs files, or one text as `p.py`. */
  run(files: string | readonly PythonFile[], environment?: PythonEnvironment, precise?: boolean): PythonRun
  /** The registrations of the last run by register_replacement. */
  readonly registrations: Registration[]
  /** The last run's passes. */
  readonly registry: PatternRegistry
  /** The registration's search function over its example inputs. */
  trace(registration: Registration): Graph
}

class Recording extends PatternRegistry {
  constructor(
    private readonly registrations: Registration[],
    options: PatternRegistryOptions,
  ) {
    super(options)
  }

  override registerReplacement(pass: number, registration: Registration): RegisteredEntry | null {
    this.registrations.push(registration)
    return super.registerReplacement(pass, registration)
  }
}

export async function start(): Promise<Started> {
  const tracer = createTracer()
  const registrations: Registration[] = []
  let registry: Recording
  const host: PythonHost = await createPythonHost({
    assets: nodeAssets(),
    tracer,
    sink: () => registry,
  })
  return {
    host,
    registrations,
    get registry() {
      return registry
    },
    run(files, environment, precise) {
      registrations.length = 0
      registry = new Recording(registrations, {
        host: () => host,
        schemaOf: (target) => tracer.schemaOf(target),
        overloadsOf: (packet) => tracer.overloadsOf(packet),
      })
      return host.run(typeof files === 'string' ? [{ name: 'p.py', text: files }] : files, environment, precise)
    },
    trace: (r) => host.trace(r.search, r.argNames, r.exampleInputs),
  }
}

export const testing = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

export const SM90: PythonEnvironment = {
  platform: 'cuda-sm90',
  dtype: 'bfloat16',
  tokens: null,
  customOps: ['all'],
  functionalization: 'v1',
  flags: {},
}

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
