/** The registered patterns as PatternPrettyPrinter prints them, as a Python module. */
import { hiddenEscaped } from '../../base/escapes'
import { commandsEscaped } from '../../base/runner_commands'
import { code, identifier, joined, proseText, type Code, MAX_NESTED } from '../../fx/code/code'
import type { Workspace } from '../../workspace/types'
import type { PipelineRun } from '../pipeline/run'
import { targetCode } from '../../fx/code/targets'
import { DTYPES, LAYOUTS, MEMORY_FORMATS } from '../../fx/dtypes'

export const PATTERN_CLASSES =
  /\b(?:Arg|CallFunction|CallFunctionVarArgs|CallMethod|CallMethodVarArgs|CallModule|CallModuleVarArgs|ExclusiveKeywordArg|Ignored|KeywordArg|ListOf|MULTIPLE|MultiOutputPattern|RepeatedExpr)\b/g

/** Each entry of each applied pass; entries without a printed form are named in `notes`. */
export function patternsText(run: PipelineRun, workspace: Workspace): { text: string; notes: string[] } {
  const notes: string[] = []
  const blocks: Code[] = []
  const done = new Set<number>()
  const taken = new Set<string>()
  for (const { passId, toExplain } of run.passes) {
    if (passId === null || done.has(passId)) continue
    done.add(passId)
    for (const entry of toExplain.entries) {
      if (!entry.printable) {
        notes.push(`A pattern of ${toExplain.name} has no printed form: ${entry.text}.`)
        continue
      }
      const name = unused(`${wordOf(toExplain.name)}_${blocks.length}`, taken)
      const source = patternSource(evaluable(entry.text).replace(/^output = /m, `${name} = `))
      if (source === null)
        notes.push(
          `The printed form of a pattern of ${toExplain.name} has more than pattern classes, operators and literals, so the export leaves it out.`,
        )
      else blocks.push(code`# ${proseText(`${toExplain.name}: ${entry.keys.join(', ')}`, 1000)}\n${source}`)
    }
  }
  const body = joined(blocks, '\n\n')
  const used = [...new Set(body.match(PATTERN_CLASSES) ?? [])].sort().map((c) => identifier(c)!)
  const text = code`"""The patterns of ${proseText(workspace.name)}, as PatternPrettyPrinter prints them, with operators by their full names."""
${joined(importsOf(body), '\n')}
from torch._inductor.pattern_matcher import ${used.length > 0 ? joined(used) : code`CallFunction`}

aten = torch.ops.aten
prims = torch.ops.prims

${body}
`
  return { text, notes }
}

const importsOf = (body: Code): Code[] => [
  ...(/\bbuiltins\./.test(body) ? [code`import builtins`] : []),
  ...(/\bmath\./.test(body) ? [code`import math`] : []),
  code`import operator`,
  ...(/\b(?:inf|nan)\b/.test(body) ? [code`from math import inf, nan`] : []),
  code``,
  code`import torch`,
  ...(/(?<!\.)\bdevice\(/.test(body) ? [code`from torch import device`] : []),
]

/**
 * The printed text as an expression, with three changes: Ignored inside a list (printed as `*`), overloads inside arguments, and
 * called operators by their full names.
 */
const evaluable = (text: string): string =>
  text
    .replaceAll(/(?<=[(,=[]\s?)\*(?=[,)\]])/g, 'Ignored()')
    .replaceAll(/<OpOverload\(op='([^']*)', overload='([^']*)'\)>/g, 'torch.ops.$1.$2')
    .replaceAll(/\b(CallFunction(?:VarArgs)?\()(\[[^\]]*\]|[\w.]+)/g, (_, call: string, fns: string) => {
      const full = fns.replaceAll(/[A-Za-z_][\w.]*/g, (name) => fullName(name))
      return `${call}${full}`
    })

/** `sgl_kernel.silu_and_mul.default` and `auto_functionalized` below torch.ops. */
function fullName(name: string): string {
  if (/^(?:aten|prims|torch|operator|math|builtins)\./.test(name)) return name
  if (!name.includes('.')) return `torch.ops.higher_order.${name}`
  return name.split('.').length === 3 ? `torch.ops.${name}` : name
}

/** Follows the name of a pass; never a keyword, because a number follows. */
const wordOf = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^(?=\d)/, '_')
    .replace(/^__+/, '_')

function unused(name: string, taken: Set<string>): string {
  let found = name
  for (let n = 2; taken.has(found); n++) found = `${name}_${n}`
  taken.add(found)
  return found
}

const CLASSES: ReadonlySet<string> = new Set(
  (
    'Arg CallFunction CallFunctionVarArgs CallMethod CallMethodVarArgs CallModule CallModuleVarArgs ExclusiveKeywordArg Ignored ' +
    'KeywordArg ListOf MultiOutputPattern RepeatedExpr'
  ).split(' '),
)
/** Calls that print a value. */
const VALUES: ReadonlySet<string> = new Set(['slice', 'device', 'torch.device', 'torch.tensor', 'complex'])
const WORDS: ReadonlySet<string> = new Set(['None', 'True', 'False', 'Ellipsis', 'MULTIPLE', 'inf', 'nan'])

