/** Explains a pattern of a pass expression by expression, with counts in the graph before the pass. */
import { worded } from '../../base/message'
import { thousands } from '../../base/english'
import { Node, type Arg, type SourceRef } from '../../fx'
import type { EntryPatterns } from '../../matcher'
import { PatternExpr } from '../../matcher/expr/pattern_expr'
import { PatternPrettyPrinter } from '../../matcher/pretty_printer'
import type { PassToExplain } from '../pass'
import { checkText, emptyCheck } from './check_texts'
import { Counter, isValue, valuesAt } from './counting'
import { piecesOf, type Piece, wrappedBy } from './pieces'
import { acceptsMessage, kindOf, labelOf, notesOf } from './sentences'
import { stageFacts } from './stages'
import { TargetIndex } from './target_index'
import type { ExplainedExpression, ExplainedPattern, ExplainedStage, ExpressionFinding, DrawnExpression } from './types'
import { TargetExpr } from '../../matcher/expr/target'

/** @returns the nodes, and the position of each object among them */
function drawingOf(pieces: readonly Piece[]): { nodes: DrawnExpression[]; at: Map<unknown, number> } {
  const children = new Map<Piece, Piece[]>()
  for (const piece of pieces) {
    if (!piece.parent) continue
    const list = children.get(piece.parent)
    if (list) list.push(piece)
    else children.set(piece.parent, [piece])
  }
  const nodes: DrawnExpression[] = []
  const at = new Map<unknown, number>()
  /** The drawn nodes of a piece; a container is drawn as its items, a constant is not drawn. */
  const draw = (piece: Piece): number[] => {
    const { arg } = piece
    const known = at.get(arg)
    if (arg instanceof PatternExpr && known !== undefined) return [known]
    const inputs = (children.get(piece) ?? []).flatMap(draw)
    if (!(arg instanceof PatternExpr)) return inputs
    const index = nodes.push({ ...textsOf(piece, arg), inputs: [...new Set(inputs)] }) - 1
    at.set(arg, index)
    return [index]
  }
  const [root] = pieces
  if (root) draw(root)
  return { nodes, at }
}

function textsOf(piece: Piece, arg: PatternExpr): Pick<DrawnExpression, 'label' | 'detail' | 'kind'> {
  const kind = kindOf(piece)
  if (arg instanceof TargetExpr) return { label: wrappedBy(arg) ?? arg.fns[0] ?? '[]', detail: kind, kind: 'call' }
  if ('name' in arg) return { label: String(arg.name), detail: kind, kind: 'input' }
  const isLeaf = kind === 'Arg' || kind === 'Ignored'
  return { label: isLeaf ? labelOf(piece) : kind, detail: kind, kind: isLeaf ? 'input' : 'call' }
}

/** Maximum number of node names of one expression. */
export const MAX_NODES = 2000

/** A pattern of one stage. */
interface StagePattern {
  stage: ExplainedStage['stage']
  title: string
  pattern: PatternExpr
  exact: PatternExpr | null
  toInitial: readonly (number | null)[] | null
  /** The trace with the example inputs, whose sizes differ from the graph's. */
  example?: boolean
}

/** @param pass provides the graph, the attempts and the schemas */
export function explainPattern(pass: PassToExplain, entry: number, patterns: EntryPatterns): ExplainedPattern {
  const index = TargetIndex.of(pass.graph)
  const fired = pass.matches.some((m) => m.entry === entry)
  const context = { pass, patterns, index, fired }
  const stages = stagePatterns(pass, entry, patterns).map((s) => new StageExplainer(s, context).explain())
  return {
    pass: pass.name,
    entry,
    title: pass.entries[entry]?.registration.title ?? '',
    kind: patterns.kind,
    graphNodes: index.size,
    stages,
  }
}

/** The line of a hand-written expression or of the nearest enclosing one. */
function writtenAt(piece: Piece): SourceRef | null {
  for (let p: Piece | null = piece; p; p = p.parent)
    if (p.arg instanceof PatternExpr && p.arg.source) return p.arg.source
  return null
}

const textOf = (pattern: PatternExpr): string =>
  PatternPrettyPrinter.canPrint(pattern) ? PatternPrettyPrinter.run(pattern) : pattern.repr()

