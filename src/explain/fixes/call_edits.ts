/** Edits of a pattern's registration: parameters, example inputs, keywords of the register_replacement call. */
import type { Change } from './change'
import type { Expression, Fn, PatternSite } from './pattern_site'
import { functionAround, listField, nodeField, paramsOf, textField, type SyntaxNode } from './syntax'
import { exampleInputs } from './candidates/example_inputs'
import { inserted, replaced } from './candidates/types'

/** Adds a parameter after the others. */
export const parameter = (fn: Fn, name: string): Change[] => {
  const after = paramsOf(fn.node).at(-1)
  return after ? [inserted(fn.file, after.to, `, ${name}`)] : []
}

/** Adds an argument to a call; null for a call without arguments. */
export function oneMore({ file, node }: Expression, code: string): Change | null {
  const last = lastOf(node)
  return last ? inserted(file, last.to, `, ${code}`) : null
}

const lastOf = (call: SyntaxNode): SyntaxNode | undefined =>
  [...listField(call, 'args'), ...listField(call, 'keywords')].at(-1)

/** Adds an example input, at the list's definition or at the call. */
export function moreExamples(site: PatternSite, code: string): Change | null {
  const examples = exampleInputs(site)
  const last = examples?.items.at(-1)
  if (examples && last) return inserted(examples.at.file, last.to, `, ${code}`)
  const given = registeredArgument(site, 'example_inputs', 2)
  return given && replaced(given, `[*${given.file.source(given.node)}, ${code}]`)
}

/** An argument, as the call that passes the search function passes it. */
export function registeredArgument(site: PatternSite, name: string, position: number): Expression | null {
  const call = registrationBeside(site)
  if (!call) return null
  const named = listField(call.node, 'keywords').find((k) => textField(k, 'arg') === name)
  const node = named ? nodeField(named, 'value') : listField(call.node, 'args')[position]
  return node ? { file: call.file, node } : null
}

/** The register_replacement call, if it is in the function that defines the search function. */
export function registrationBeside(site: PatternSite): Expression | null {
  const [call] = site.registrationCalls()
  if (!site.search || call?.node.type !== 'Call' || call.file.name !== site.search.file.name) return null
  return functionAround(call.node) === functionAround(site.search.node) ? call : null
}
