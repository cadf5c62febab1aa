/** Fine steps of one attempt: expressions entered and left, arguments compared in order, values bound. */
import type { Arg } from '../../fx'
import { ListOf, MultiOutputPattern, RepeatedExpr } from '../expr/combined'
import { GetAttr } from '../expr/get_attr'
import { ExclusiveKeywordArg, Ignored, KeywordArg, Arg as PositionalArg } from '../expr/leaves'
import type { Pattern } from '../expr/pattern'
import { PatternExpr, type PatternArg } from '../expr/pattern_expr'
import { TargetExpr } from '../expr/target'
import { isTargetArgsExpr } from '../expr/target_args'
import type { FailedMatch, MatchResult } from '../match'
import type { MatchContext } from '../match_context'
import { boundSentence, expressionSentence, failureText, leafSentence, patternText, rootText } from './attempt_text'
import { checksOf } from './checks'
import { nameOf, argumentName, plain, capitalized, valueText } from './step_text'
import type { StepParts, StepWriter } from './writer'

/** An expression that was entered but not left. */
interface Frame {
  pattern: PatternExpr
  node: Arg
  /** The arguments on both sides; empty if there are none. */
  expected: readonly PatternArg[]
  found: readonly Arg[]
  paths: readonly string[]
  /** Index of the first argument without a step. */
  next: number
  /** Number of patterns matched below this one so far. */
  children: number
  /** True once its failure has a step. */
  reported: boolean
  /** The last step before the most recently entered child. */
  mark: number
}

export class AttemptSteps {
  private readonly frames: Frame[] = []

  /**
   * @param depth of the first expression
   * @param toInitial maps pattern nodes of a re-trace to the entry's
   */
  constructor(
    private readonly to: StepWriter,
    private readonly depth: number,
    private readonly toInitial: readonly (number | null)[] | null,
    /** Names of the entry's pattern nodes. */
    private readonly names: readonly string[],
  ) {}

  enter(pattern: PatternExpr, node: Arg, ctx: MatchContext): void {
    const parent = this.frames.at(-1)
    const where = parent && this.arrive(parent, pattern)
    const compared = pattern instanceof TargetExpr ? checksOf(pattern, node, ctx) : null
    if (!isLeaf(pattern)) {
      const what = patternText(pattern)
      this.write(pattern, node, {
        kind: 'expression',
        level: 'coarse',
        text: where ? `${capitalized(where)} must be ${what}: ${valueText(node)}` : rootText(pattern, node),
        sentence: expressionSentence({ pattern, node, where, compared }),
        expected: what,
        found: valueText(node),
      })
    }
    const frame: Frame = {
      pattern,
      node,
      expected: [],
      found: [],
      paths: where ? [where] : [],
      next: 0,
      children: 0,
      reported: false,
      mark: this.to.last,
    }
    this.frames.push(frame)
    if (!compared) return
    const { checks, items } = compared
    for (const check of checks) {
      this.write(pattern, node, check.ok ? check : { ...check, level: 'coarse' })
      frame.reported ||= !check.ok
    }
    if (!items || !isTargetArgsExpr(pattern)) return
    frame.expected = pattern.flat.items
    frame.paths = pattern.flat.paths
    frame.found = items
  }

  leave(result: MatchResult): void {
    const frame = this.frames.at(-1)!
    const { pattern, node } = frame
    if (result.ok) {
      this.constantsUpTo(frame, frame.expected.length)
      this.bound(frame)
    } else if (!frame.reported) this.writeFailure(frame, result)
    this.frames.pop()
    const parent = this.frames.at(-1)
    if (result.ok || !parent) return
    if (parent.pattern instanceof ListOf && parent.pattern.partial) {
      const text = `${valueText(node)} is skipped: the list may contain other items`
      this.write(pattern, node, { kind: 'revert', level: 'coarse', text, restores: parent.mark })
    } else parent.reported = true
  }

  /** A pattern that occurs again must match the same value again. */
  again(pattern: PatternExpr, node: Arg, seen: Arg, result: MatchResult): void {
    const parent = this.frames.at(-1)
    const where = parent && this.arrive(parent, pattern)
    const what = this.nameOf(pattern) ?? patternText(pattern)
    const [expected, found] = [valueText(seen), valueText(node)]
    const text = result.ok
      ? `${what} occurs again${where ? ` as ${where}` : ''} and is ${found}, as before`
      : `${what} is already ${expected}, but here ${where ? `${where} ` : 'it '}is ${found}`
    this.write(pattern, node, { kind: 'comparison', level: 'coarse', ok: result.ok, expected, found, text })
    if (!result.ok && parent) parent.reported = true
  }

  /** An output was tried at a wrong node: the bindings made there are undone. */
  revert(): void {
    const parent = this.frames.at(-1)
    if (!parent) return
    parent.reported = false
    this.to.write({
      kind: 'revert',
      level: 'coarse',
      depth: this.depth + this.frames.length,
      text: 'The bindings of this try are undone',
      restores: parent.mark,
    })
  }

