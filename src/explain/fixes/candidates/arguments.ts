/** Candidates that change the arguments that a call passes, in the search function and in the replacement. */
import type { Node } from '../../../fx'
import { pyRepr } from '../../../matcher/py'
import type { Change } from '../change'
import type { Expression, Fn, PatternSite } from '../pattern_site'
import { calledName, constantRepr, listField, nodeField, textField, within, type SyntaxNode, namesIn } from '../syntax'
import { constantsIn } from './constant_sites'
import { exampleInputs, tensorNames } from './example_inputs'
import { removed } from './keyword_arguments'
import { wantedConstant } from './literals'
import { brief, inserted, placed, replaced, type Candidate, type MakeCandidates } from './types'

/** Defaults of torch.nn.functional that traces record as constants: parameter, its position and its value. */
const DEFAULTS: Readonly<Record<string, readonly (readonly [parameter: string, position: number, value: number])[]>> = {
  layer_norm: [['eps', 4, 1e-5]],
  group_norm: [['eps', 4, 1e-5]],
  batch_norm: [['eps', 7, 1e-5]],
  instance_norm: [['eps', 7, 1e-5]],
  normalize: [['eps', 3, 1e-12]],
  cosine_similarity: [['eps', 3, 1e-8]],
  leaky_relu: [['negative_slope', 1, 0.01]],
  elu: [['alpha', 1, 1]],
  celu: [['alpha', 1, 1]],
  softplus: [
    ['beta', 1, 1],
    ['threshold', 2, 20],
  ],
}

const argumentsOf = (call: SyntaxNode): SyntaxNode[] => [...listField(call, 'args'), ...listField(call, 'keywords')]

const callsIn = ({ node }: Fn, name: string | null): SyntaxNode[] =>
  [...within(node)].filter((n) => n.type === 'Call' && calledName(n) === name)

/** Passes a parameter that the pattern leaves at its default. */
export const defaultArgument: MakeCandidates = ({ cause, site, pattern, graph }) => {
  const wanted = pattern && wantedConstant(cause, graph)
  if (!wanted) return []
  const { expected, text } = wanted
  const leaves = (call: SyntaxNode, [parameter, position]: readonly [string, number, number]): boolean =>
    listField(call, 'args').length <= position &&
    !listField(call, 'keywords').some((k) => [parameter, null].includes(textField(k, 'arg')))
  return site.expressions(pattern).flatMap((e): Candidate[] => {
    const name = e.node.type === 'Call' ? calledName(e.node) : null
    const one = DEFAULTS[name ?? '']?.find((d) => d[2] === Number(expected) && leaves(e.node, d))
    if (!one) return []
    const passed = (at: Expression): Change => {
      const last = argumentsOf(at.node).at(-1)
      return inserted(at.file, last ? last.to : at.node.to - 1, `${last ? ', ' : ''}${one[0]}=${text}`)
    }
    const { replace } = site
    const same = replace ? callsIn(replace, name).filter((call) => leaves(call, one)) : []
    const there = replace
      ? [
          ...same.map((node) => passed({ file: replace.file, node })),
          ...constantsIn(replace, expected).map((c) => replaced(c, text)),
        ]
      : []
    const title = `Pass ${one[0]}=${text} ${site.at(e)}${there.length > 0 ? ', in pattern and replacement' : ''}`
    return [{ title, changes: [passed(e), ...there] }]
  })
}

/** Leaves out the argument that produces the pattern's extra node: `max` of `clamp(min, max)`. */
export const dropArgument: MakeCandidates = ({ site, pattern }) => {
  const e = pattern && site.expression(pattern)
  if (!e || e.node.type !== 'Call' || !sharesCall(site, pattern, e)) return []
  const values = pattern.args.filter((a) => typeof a === 'bigint' || typeof a === 'number').map(pyRepr)
  return values.flatMap((value): Candidate[] => {
    const dropped = withoutValue(e, value)
    if (!dropped) return []
    const { replace } = site
    const there = replace
      ? callsIn(replace, calledName(e.node)).flatMap((node) => withoutValue({ file: replace.file, node }, value) ?? [])
      : []
    const title = `Leave out ${value} ${site.at(e)}${there.length > 0 ? ', in pattern and replacement' : ''}`
    return [{ title, changes: [dropped, ...there] }]
  })
}

/** The call of a pattern node that also traces to other nodes. */
const sharesCall = (site: PatternSite, pattern: Node, e: Expression): boolean =>
  (site.pattern?.calls ?? []).some((n) => n !== pattern && site.expression(n)?.node === e.node)

function withoutValue(e: Expression, value: string): Change | null {
  const all = argumentsOf(e.node)
  const at = all.findLastIndex((a) => constantRepr(a.type === 'keyword' ? (nodeField(a, 'value') ?? a) : a) === value)
  const given = all[at]
  if (!given || all.length < 2) return null
  const last = at === all.length - 1 || given.type === 'keyword'
  return last ? removed(e, given) : replaced({ file: e.file, node: given }, 'None')
}

/** Takes an argument as the graph has it instead of transposed: the replacement transposes it. */
export const transposedArgument: MakeCandidates = ({ site, pattern }) => {
  const e = pattern && site.expression(pattern)
  const argument = pattern?.inputs()[0]
  const { search, replace } = site
  const examples = exampleInputs(site)
  if (!e || !search || !replace || !examples || argument?.op !== 'placeholder') return []
  const turned = /^(?:(\w+)\.(?:t\(\)|T|mT|transpose\(.*\))|torch\.(?:t|transpose)\((\w+)\b.*\))$/.exec(
    e.file.source(e.node),
  )
  const name = site.paramOf(argument)
  if (!turned || name === null || ![turned[1], turned[2]].includes(name)) return []
  const item = examples.items[tensorNames(site).indexOf(name)]
  const sizes = item ? [...within(item)].filter((n) => /^\d+$/.test(constantRepr(n) ?? '')) : []
  const uses = namesIn(replace.node, name, 'Load')
  if (sizes.length !== 2 || uses.length === 0) return []
  const [rows, columns] = sizes.map((node) => ({ file: examples.at.file, node })) as [Expression, Expression]
  const source = (at: Expression): string => at.file.source(at.node)
  return [
    {
      title: `Take ${name} without ${brief(source(e))} ${site.at(e)}, and transpose it in the replacement`,
      changes: [
        placed(e, name),
        ...uses.map((node) => replaced({ file: replace.file, node }, `${name}.t()`)),
        replaced(rows, source(columns)),
        replaced(columns, source(rows)),
      ],
    },
  ]
}
