/** Detects duplicate patterns of a pass, as check_and_add_duplicate_pattern does. */
import { printGraph, type Graph } from '../../fx'
import { TorchError } from '../../trace/types'
import type { PatternMatcherPass } from '../pass'
import { RefusedRegistration } from '../reasons/refusal'
import type { Registration } from '../types'

/**
 * The search graph as make_fx prints it: FX does not see the parameters of a bound method or of a wrapped function, so
 * its inputs are named `arg0_1`.
 */
export function tracedText(graph: Graph, { searchIsBound, searchIsWrapped }: Registration): string {
  const text = printGraph(graph)
  if (!searchIsBound && !searchIsWrapped) return text
  const inputs = [...graph.nodes()].filter((n) => n.op === 'placeholder').map((n) => n.name)
  return text.replace(/\b\w+_1\b/g, (name) => {
    const i = inputs.indexOf(name)
    return i < 0 ? name : `arg${i}_1`
  })
}

/**
 * _seen_patterns of PyTorch before 2.13: the texts of all passes.
 * @throws RefusedRegistration unless duplicates are to be skipped
 */
export function isKnownText(seen: Set<string>, text: string, skip: boolean): boolean {
  if (seen.has(text)) {
    if (skip) return true
    throw new RefusedRegistration('duplicate-pattern', 'AssertionError', '')
  }
  seen.add(text)
  return false
}

/** What make_fx says of a bound method before PyTorch 2.13. */
export const refusedMethod = (inputs: number): TorchError =>
  new TorchError('RuntimeError', `Tracing expected ${inputs + 1} arguments but got ${inputs} concrete arguments`)

/**
 * check_and_add_duplicate_pattern: constants are wildcards in the text, so two patterns are duplicates only if their
 * traced graphs are equal too.
 * @throws TorchError unless duplicates are to be skipped
 */
export function isDuplicate(pass: PatternMatcherPass, text: string, graphText: string | null, skip: boolean): boolean {
  const seen = pass.seenPatterns.get(text)
  if (!seen || seen.length === 0) {
    pass.seenPatterns.set(text, [graphText])
    return false
  }
  if (graphText === null || seen.includes(graphText)) {
    if (skip) return true
    const what = graphText === null ? 'no graph' : `duplicated match graph ${graphText} `
    throw new RefusedRegistration('duplicate-pattern', 'RuntimeError', `Duplicate pattern: ${text} with ${what}`)
  }
  seen.push(graphText)
  return false
}