/** The patterns to explain: the stage-one pattern, and the stage-two patterns that differ from it. */
function stagePatterns(pass: PassToExplain, entry: number, patterns: EntryPatterns): StagePattern[] {
  const { kind, initial, exact, specific } = patterns
  const only = { pattern: initial, exact, toInitial: null }
  if (kind === 'graph') return [{ ...only, stage: 'one', title: 'The only attempt' }]
  if (kind === 'given') return [{ ...only, stage: 'both', title: 'Both stages' }]
  const anchors = new Map<string, Set<string>>()
  for (const a of pass.attempts)
    if (a.entry === entry && a.phase === 'specific' && a.pattern)
      anchors.set(a.pattern, (anchors.get(a.pattern) ?? new Set()).add(a.node))
  const traced = new Map<string, StagePattern>()
  for (const { pattern, toInitial } of specific) {
    const text = textOf(pattern)
    const at = [...(anchors.get(text) ?? [])]
    if (at.length === 0 || traced.has(text)) continue
    const more = at.length > 1 ? ` and ${thousands(at.length - 1)} more` : ''
    traced.set(text, { stage: 'two', title: `Stage two at ${at[0]}${more}`, pattern, exact: null, toInitial })
  }
  if (traced.size === 0 && exact)
    traced.set(textOf(exact), {
      ...only,
      pattern: exact,
      exact: null,
      stage: 'two',
      example: true,
      title: 'Stage two, example inputs',
    })
  if (traced.size === 1 && traced.has(textOf(initial))) return [{ ...only, stage: 'both', title: 'Both stages' }]
  return [{ ...only, stage: 'one', title: 'Stage one' }, ...traced.values()]
}

interface StageContext {
  pass: PassToExplain
  patterns: EntryPatterns
  index: TargetIndex
  /** The pattern fired: its matches may contain nodes created during the pass. */
  fired: boolean
}

class StageExplainer {
  private readonly pieces: readonly Piece[]
  private readonly counter: Counter
  private readonly sources: readonly (SourceRef | null)[]
  private readonly named = new Map<string, number>()
  /** Null for a traced pattern. */
  private readonly drawing: ReturnType<typeof drawingOf> | null

  constructor(
    private readonly stage: StagePattern,
    private readonly context: StageContext,
  ) {
    const { pattern, exact } = stage
    const { index, pass, patterns } = context
    this.pieces = piecesOf(pattern, exact)
    this.counter = new Counter(pattern, index, pass.schemaOf)
    this.drawing = patterns.searchGraph ? null : drawingOf(this.pieces)
    this.sources = [...(patterns.searchGraph?.nodes() ?? [])].map((n) => n.meta.source ?? null)
    for (const { arg } of this.pieces)
      if (arg instanceof PatternExpr && 'name' in arg) {
        const name = String(arg.name)
        this.named.set(name, (this.named.get(name) ?? 0) + 1)
      }
  }

  explain(): ExplainedStage {
    const { stage, title } = this.stage
    const expressions = this.pieces.map((p) => this.expression(p))
    return { stage, title, findings: this.findings(), expressions, drawing: this.drawing?.nodes ?? null }
  }

  private expression(piece: Piece): ExplainedExpression {
    const { arg } = piece
    const isOutput = arg instanceof PatternExpr && this.counter.isOutput(arg)
    const { parts, sentence } = worded(acceptsMessage(piece, isOutput, this.context.patterns.kind))
    const patternNode = this.patternNodeOf(piece)
    return {
      index: piece.index,
      parent: piece.parent?.index ?? null,
      depth: piece.depth,
      kind: kindOf(piece),
      where: piece.where,
      label: labelOf(piece, isOutput),
      parts,
      sentence,
      ...stageFacts(piece, this.context.patterns.kind),
      notes: notesOf(piece, this.named),
      patternNode,
      drawn: this.drawnOf(piece),
      source: patternNode === null ? writtenAt(piece) : (this.sources[patternNode] ?? null),
      same: piece.same?.index ?? null,
      ...this.counts(piece),
    }
  }

  /** The line of the expression, or of the nearest enclosing expression. */
  private patternNodeOf(piece: Piece): number | null {
    if (!this.context.patterns.searchGraph) return null
    for (let p: Piece | null = piece; p; p = p.parent) {
      const own = p.arg instanceof PatternExpr ? p.arg.patternNode : null
      if (own === null) continue
      const { toInitial } = this.stage
      return toInitial ? (toInitial[own] ?? null) : own
    }
    return null
  }

