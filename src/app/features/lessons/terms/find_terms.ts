/** Finds terms of the glossary in a text. */
import type { TermId } from '../../../../engine/lessons/glossary'

/** Spellings of each term in a text, case-insensitive. If one spelling contains another, the longer comes first. */
const FORMS: Record<TermId, string> = {
  anchor: 'anchors?',
  aotAutograd: 'AOTAutograd',
  attempt: 'attempts?',
  // The axis of a tensor is a different concept.
  axis: 'axes',
  callFunction: 'CallFunction|CallMethod|CallModule',
  cause: 'causes?',
  decomposition: 'decompositions?|decomposed',
  entry: 'entry|entries',
  environment: 'environments?',
  escape: 'escaping (?:values?|intermediates?)|escapes?',
  exampleInputs: 'example inputs?',
  extraCheck: 'extra_check',
  fakeTensor: 'fake tensors?|FakeTensors?',
  fwdOnly: 'fwd_only',
  fxGraph: 'FX graphs?',
  functionalized: 'auto_functionalized(?:_v2)?|functionalized|functionalization',
  getitem: 'getitem',
  handler: 'handlers?',
  ignored: 'Ignored',
  keywordArg: 'KeywordArg',
  lint: 'lints?',
  lowering: 'lowerings?',
  metaVal: "meta\\['val'\\]|meta val",
  multiOutput: 'MultiOutputPattern',
  mutationRegion: 'mutation regions?',
  nearMiss: 'near miss(?:es)?',
  output: 'outputs? of (?:a|the) pattern',
  overload: 'overloads?',
  pass: 'post-grad pass(?:es)?',
  patternExpr: 'PatternExprs?',
  position: 'operand order',
  referenceDevice: 'reference device',
  registration: 'registrations?|register_replacement',
  replacement: 'replacements?',
  replaceByExample: 'replace_by_example',
  scalarWorkaround: 'scalar_workaround',
  stageOne: 'stage one|initial (?:stage|attempt|patterns?)',
  stageTwo: 'stage two|specific (?:stage|attempt)',
  stub: 'stubs?|stubbed',
  tma: 'TMA',
  tracing: 'tracing',
  ue8m0: 'u?e8m0',
  users: 'users?',
  variant: 'variants?',
  violation: 'violations?',
}

const GROUPS = Object.entries(FORMS) as [TermId, string][]
const ANY = new RegExp(`(?<![\\w.])(?:${GROUPS.map(([, forms]) => `(${forms})`).join('|')})(?![\\w(]|\\.\\w)`, 'gi')

export type TermPart = string | { term: TermId; text: string }

/** Splits a text at its terms; each term is marked once. @param leave terms that are not marked; found terms are added */
export function findTerms(text: string, leave: Set<TermId> = new Set()): TermPart[] {
  const parts: TermPart[] = []
  let from = 0
  for (const match of text.matchAll(ANY)) {
    const group = match.slice(1).findIndex((g) => g !== undefined)
    const term = GROUPS[group]![0]
    if (leave.has(term)) continue
    leave.add(term)
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push({ term, text: match[0] })
    from = match.index + match[0].length
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from))
  return parts
}