  /** Writes steps for the arguments before this one, and returns its location. */
  private arrive(parent: Frame, pattern: PatternExpr): string | undefined {
    parent.mark = this.to.last
    const child = parent.children++
    if (parent.pattern instanceof MultiOutputPattern) {
      const output = parent.pattern.all.indexOf(pattern)
      return output < 0 ? undefined : `output ${output}`
    }
    if (parent.pattern instanceof ListOf) return `item ${child}`
    if (parent.pattern instanceof RepeatedExpr) return child === 0 ? undefined : `repetition ${child}`
    let at = parent.next
    while (at < parent.expected.length && parent.expected[at] !== pattern) at++
    if (at === parent.expected.length) return undefined
    this.constantsUpTo(parent, at)
    parent.next = at + 1
    return argumentName(parent.paths[at]!)
  }

  /** Writes steps for the pattern's constants up to `end`, which all agreed. */
  private constantsUpTo(frame: Frame, end: number): void {
    for (; frame.next < end; frame.next++) {
      const expected = frame.expected[frame.next]!
      if (expected instanceof PatternExpr) continue
      const text = valueText(frame.found[frame.next]!)
      const own = valueText(expected as Arg)
      this.write(frame.pattern, frame.node, {
        kind: 'comparison',
        // Stage two exists for its constants; in stage one most are wildcards.
        level: this.toInitial ? 'coarse' : 'fine',
        ok: true,
        expected: own,
        found: text,
        text: `${capitalized(argumentName(frame.paths[frame.next]!))} is ${text} on both sides`,
      })
    }
  }

  private writeFailure(frame: Frame, result: FailedMatch): void {
    const { at } = result
    if (at.kind === 'constant_args' && at.argument !== null && at.pattern === frame.pattern)
      this.constantsUpTo(frame, frame.paths.indexOf(at.argument))
    const [expected, found] = [at.expected && plain(at.expected), at.found && plain(at.found)]
    const text = failureText(at.kind, at.argument, expected, found)
    const pattern = at.pattern ?? frame.pattern
    const graphNode = at.graphNode ?? nameOf(frame.node)
    this.write(pattern, frame.node, {
      ...{ kind: 'comparison', level: 'coarse', ok: false },
      ...{ expected, found, text, graphNode },
    })
  }

  private bound({ pattern, node, paths }: Frame): void {
    const found = valueText(node)
    if (pattern instanceof Ignored) {
      const text = `${capitalized(paths[0] ?? 'this argument')} is ${found}: the pattern accepts any value here`
      const sentence = leafSentence(pattern, paths[0], found)
      this.write(pattern, node, {
        ...{ kind: 'argument', level: 'coarse', ok: true },
        ...{ expected: 'any', found, text, sentence },
      })
      return
    }
    if (pattern instanceof KeywordArg || pattern instanceof ExclusiveKeywordArg || pattern instanceof PositionalArg) {
      const name = 'name' in pattern ? pattern.name : 'Arg()'
      const where = paths[0] ? `${capitalized(paths[0])}, ` : ''
      const text = `${where}${found}, is bound to ${'name' in pattern ? `the pattern’s input ${name}` : 'an Arg() of the pattern'}`
      const sentence = leafSentence(pattern, paths[0], found)
      this.write(pattern, node, {
        ...{ kind: 'binding', level: 'coarse', ok: true },
        ...{ expected: name, found, text, sentence },
      })
      return
    }
    if (pattern instanceof MultiOutputPattern || pattern instanceof ListOf || pattern instanceof RepeatedExpr) return
    const name = this.nameOf(pattern)
    const text = name ? `${found} matches ${name} of the pattern` : `${found} matches ${patternText(pattern)}`
    const sentence = boundSentence(node, this.enclosing())
    this.write(pattern, node, { kind: 'binding', level: 'coarse', ok: true, expected: name, found, text, sentence })
  }

  /** The expression around the innermost one, and its next argument. */
  private enclosing(): { node: Arg; next: number | null } | null {
    const outer = this.frames.at(-2)
    if (!outer || !(outer.pattern instanceof TargetExpr)) return null
    return { node: outer.node, next: outer.next < outer.expected.length ? outer.next : null }
  }

  private write(pattern: Pattern, node: Arg, step: StepParts): void {
    // A leaf is one step, at the depth at which an expression would be opened.
    const leaf = isLeaf(pattern) && this.frames.at(-1)?.pattern === pattern ? 1 : 0
    const depth = this.depth + this.frames.length - leaf
    this.to.write({ graphNode: nameOf(node), ...step, depth, patternNode: this.indexOf(pattern) })
  }

  private indexOf(pattern: Pattern): number | null {
    const { patternNode } = pattern
    return patternNode === null || !this.toInitial ? patternNode : (this.toInitial[patternNode] ?? null)
  }

  private nameOf(pattern: PatternExpr): string | null {
    if (pattern instanceof KeywordArg || pattern instanceof ExclusiveKeywordArg) return pattern.name
    const index = this.indexOf(pattern)
    return index === null ? null : (this.names[index] ?? null)
  }
}

/** True for a pattern that has only one step, written when it is left. */
const isLeaf = (p: Pattern): boolean =>
  !(
    p instanceof TargetExpr ||
    p instanceof MultiOutputPattern ||
    p instanceof ListOf ||
    p instanceof RepeatedExpr ||
    p instanceof GetAttr
  )
