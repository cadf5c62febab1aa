/** Makes patterns from selections, with one shared Python. */
import type { Result } from '../../base/result'
import type { Graph } from '../../fx'
import type { PythonAssets } from '../../python/types'
import { readCase, type CaseInput } from '../cases/case_input'
import { Interpreter } from '../run/interpreter'
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
  private readonly trials: PatternTrials
  /** The last graph, because one graph often has several selections. */
  private last: { key: string; graph: Graph } | null = null

  private constructor(private readonly interpreter: Interpreter) {
    this.trials = new PatternTrials(interpreter)
  }

  static async create(assets: PythonAssets): Promise<PatternMaker> {
    return new PatternMaker(await Interpreter.start(assets))
  }

  /** True if Python is unusable: create another maker. */
  get broken(): boolean {
    return this.interpreter.broken
  }

  make(input: SelectionCase, options: PatternOptions = {}): Result<MadePattern, string> {
    return this.trials.make(this.graphOf(input), input.id, input.nodes, options)
  }

  private graphOf(input: SelectionCase): Graph {
    const key = JSON.stringify({ ...input, id: '', nodes: [] })
    if (this.last?.key !== key) {
      const read = readCase({ ...input, pattern_py: '' })
      this.interpreter.clear(read)
      this.last = { key, graph: shapedGraph(read, input.shapes ?? {}, this.interpreter.tracer).graph }
    }
    return this.last.graph
  }
}
