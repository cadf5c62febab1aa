/** Makes patterns from selections, with one Python for all of them. */
import type { Result } from '../../base/result'
import type { Graph } from '../../fx'
import { PatternRegistry } from '../../matcher'
import { createPythonHost } from '../../python/host'
import type { PythonAssets, PythonHost } from '../../python/types'
import { createTracer } from '../../trace'
import type { Tracer } from '../../trace/types'
import { readCase, type CaseInput } from '../cases/case_input'
import { registryOptions, sinkOf } from '../session/registering'
import { shapedGraph } from '../shapes/shaped_graph'
import { PatternTrials } from './pattern_trials'
import type { MadePattern, PatternOptions } from './types'

/** A graph, and the names of the selected nodes. */
export interface SelectionCase extends Pick<
  CaseInput,
  'id' | 'graph' | 'readable' | 'shapes' | 'custom_meta' | 'get_attr_values'
> {
  nodes: readonly string[]
}

export class PatternMaker {
  private readonly tracer: Tracer = createTracer()
  private registry: PatternRegistry
  private host!: PythonHost
  private trials!: PatternTrials
  /** The last graph, which often has several selections. */
  private last: { key: string; graph: Graph } | null = null

  private constructor() {
    this.registry = new PatternRegistry(registryOptions(this.tracer, () => this.host))
  }

  static async create(assets: PythonAssets): Promise<PatternMaker> {
    const maker = new PatternMaker()
    const { tracer } = maker
    maker.host = await createPythonHost({ assets, tracer, sink: sinkOf(() => maker.registry) })
    maker.trials = new PatternTrials({
      host: maker.host,
      tracer,
      register: (registry) => {
        maker.registry = registry
      },
    })
    return maker
  }

  /** True if Python is unusable: create another maker. */
  get broken(): boolean {
    return this.host.broken
  }

  make(input: SelectionCase, options: PatternOptions = {}): Result<MadePattern, string> {
    return this.trials.make(this.graphOf(input), input.id, input.nodes, options)
  }

  private graphOf(input: SelectionCase): Graph {
    const key = JSON.stringify({ ...input, id: '', nodes: [] })
    if (this.last?.key !== key) {
      const read = readCase({ ...input, pattern_py: '' })
      this.tracer.begins?.(read)
      this.last = { key, graph: shapedGraph(read, input.shapes ?? {}, this.tracer).graph }
    }
    return this.last.graph
  }
}
