/** Adds advice to exceptions of user code: what to write instead, and the edit if a single replacement of text is enough. */
import { closestName } from '../../base/closest'
import { count } from '../../base/english'
import { adviceOn } from '../../explain/advice/advice'
import { catalogNames, catalogOverloads } from '../../ops/schema'
import type { PythonFailure, PythonRun, QuickFix } from '../../python/types'

interface Advice {
  advice: string
  edit?: QuickFix
}

/** The run, with advice on each exception that the tables know. */
export function withAdvice(run: PythonRun): PythonRun {
  const advised = (f: PythonFailure | null): PythonFailure | null => f && { ...f, ...adviceFor(f) }
  return { ...run, failure: advised(run.failure), files: run.files.map((f) => ({ ...f, failure: advised(f.failure) })) }
}

export function adviceFor(failure: PythonFailure): Advice | null {
  return (
    operatorName(failure) ??
    overloadName(failure) ??
    exampleInputs(failure) ??
    writtenArgument(failure) ??
    syntax(failure) ??
    otherName(failure) ??
    fromTable(failure)
  )
}

function fromTable({ type, message }: PythonFailure): Advice | null {
  const advice = adviceOn(`${type}: ${message}`)
  return advice === null ? null : { advice }
}

function operatorName(failure: PythonFailure): Advice | null {
  // A longer message gives another reason: the operator exists on another platform.
  const found = /^'_OpNamespace' '(\w+)' object has no attribute '(\w+)'$/.exec(failure.message)
  if (!found) return null
  const [, namespace = '', name = ''] = found
  const close = closestName(name, catalogNames(namespace))
  if (close !== null)
    return { advice: `Did you mean torch.ops.${namespace}.${close}?`, ...renaming(failure, name, close) }
  return {
    advice: `Check the name, or declare the operator with torch.library.define("${namespace}::${name}", "(Tensor x) -> Tensor").`,
  }
}

function overloadName(failure: PythonFailure): Advice | null {
  const found = /^The underlying op of '([\w.]+)' has no overload name '(\w+)'/.exec(failure.message)
  if (!found) return null
  const [, packet = '', name = ''] = found
  const overloads = catalogOverloads(packet).map((s) => s.name.slice(packet.length + 1))
  const close = closestName(name, overloads)
  const all = `${packet} has ${overloads.slice(0, 8).join(', ')}${overloads.length > 8 ? ' and others' : ''}`
  return close === null
    ? { advice: `${all}.` }
    : { advice: `Did you mean torch.ops.${packet}.${close}? ${all}.`, ...renaming(failure, name, close) }
}

/** PyTorch takes the next example input for each parameter, and raises if there is none. */
function exampleInputs({ type, message, frames, unfed }: PythonFailure): Advice | null {
  const isRegistration = frames.at(-1)?.code?.includes('register_replacement(') ?? false
  if (type !== 'IndexError' || message !== 'list index out of range' || !isRegistration) return null
  const advice =
    'Give one example input per parameter of the search function, in its order; only a parameter in scalar_workaround needs none.'
  if (!unfed) return { advice }
  const [[file, line, name], parameters, examples, missing] = unfed
  return {
    advice: `${name} (${file}:${line}) has ${count(parameters, 'parameter')} and gets ${count(examples, 'example input')}: ${missing} lacks one. ${advice}`,
  }
}

/** `KeyError: 'result'` in a call of auto_functionalized, either version: the exception does not say what the key means. */
function writtenArgument({ type, message, frames }: PythonFailure): Advice | null {
  const name = /^"?'(\w+)'"?$/.exec(message)?.[1]
  const call = /\bauto_functionalized(_v2)?\(/.exec(frames.at(-1)?.code ?? '')
  if (type !== 'KeyError' || name === undefined || !call) return null
  return {
    advice: call[1]
      ? `auto_functionalized_v2 takes each buffer that the operator writes from the list _all_bases: add ${name}, the position of the buffer there.`
      : `auto_functionalized (version 1) takes each buffer that the operator writes by the name of its argument: add ${name}=… (version 2 has a list _all_bases instead).`,
  }
}

function syntax({ type, message, frames, span }: PythonFailure): Advice | null {
  const at = frames.at(-1)
  if (!at) return null
  if (type === 'SyntaxError' && message === "expected ':'" && at.code !== undefined) {
    const column = at.code.trimEnd().length + 1
    const from = { line: at.line, column }
    return {
      advice: 'End the line with a colon.',
      ...(span && { edit: { title: 'Add the colon', from, to: from, text: ':' } }),
    }
  }
  if (type === 'IndentationError' && message.startsWith('expected an indented block')) {
    const from = { line: at.line, column: 1 }
    return {
      advice: 'Indent the line by four spaces.',
      edit: { title: 'Indent the line', from, to: from, text: '    ' },
    }
  }
  return null
}

const IMPORTS: Readonly<Record<string, string>> = {
  torch: 'import torch',
  ...Object.fromEntries(
    [
      'Arg',
      'CallFunction',
      'Ignored',
      'KeywordArg',
      'ListOf',
      'Match',
      'MultiOutputPattern',
      'PatternMatcherPass',
      'fwd_only',
      'joint_fwd_bwd',
      'register_graph_pattern',
      'register_replacement',
    ].map((name) => [name, `from torch._inductor.pattern_matcher import ${name}`]),
  ),
}

function otherName(failure: PythonFailure): Advice | null {
  const { type, message, closest } = failure
  if (type === 'NameError') {
    const name = /^name '(\w+)' is not defined/.exec(message)?.[1]
    const line = name === undefined ? undefined : IMPORTS[name]
    if (line !== undefined) {
      const from = { line: 1, column: 1 }
      return {
        advice: `Write ${line} at the top of the file.`,
        edit: { title: `Add ${line}`, from, to: from, text: `${line}\n` },
      }
    }
  }
  if (!closest) return null
  if (type === 'NameError' && closest[1] === null)
    return { advice: `Define ${closest[0]}, or make it a parameter of the function.` }
  const [name, close] = closest
  if (close === null) return missingAttribute(message)
  const spelled = /^module '(torch[\w.]*)'/.exec(message)
  return { advice: `Did you mean ${spelled ? `${spelled[1]}.` : ''}${close}?`, ...renaming(failure, name, close) }
}

function missingAttribute(message: string): Advice | null {
  const device = /^module 'torch' has no attribute '(npu|mlu|hpu|musa|gcu|dipu|spyre|sdaa|ppu|maca|tpu|vacc)'$/.exec(
    message,
  )?.[1]
  if (device)
    return { advice: `torch.${device} belongs to a package that extends PyTorch for a device; no graph contains it.` }
  const found = /^module '(torch[\w.]*)' has no attribute '(\w+)'/.exec(message)
  return (
    found && {
      advice: `${found[1]} has no ${found[2]} here: call the operator itself, as torch.ops.aten.<name>.<overload>.`,
    }
  )
}

/** Replaces the name within the expression that raised, which is on one line. */
function renaming({ span, frames }: PythonFailure, name: string, close: string): { edit?: QuickFix } {
  const at = frames.at(-1)
  if (!span || !at?.code || span[0] !== span[2]) return {}
  const [line, column, , end] = span
  // `code` has no indentation, so the name is found from the expression's end.
  const to = { line, column: end }
  const from = { line, column: end - name.length }
  return from.column < column ? {} : { edit: { title: `Change to ${close}`, from, to, text: close } }
}
