/** One entry at one anchor with its Python source; the input of fix candidates. */
import { Node, type Arg, type SourceRef, isGetitem } from '../../fx'
import type { EntryView } from '../../matcher'
import { Aligner, type Alignment } from '../align/align'
import { GraphIndex } from '../align/anchors'
import type { NearMissFold } from '../near_misses'
import { patternGraph, placeholderNames, type PatternGraph } from '../align/pattern_graph'
import type { SourceFile } from './change'
import {
  constantRepr,
  listField,
  isFunction,
  functionAround,
  nodeField,
  paramNames,
  SyntaxFile,
  textField,
  within,
  type SyntaxNode,
} from './syntax'
import type { Definition, FixPass, FixRun, TrialRunner } from './trials'

/** A function in the user's text. */
export interface Fn {
  file: SyntaxFile
  node: SyntaxNode
}

/** An expression in the user's text. */
export interface Expression {
  file: SyntaxFile
  node: SyntaxNode
}

export class PatternSite {
  readonly index: GraphIndex
  readonly pattern: PatternGraph | null
  readonly alignment: Alignment | null
  readonly search: Fn | null
  readonly replace: Fn | null
  /** The handler of a pattern written as PatternExpr objects. */
  readonly handler: Fn | null
  readonly files: readonly SourceFile[]
  private readonly parsed = new Map<string, SyntaxFile | null>()

  constructor(
    private readonly trials: TrialRunner,
    run: FixRun,
    readonly pass: FixPass,
    readonly entry: EntryView,
    readonly miss: NearMissFold | null,
  ) {
    const { graph, schemaOf } = pass.toExplain
    this.files = run.files
    this.index = GraphIndex.of(graph)
    const { searchGraph, registration } = entry
    this.pattern =
      searchGraph && 'argNames' in registration
        ? patternGraph(searchGraph, placeholderNames(searchGraph, registration.argNames), {
            exclusive: registration.exclusiveArgNames,
            workaround: registration.scalarWorkaround,
            subgraph: registration.subgraph,
          })
        : null
    this.alignment = null
    const anchor = miss && this.index.byName.get(miss.anchors[0] ?? '')
    if (this.pattern && anchor) {
      const aligner = new Aligner(this.pattern, { schemaOf, stage: 'initial', index: this.index })
      let best: Node | null = null
      for (const output of this.pattern.outputs)
        if (best === null || aligner.value(output, anchor) > aligner.value(best, anchor)) best = output
      if (best) this.alignment = aligner.align(best, anchor)
    }
    this.search = 'search' in registration ? this.functionOf(run.definition(registration.search)) : null
    this.replace = 'replace' in registration ? this.functionOf(run.definition(registration.replace)) : null
    this.handler = 'handler' in registration ? this.functionOf(run.definition(registration.handler)) : null
  }

  file(name: string): SyntaxFile | null {
    let file = this.parsed.get(name)
    if (file === undefined) {
      const source = this.files.find((f) => f.name === name)
      const data = source && this.trials.syntax(source.text)
      this.parsed.set(name, (file = source && data ? new SyntaxFile(name, source.text, data) : null))
    }
    return file
  }

  /** The location of an expression in parentheses, with its file if there are several. */
  at({ file, node }: Expression): string {
    return this.files.length > 1 ? `(${file.name}:${node.line})` : `(line ${node.line})`
  }

  /** The expressions that produced a traced node, innermost first, up to one in the search function itself. */
  expressions(node: Node): Expression[] {
    const out: Expression[] = []
    for (const span of node.meta.source?.spans ?? []) {
      const file = this.file(span[0])
      const found = file?.at(span)
      if (!file || !found) continue
      const around = functionAround(found)
      // The caller of the search function is the registration.
      if (this.search && around === null) break
      out.push({ file, node: found })
      if (this.search && around === this.search.node) break
    }
    return out
  }

  /** All expressions that led to a traced node, innermost first. */
  spansOf(node: Node): Expression[] {
    return this.writtenAt(node.meta.source)
  }

  private writtenAt(source: SourceRef | null | undefined): Expression[] {
    return (source?.spans ?? []).flatMap((span): Expression[] => {
      const file = this.file(span[0])
      const found = file?.at(span)
      return file && found ? [{ file, node: found }] : []
    })
  }

  expression(node: Node): Expression | null {
    return this.expressions(node)[0] ?? null
  }

  /** True for an item created together with its operator's call; an index written in the user's code follows later. */
  isTakenItem(p: Node): boolean {
    const producer = isGetitem(p) ? p.inputs()[0] : undefined
    if (!producer) return false
    const [mine, theirs] = [this.expression(p), this.expression(producer)]
    return mine !== null && mine.node === theirs?.node && mine.node.type !== 'Subscript'
  }

