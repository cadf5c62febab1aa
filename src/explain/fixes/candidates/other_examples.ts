/** Candidates that trace a pattern with example inputs that have the graph's dtypes, ranks and sizes. */
import { Node, type TensorMeta } from '../../../fx'
import { isViewForReshape, passesThrough } from '../../reasons/operators'
import type { Change } from '../change'
import type { Expression, PatternSite } from '../pattern_site'
import { listField, nodeField, textField, type SyntaxNode } from '../syntax'
import { emptyCode, exampleInputs, tensorNames } from './example_inputs'
import { brief, replaced, type Candidate, type MakeCandidates } from './types'
import { namesWith } from '../../../ops/traits'

const FACTORIES = namesWith('factory')

/** Maximum number of candidates that are also tried with other example inputs. */
const MAX_WITH_EXAMPLES = 2

/** Example inputs after the graph's reshape, for a traced pattern that can only contain a view. */
export const reshapedExample: MakeCandidates = ({ site, pattern, graph }) => {
  const { registration } = site.entry
  const examples = exampleInputs(site)
  const argument = pattern?.inputs()[0]
  const wanted = graph?.meta.val
  if (!pattern || !graph || !isViewForReshape(pattern, graph) || argument?.op !== 'placeholder') return []
  if (!examples || wanted?.kind !== 'tensor' || !('exampleInputs' in registration)) return []
  const name = site.paramOf(argument)
  const i = name === null ? -1 : tensorNames(site).indexOf(name)
  const [item, given] = [examples.items[i], registration.exampleInputs[i]]
  if (!item || given?.kind !== 'tensor' || given.shape.length === wanted.shape.length) return []
  const text = exampleText(examples.at, item, given, wanted, true)
  if (text === null) return []
  return [
    {
      title: `Match from the reshaped value: use ${name} of ${wanted.shape.length} dimensions as example input`,
      changes: [replaced({ file: examples.at.file, node: item }, text)],
    },
  ]
}

/** Traces the pattern with inputs of the graph's dtypes and ranks. */
export const otherExamples: MakeCandidates = ({ site }) =>
  // Also try the graph's own sizes: the sizes of one input may be inconsistent with those of another.
  examplesFor(site, [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])

/** @param ways whether to take an input before its cast or view, and whether to take the graph's sizes */
function examplesFor(site: PatternSite, ways: readonly (readonly [uncast: boolean, sized: boolean])[]): Candidate[] {
  const { registration } = site.entry
  const examples = exampleInputs(site)
  if (!site.alignment || !examples || !('exampleInputs' in registration)) return []
  const out: Candidate[] = []
  for (const [uncast, sized] of ways) {
    const changes: Change[] = []
    const changed: string[] = []
    tensorNames(site).forEach((name, i) => {
      let bound = site.alignment!.bound.get(name)
      if (uncast && bound instanceof Node && passesThrough(bound)) bound = bound.inputs()[0] ?? bound
      const wanted = bound instanceof Node ? bound.meta.val : undefined
      const given = registration.exampleInputs[i]
      const item = examples.items[i]
      if (!item || wanted?.kind !== 'tensor' || given?.kind !== 'tensor') return
      const text = exampleText(examples.at, item, given, wanted, sized)
      if (text === null) return
      changes.push(replaced({ file: examples.at.file, node: item }, text))
      changed.push(
        `${name} ${wanted.dtype}${wanted.shape.length === given.shape.length ? '' : ` of ${wanted.shape.length} dimensions`}`,
      )
    })
    const same = out.some((c) => JSON.stringify(c.changes) === JSON.stringify(changes))
    if (changes.length > 0 && !same)
      out.push({ title: `Use ${brief(changed.join(', '), 60)} as example inputs`, changes })
  }
  return out
}

/** The candidates, and the first of them with example inputs that have the graph's dtypes, which their new code may need. */
export function withExamples(site: PatternSite, candidates: readonly Candidate[]): Candidate[] {
  // Sizes of an input with another rank must agree with those of the others.
  const [examples] = candidates.length > 0 ? examplesFor(site, [[false, hasOtherRank(site)]]) : []
  if (!examples) return [...candidates]
  const both = candidates.slice(0, MAX_WITH_EXAMPLES).map((c) => ({
    ...c,
    also: examples.title,
    changes: [...c.changes, ...examples.changes],
  }))
  return [...candidates.slice(0, MAX_WITH_EXAMPLES), ...both, ...candidates.slice(MAX_WITH_EXAMPLES)]
}

function hasOtherRank(site: PatternSite): boolean {
  const { registration } = site.entry
  return tensorNames(site).some((name, i) => {
    const bound = site.alignment?.bound.get(name)
    const wanted = bound instanceof Node ? bound.meta.val : undefined
    const given = 'exampleInputs' in registration ? registration.exampleInputs[i] : undefined
    return wanted?.kind === 'tensor' && given?.kind === 'tensor' && wanted.shape.length !== given.shape.length
  })
}

/** Null if the example already agrees. */
function exampleText(
  at: Expression,
  item: SyntaxNode,
  given: TensorMeta,
  wanted: TensorMeta,
  sized: boolean,
): string | null {
  const sameRank = given.shape.length === wanted.shape.length
  if (!sized && sameRank && given.dtype === wanted.dtype) return null
  const keywords = item.type === 'Call' ? listField(item, 'keywords') : []
  const dtype = keywords.find((k) => textField(k, 'arg') === 'dtype')
  const func = item.type === 'Call' ? nodeField(item, 'func') : null
  const factory = func && FACTORIES.has(/^torch\.(\w+)$/.exec(at.file.source(func))?.[1] ?? '')
  if (!sized && sameRank && (factory || dtype)) {
    const value = dtype && nodeField(dtype, 'value')
    const source = at.file.source(item)
    if (value)
      return source.slice(0, value.from - item.from) + `torch.${wanted.dtype}` + source.slice(value.to - item.from)
    return `${source.slice(0, -1).replace(/,\s*$/, '')}, dtype=torch.${wanted.dtype})`
  }
  const shape = sameRank && !sized ? given.shape : wanted.shape.map((d, i) => (typeof d === 'number' ? d : 8 + 2 * i))
  const others = keywords.filter((k) => textField(k, 'arg') === 'device').map((k) => at.file.source(k))
  return emptyCode(shape, [`dtype=torch.${wanted.dtype}`, ...others])
}
