/** The registered patterns as PatternPrettyPrinter prints them, as a Python module. */
import type { Workspace } from '../../workspace/types'
import type { PipelineRun } from '../pipeline/run'

export const PATTERN_CLASSES =
  /\b(?:Arg|CallFunction|CallFunctionVarArgs|CallMethod|CallMethodVarArgs|CallModule|CallModuleVarArgs|ExclusiveKeywordArg|Ignored|KeywordArg|ListOf|MULTIPLE|MultiOutputPattern|RepeatedExpr)\b/g

/** Each entry of each applied pass; entries without a printed form are named in `notes`. */
export function patternsText(run: PipelineRun, workspace: Workspace): { text: string; notes: string[] } {
  const notes: string[] = []
  const blocks: string[] = []
  const done = new Set<number>()
  const taken = new Set<string>()
  for (const { passId, toExplain } of run.passes) {
    if (done.has(passId)) continue
    done.add(passId)
    for (const entry of toExplain.entries) {
      if (!entry.printable) {
        notes.push(`A pattern of ${toExplain.name} has no printed form: ${entry.text}.`)
        continue
      }
      const name = unused(`${identifier(toExplain.name)}_${blocks.length}`, taken)
      blocks.push(
        `# ${toExplain.name}: ${entry.keys.join(', ')}\n${evaluable(entry.text).replace(/^output = /m, `${name} = `)}`,
      )
    }
  }
  const body = blocks.join('\n\n')
  const used = [...new Set(body.match(PATTERN_CLASSES) ?? [])].sort()
  const text = `"""The patterns of ${workspace.name.replaceAll('\\', '/').replaceAll('"', "'")}, as PatternPrettyPrinter prints them, with operators by their full names."""
import operator

import torch
from torch._inductor.pattern_matcher import ${used.join(', ') || 'CallFunction'}

aten = torch.ops.aten
prims = torch.ops.prims

${body}
`
  return { text, notes }
}

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

const identifier = (name: string): string => name.replaceAll(/\W+/g, '_').replace(/^(?=\d)/, '_')

function unused(name: string, taken: Set<string>): string {
  let found = name
  for (let n = 2; taken.has(found); n++) found = `${name}_${n}`
  taken.add(found)
  return found
}