  private drawnOf(piece: Piece): number | null {
    if (!this.drawing) return this.patternNodeOf(piece)
    for (let p: Piece | null = piece; p; p = p.parent) {
      const at = this.drawing.at.get(p.arg)
      if (at !== undefined) return at
    }
    return null
  }

  private counts(piece: Piece): Pick<ExplainedExpression, 'checks' | 'alone' | 'whole' | 'values' | 'nodes'> {
    const counted = piece.arg instanceof PatternExpr ? this.counter.of(piece.arg) : null
    if (!counted) return this.argumentCounts(piece)
    const { checks, alone, whole } = counted
    return {
      checks: checks.map(({ check, nodes }) => {
        return { check, count: nodes.length, text: checkText(check, nodes.length, piece.arg as PatternExpr) }
      }),
      alone: alone.length,
      ...(whole && { whole: whole.length }),
      ...named(whole && whole.length > 0 ? whole : alone),
    }
  }

  /** For a constant or a wildcard: the nodes with its value. For an argument: the nodes bound to it. */
  private argumentCounts(piece: Piece): Pick<ExplainedExpression, 'values' | 'nodes'> {
    const call = piece.call?.piece.arg
    const counted = call instanceof PatternExpr ? this.counter.of(call) : null
    if (!counted) return { nodes: [] }
    const values = valuesAt(counted, piece)
    const constant = piece.constant ?? (piece.arg instanceof PatternExpr ? undefined : piece.arg)
    if (constant !== undefined) {
      const equal = [...values].filter(([, found]) => isValue(found, constant as Arg)).map(([n]) => n)
      return { ...(values.size > 0 && { values: { equal: equal.length, of: values.size } }), ...named(equal) }
    }
    const from = counted.whole && counted.whole.length > 0 ? counted.whole : counted.alone
    const bound = new Set(from.map((n) => values.get(n)).filter((v) => v instanceof Node))
    return named([...bound])
  }

  /** Absent operators first, then other checks, then calls whose arguments match nowhere. */
  private findings(): ExpressionFinding[] {
    if (this.context.fired) return []
    const found: ExpressionFinding[] = []
    for (const piece of this.pieces) {
      if (piece.same || !(piece.arg instanceof PatternExpr) || !this.isRequired(piece)) continue
      const counted = this.counter.of(piece.arg)
      const empty = counted && emptyCheck(piece.arg, counted, this.context.index)
      if (!empty || (this.stage.example && DEPENDS_ON_SIZES.has(empty.check))) continue
      // An enclosing expression fails for the same reason; only the innermost one is named.
      if (empty.check === 'inputs' && this.hasEmptyBelow(piece)) continue
      if (piece.arg.className === 'MultiOutputPattern' && empty.check !== 'inputs') continue
      found.push({ expression: piece.index, check: empty.check, ...worded(empty.message) })
    }
    const sentences = found.map((f) => f.sentence)
    const rank = (f: ExpressionFinding): number => (f.check === 'operator' ? 0 : f.check === 'inputs' ? 2 : 1)
    return found
      .filter((f, i) => sentences.indexOf(f.sentence) === i)
      .sort((a, b) => rank(a) - rank(b) || a.expression - b.expression)
  }

  /** False within an expression whose matching is decided by the user's Python. */
  private isRequired(piece: Piece): boolean {
    for (let p = piece.parent; p; p = p.parent) if (p.arg instanceof PatternExpr && p.arg.hasOwnMatch) return false
    return true
  }

  private hasEmptyBelow(piece: Piece): boolean {
    return this.pieces.some((other) => {
      if (other === piece || !isWithin(other, piece) || !(other.arg instanceof PatternExpr)) return false
      const counted = this.counter.of(other.arg)
      return counted !== null && (counted.whole ?? counted.alone).length === 0
    })
  }
}

/** Checks of constants that depend on the shapes of a match. */
const DEPENDS_ON_SIZES: ReadonlySet<string> = new Set(['constants', 'inputs'])

function isWithin(piece: Piece, outer: Piece): boolean {
  for (let p = piece.parent; p; p = p.parent) if (p === outer) return true
  return false
}

function named(nodes: readonly Node[]): Pick<ExplainedExpression, 'nodes' | 'nodesLeftOut'> {
  const names = nodes.slice(0, MAX_NODES).map((n) => n.name)
  return nodes.length > names.length ? { nodes: names, nodesLeftOut: nodes.length - names.length } : { nodes: names }
}
