/** Converts a pattern written as PatternExpr objects to a graph, so that it is aligned like a traced one. */
import { orElse } from '../../base/or_else'
import { Graph, type Arg, type Node } from '../../fx'
import type { PatternArgData, PatternData } from '../../matcher/types'
import { patternGraph, type PatternGraph } from './pattern_graph'

/** Null for a pattern with objects other than CallFunction, KeywordArg, Arg, Ignored and MultiOutputPattern. */
export function writtenPattern(data: PatternData, targets: ReadonlySet<string>): PatternGraph | null {
  const writer = new PatternWriter(targets)
  return orElse(() => writer.write(data), null, NotWritable)
}

class NotWritable extends Error {}

class PatternWriter {
  private readonly graph = new Graph()
  private readonly byId = new Map<number, Node>()
  /** One placeholder per argument name. */
  private readonly byName = new Map<string, Node>()
  private readonly names: string[] = []
  private readonly users = new Map<Node, number | 'MULTIPLE'>()

  /** @param targets of the graph; they decide which overload represents a packet */
  constructor(private readonly targets: ReadonlySet<string>) {}

  write(data: PatternData): PatternGraph {
    const outputs =
      data.expr === 'MultiOutputPattern' ? data.outputs.flatMap((o) => (o ? [this.node(o)] : [])) : [this.node(data)]
    this.graph.createNode('output', 'output', [outputs])
    return { ...patternGraph(this.graph, this.names), users: this.users, indexOf: () => null }
  }

  private node(data: PatternData): Node {
    const seen = this.byId.get(data.id)
    if (seen) return seen
    if (data.match !== undefined) throw new NotWritable()
    const made = this.make(data)
    this.byId.set(data.id, made)
    return made
  }

  private make(data: PatternData): Node {
    switch (data.expr) {
      case 'KeywordArg':
        return this.argument(data.name ?? `arg_${data.id}`)
      case 'Arg':
      case 'Ignored':
        return this.argument(`${data.expr.toLowerCase()}_${data.id}`)
      case 'CallFunction': {
        const target = data.fns.find((f) => this.targets.has(f)) ?? data.fns[0]
        if (target === undefined) throw new NotWritable()
        const args = data.args.map((a) => this.value(a))
        const kwargs = new Map(data.kwargs.map(([k, a]) => [k, this.value(a)]))
        const node = this.graph.createNode('call_function', target, args, kwargs)
        this.users.set(node, data.users)
        return node
      }
      default:
        throw new NotWritable()
    }
  }

  private argument(name: string): Node {
    let node = this.byName.get(name)
    if (!node) {
      this.byName.set(name, (node = this.graph.createNode('placeholder', name)))
      this.names.push(name)
    }
    return node
  }

  private value(data: PatternArgData): Arg {
    if ('pattern' in data) return this.node(data.pattern)
    if ('value' in data) return data.value
    if ('list' in data) return data.list.map((d) => this.value(d))
    if ('tuple' in data) return { kind: 'tuple', items: data.tuple.map((d) => this.value(d)) }
    throw new NotWritable()
  }
}
