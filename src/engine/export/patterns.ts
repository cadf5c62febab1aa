/** The registered patterns as PatternPrettyPrinter prints them, as a Python module. */
import { code, identifier, joined, proseText, type Code } from '../../fx/code/code'
import type { Workspace } from '../../workspace/types'
import type { PipelineRun } from '../pipeline/run'
import { patternSource } from './printed_pattern'

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
          `The printed form of a pattern of ${toExplain.name} is more than pattern classes, operators and literals, so the export lacks it.`,
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

/** The printed text as an expression: Ignored inside a list, which prints as `*`, overloads inside arguments, and the operators called, by their full names. */
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

/** A name after that of a pass, which is never a keyword because a number follows. */
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