  /** Expressions of the search function that evaluate to a pattern node. */
  values(p: Node): Expression[] {
    const own = this.expression(p)
    if (!own) return []
    if (!this.isTakenItem(p)) return [own]
    const name = this.nameOf(own)
    const around = functionAround(own.node)
    const index = String(p.args[1] as bigint)
    return own.file.nodes
      .filter((n) => {
        if (n.type !== 'Subscript' || functionAround(n) !== around) return false
        const [value, slice] = [nodeField(n, 'value'), nodeField(n, 'slice')]
        if (!slice || constantRepr(slice) !== index) return false
        return value === own.node || (name !== null && value?.type === 'Name' && textField(value, 'id') === name)
      })
      .map((node) => ({ file: own.file, node }))
  }

  /** The variable that holds a pattern node's value. */
  variableOf(p: Node): string | null {
    if (p.op === 'placeholder') return this.paramOf(p)
    const own = this.expression(p)
    if (!own) return null
    if (!this.isTakenItem(p)) return this.nameOf(own)
    const unpacked = unpackedTo(own.node)[Number(p.args[1] as bigint)]
    if (unpacked?.type === 'Name') return textField(unpacked, 'id')
    for (const e of this.values(p)) {
      const name = this.nameOf(e)
      if (name !== null) return name
    }
    return null
  }

  /** The calls that led to the registration, innermost (register_replacement's) first. */
  registrationCalls(): Expression[] {
    return this.writtenAt(this.entry.registration.source)
  }

  patternNode(index: number | null): Node | null {
    return index === null ? null : (this.pattern?.nodes[index] ?? null)
  }

  /** The graph value aligned with a pattern node or argument. */
  partner(p: Node): Arg | undefined {
    if (p.op === 'placeholder') return this.alignment?.bound.get(this.pattern?.argNames.get(p) ?? '')
    return this.alignment?.pairs.get(p)
  }

  /** Pattern nodes, including arguments, that are aligned with a graph node. */
  patternNodesFor(g: Node): Node[] {
    return (this.pattern?.nodes ?? []).filter((p) => this.partner(p) === g)
  }

  /** Parameter of the search function for a placeholder. */
  paramOf(p: Node): string | null {
    const name = this.pattern?.argNames.get(p) ?? null
    return this.search && name !== null && paramNames(this.search.node).includes(name) ? name : null
  }

  /** Code that evaluates to a pattern node at `at`: an argument, a variable, or its own text. */
  textOf(p: Node, at: Expression): string | null {
    if (p.op === 'placeholder') {
      const name = this.paramOf(p)
      const around = functionAround(at.node)
      if (name !== null && around !== null && around === this.search?.node) return name
      return null
    }
    const own = this.expression(p)
    if (!own || own.file !== at.file) return null
    const values = this.values(p).map((e) => e.node)
    for (const n of within(at.node)) if (n !== at.node && values.includes(n)) return at.file.source(n)
    if (functionAround(own.node) !== functionAround(at.node)) return null
    const name = this.variableOf(p)
    if (name !== null || !this.isTakenItem(p)) return name
    const whole = this.nameOf(own)
    return whole === null ? null : `${whole}[${String(p.args[1] as bigint)}]`
  }

  /** The variable to which a whole expression is assigned. */
  nameOf({ node }: Expression): string | null {
    const statement = node.parent
    if (statement?.type === 'NamedExpr') return textField(nodeField(statement, 'target')!, 'id')
    if (statement?.type !== 'Assign') return null
    const targets = statement.fields.get('targets') as readonly SyntaxNode[]
    return targets.length === 1 && targets[0]!.type === 'Name' ? textField(targets[0]!, 'id') : null
  }

  private functionOf(definition: Definition | null): Fn | null {
    const file = definition && this.file(definition.file)
    if (!file) return null
    const lambda = definition.name === '<lambda>'
    const node = file.nodes.find(
      (n) =>
        isFunction(n) &&
        (lambda ? n.type === 'Lambda' && n.line === definition.line : textField(n, 'name') === definition.name) &&
        (lambda || firstLine(n) === definition.line),
    )
    return node ? { file, node } : null
  }
}

/** The variables into which a call's result is unpacked. */
export function unpackedTo(call: SyntaxNode): SyntaxNode[] {
  const targets = call.parent?.type === 'Assign' ? listField(call.parent, 'targets') : []
  const target = targets.length === 1 ? targets[0]! : null
  return target?.type === 'Tuple' || target?.type === 'List' ? listField(target, 'elts') : []
}

/** A function's code starts at its first decorator. */
const firstLine = (fn: SyntaxNode): number => {
  const decorators = fn.fields.get('decorator_list')
  const first = Array.isArray(decorators) ? (decorators[0] as SyntaxNode | undefined) : undefined
  return Math.min(fn.line, first?.line ?? fn.line)
}
