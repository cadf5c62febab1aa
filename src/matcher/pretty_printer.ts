import { orElse } from '../base/or_else'
import { NEWEST_RULES } from '../base/torch_version'
import { Namespace, type Arg } from '../fx'
import { TorchError } from '../trace/types'
import { argRepr, containerParts } from './expr/arg_text'
import { withoutOperator } from './reasons/refusal'
import { PatternExpr, type PatternArg } from './expr/pattern_expr'
import { isTargetArgsExpr, type TargetArgsExpr } from './expr/target_args'
import { pyRepr } from './py'

/** Prints a pattern as Python, one line per call: the text by which patterns are compared and shown. */
export class PatternPrettyPrinter {
  private readonly namespace = new Namespace()
  private readonly names = new Map<TargetArgsExpr, string>()
  private readonly texts = new Map<TargetArgsExpr, string>()

  /** False for patterns that are not calls (a bare argument, ListOf, the VarArgs kinds), and if printing raises. */
  static canPrint(pattern: PatternExpr): boolean {
    return orElse(() => pattern.prettyPrint(new PatternPrettyPrinter()), null, TorchError) !== null
  }

  /** @throws TorchError AssertionError for a pattern that is a bare argument */
  static run(pattern: PatternExpr, rules = NEWEST_RULES): string {
    const pp = new PatternPrettyPrinter()
    const text = pattern.prettyPrint(pp)
    if (text === null) throw withoutOperator(rules)
    const lines = [...pp.names].map(([p, name]) => `${name} = ${pp.texts.get(p)}`)
    return [...lines, `output = ${text}`].join('\n')
  }

  prettyPrint(arg: PatternArg): string {
    if (isTargetArgsExpr(arg)) return this.names.get(arg) ?? this.memoize(arg)
    if (arg instanceof PatternExpr) return arg.prettyPrint(this) ?? arg.repr()
    // A list prints by repr, so patterns inside it are inlined rather than named.
    return containerParts(arg) ? argRepr(arg) : pyRepr(arg as Arg)
  }

  private memoize(pattern: TargetArgsExpr): string {
    const text = pattern.prettyPrint(this)
    const name = this.namespace.createName(
      ['aten.', 'torch.', 'prims.'].reduce((n, prefix) => n.replaceAll(prefix, ''), pattern.fnsRepr()),
    )
    this.names.set(pattern, name)
    this.texts.set(pattern, text)
    return name
  }
}