const TOKEN =
  /[ \n]*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*|\d{1,4000}(?:\.\d*)?(?:e[+-]?\d+)?j?(?!\d)|'(?:[^'\\\p{C}\p{Zl}\p{Zp}]|\\[ -~])*'|"(?:[^"\\\p{C}\p{Zl}\p{Zp}]|\\[ -~])*"|[-+()[\]{},:=])/uy

/** The text without trailing white space, some of which Python may not accept; null if it does not consist of such assignments. */
export function patternSource(printed: string): Code | null {
  const text = printed.trimEnd()
  const reader = new PatternReader(text)
  if (!reader.statements()) return null
  // Only a string can hold a workflow runner's command.
  return joined(
    text.split('\n').map((line) => commandsEscaped(line, hiddenEscaped) as Code),
    '\n',
  )
}

/**
 * Reads PatternPrettyPrinter's text strictly: assignments of calls of pattern classes, with names from the tables and literals.
 * Names in it come from user code or a capture, so any other text is rejected.
 */
class PatternReader {
  private readonly tokens: string[] = []
  /** Indices of tokens that begin a line. */
  private readonly begins = new Set<number>()
  /** Indices of tokens after a line break. */
  private readonly broken = new Set<number>()
  private at = 0
  private readonly assigned = new Set<string>()

  constructor(text: string) {
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < text.length) {
      const from = TOKEN.lastIndex
      const match = /[^\n\x20-\x7e]/.test(text[from] ?? '') ? null : TOKEN.exec(text)
      if (!match) {
        this.tokens.length = 0
        return
      }
      const space = match[0].slice(0, -match[1]!.length)
      if (space === '' ? from === 0 : space.endsWith('\n')) this.begins.add(this.tokens.length)
      if (space.includes('\n')) this.broken.add(this.tokens.length)
      this.tokens.push(match[1]!)
    }
  }

  statements(): boolean {
    if (this.tokens.length === 0) return false
    while (this.at < this.tokens.length) {
      const start = this.at
      const name = identifier(this.tokens[this.at++]!)
      if (!name || RESERVED.has(name) || !this.begins.has(start) || !this.take('=') || !this.expression(0)) return false
      // Outside brackets, a line break ends the statement.
      for (let i = start + 1; i < this.at; i++) {
        if (this.broken.has(i)) return false
        if (/^[([{]$/.test(this.tokens[i]!)) break
      }
      this.assigned.add(name)
    }
    return true
  }

  private expression(depth: number): boolean {
    if (depth > MAX_NESTED) return false
    const sign = this.take('-')
    const token = this.tokens[this.at++]
    if (token === undefined) return false
    if (/^0\d/.test(token)) return false
    if (/^\d/.test(token)) return !(this.take('+') || this.take('-')) || /^\d.*j$/.test(this.tokens[this.at++] ?? '')
    if (sign) return token === 'inf' || token === 'nan'
    if (/^['"]/.test(token)) return true
    if (token === '[') return this.items(']', depth)
    if (token === '(') return this.items(')', depth)
    if (token === '{') return this.items('}', depth)
    if (this.take('(')) return (CLASSES.has(token) || VALUES.has(token)) && this.items(')', depth, true)
    return this.assigned.has(token) || WORDS.has(token) || isTorchValue(token)
  }

  private items(close: string, depth: number, isCall = false): boolean {
    const keywords = new Set<string>()
    while (!this.take(close)) {
      if (isCall && this.tokens[this.at + 1] === '=') {
        const word = this.tokens[this.at]!
        if (!identifier(word) || keywords.has(word)) return false
        keywords.add(word)
        this.at += 2
      } else if (keywords.size > 0) return false
      if (!this.expression(depth + 1)) return false
      if (close === '}' && !(this.take(':') && this.expression(depth + 1))) return false
      if (!this.take(',')) return this.take(close)
    }
    return true
  }

  private take(token: string): boolean {
    const found = this.tokens[this.at] === token
    if (found) this.at++
    return found
  }
}

const RESERVED: ReadonlySet<string> = new Set([
  ...CLASSES,
  ...WORDS,
  ...['torch', 'operator', 'math', 'builtins', 'aten', 'prims', 'device', 'slice', 'complex', 'getattr'],
])

/** `torch.float32`, `aten.add.Tensor`, `torch.ops._C.rms_norm.default`, `operator.getitem`. */
function isTorchValue(name: string): boolean {
  const [first, second = '', ...rest] = name.split('.')
  if (first === 'torch' && rest.length === 0 && [DTYPES, LAYOUTS, MEMORY_FORMATS].some((known) => known.has(second)))
    return true
  const isOperator = name.startsWith('torch.ops.')
  const written = targetCode(isOperator ? name.slice('torch.ops.'.length) : name)
  return written !== null && (written === name || (/^(?:aten|prims)\./.test(name) && written === `torch.ops.${name}`))
}
