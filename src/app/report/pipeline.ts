/** Edits of the pipeline, and their effect on the compile cache. */
import type { Pipeline, PipelineStage, StageEffects, UuidPart } from '../../engine/pipeline/types'
import type { PassReport, Report } from '../../engine/protocol'
import { count } from '../../base/english'

/** The active stages in order; stage k is the k-th of them, from 1. */
export const actingStages = (p: Pipeline): PipelineStage[] => p.stages.filter((s) => s.at !== null)

/**
 * True if the list of passes may contain the stage: not Fusescope's final actions, stages that are only named, and
 * passes that are not created.
 */
export const isChosen = (s: PipelineStage): boolean =>
  s.kind !== 'dead-code' && s.off?.why !== 'not-run-here' && s.off?.why !== 'not-made'

/** True if the list of passes contains it, even if it does nothing. */
export const isListed = (s: PipelineStage): boolean =>
  isChosen(s) && s.off?.why !== 'not-listed' && s.off?.why !== 'other-path' && s.off?.why !== 'proposed'

/** Names of the listed passes, in order; names that the code lacks stay listed. */
const listed = (p: Pipeline): string[] => p.stages.filter(isListed).map((s) => s.name)

/** The value of `passes` in the workspace for this list; undefined if it equals the order in the code. */
const asPasses = (names: readonly string[], p: Pipeline): string[] | undefined =>
  names.join('\n') === p.defined.join('\n') ? undefined : [...names]

/** The list with a stage switched on at its position, or off. */
export function toggled(p: Pipeline, stage: PipelineStage): string[] | undefined {
  const index = p.stages.indexOf(stage)
  const names = p.stages.flatMap((s, i) => {
    if (!isChosen(s)) return []
    return (i === index ? !isListed(s) : isListed(s)) ? [s.name] : []
  })
  return asPasses(names, p)
}

/**
 * The list with a stage moved to another position; null if that changes nothing. @param to index into the stages: the
 * stage is inserted before the one there
 */
export function movedTo(p: Pipeline, stage: PipelineStage, to: number): string[] | undefined | null {
  if (!isListed(stage)) return null
  const index = p.stages.indexOf(stage)
  const rest = p.stages.filter((s) => s !== stage)
  rest.splice(to > index ? to - 1 : to, 0, stage)
  const names = listed({ ...p, stages: rest })
  return names.join('\n') === listed(p).join('\n') ? null : asPasses(names, p)
}

/** The same, past the next applied pass. */
export function movedBy(p: Pipeline, stage: PipelineStage, by: 1 | -1): string[] | undefined | null {
  const on = p.stages.filter(isListed)
  const next = on[on.indexOf(stage) + by]
  if (!next || !on.includes(stage)) return null
  return movedTo(p, stage, p.stages.indexOf(next) + (by > 0 ? 1 : 0))
}

/** The reason why a stage is inactive, in one sentence. */
export function offSentence(stage: PipelineStage): string | null {
  switch (stage.off?.why) {
    case 'not-applicable':
      return 'Inactive: it rejects the compile range of token counts.'
    case 'other-path':
      return `Off: the other compile path is active. ${count(stage.entries, 'pattern')} registered.`
    case 'proposed':
      return 'Proposed: it works on a graph, but nothing names it a pass. Switch it on to run it.'
    case 'not-made':
      if (stage.note !== undefined) return `Off: ${stage.note}`
      return `Off: ${stage.manager ?? 'the pass manager'} does not create it in this configuration.`
    case 'not-listed':
      if (stage.kind === 'built-in') return null
      if (stage.kind === 'call') return 'Off: not in the workspace’s list.'
      return stage.entries > 0
        ? `Off: not in the workspace’s list. ${count(stage.entries, 'pattern')} registered.`
        : 'Off: not in the workspace’s list, and without registered patterns.'
    case 'not-defined':
      return 'Listed in the workspace, but the code defines no pass of this name.'
    case 'no-patterns':
      return 'Inactive: it has no registered patterns.'
    default:
      return null
  }
}

/** `32 matches · 8 patterns · 512 attempts · 12 ms` */
export function figures(pass: PassReport): string {
  const ms = pass.applyMs > 0 ? [milliseconds(pass.applyMs)] : []
  return [
    count(pass.count, 'match', 'matches'),
    count(pass.entries.length, 'pattern'),
    count(pass.attemptsLeftOut ?? pass.attemptFacts?.count ?? pass.attempts.length, 'attempt'),
    ...ms,
  ].join(' · ')
}

/** The same for a stage without patterns: `1 node · 0.4 ms`; for code on the graph: `1 place · 4 edits · 0.4 ms`. */
export function effectFigures(kind: PipelineStage['kind'], did: StageEffects): string {
  const replaced = did.count === null ? [] : [count(did.count, kind === 'call' ? 'place' : 'node')]
  const edits = kind === 'call' ? [count((did.edits?.length ?? 0) + (did.editsLeftOut ?? 0), 'edit')] : []
  return [...replaced, ...edits, milliseconds(did.ms)].join(' · ')
}

const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

/** `remove_noop_ops`: the name without the prefix that distinguishes it from variables. */
export const shownName = (stage: PipelineStage): string =>
  stage.kind === 'dead-code' ? 'Dead-code elimination' : stage.name.replace(/^inductor:/, '')

/** The stage's call site: `post_grad_custom_pre_pass · listed by manager · Fusion`. */
export function placeOf({ hook, manager, of, what }: PipelineStage): string | null {
  const parts = [hook ?? [], manager === undefined ? [] : `listed by ${manager}`, of ?? []].flat()
  return parts.length > 0 ? parts.join(' · ') : (what ?? null)
}

/** Title of the graph on the canvas: `Original graph`, `After first`, `After dead code`. */
export function stageTitle(p: Pipeline, at: number): string {
  if (at === 0) return 'Original graph'
  const stage = actingStages(p)[at - 1]
  return stage?.kind === 'dead-code'
    ? 'After dead-code elimination'
    : `After ${stage ? shownName(stage) : `stage ${at}`}`
}

/** `+32 −96`; empty if nothing changed. */
export function changeText({ added, removed }: Pick<PipelineStage, 'added' | 'removed'>): string {
  const parts = [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : '']
  return parts.filter(Boolean).join(' ')
}

/** One change that invalidates a compile-cache entry. */
export interface Invalidation {
  /** A file's name, `the patterns as text`, `the environment`, `the order of the passes` … */
  what: string
  /** The affected passes. */
  passes: string[]
}

/** Changes between the uuids of two pipelines; empty if equal. */
export function invalidatedBy(before: Pipeline, after: Pipeline): Invalidation[] {
  if (before.uuid === after.uuid) return []
  const [was, is] = [acting(before), acting(after)]
  const found = new Map<string, Set<string>>()
  const note = (what: string, pass: string): void => void found.set(what, (found.get(what) ?? new Set()).add(pass))
  for (const stage of is) {
    const old = was.find((s) => s.name === stage.name)
    if (!old) note('a pass that was not applied', stage.name)
    else for (const part of changedParts(old.uuid?.parts ?? [], stage.uuid?.parts ?? [])) note(part, stage.name)
  }
  for (const old of was) if (!is.some((s) => s.name === old.name)) note('a pass that is no longer applied', old.name)
  const out = [...found].map(([what, passes]): Invalidation => ({ what, passes: [...passes] }))
  const names = (list: PipelineStage[], among: PipelineStage[]): string =>
    list.flatMap((s) => (among.some((o) => o.name === s.name) ? [s.name] : [])).join('\n')
  if (names(was, is) !== names(is, was)) out.push({ what: 'the order of the passes', passes: is.map((s) => s.name) })
  // Without passes, only the environment can differ.
  return out.length > 0 ? out : [{ what: 'the environment', passes: [] }]
}

const acting = (p: Pipeline): PipelineStage[] => p.stages.filter((s) => s.kind !== 'dead-code' && s.at !== null)

function changedParts(before: readonly UuidPart[], after: readonly UuidPart[]): string[] {
  const hash = new Map(before.map((p) => [p.name, p.hash]))
  const changed = after.filter((p) => hash.get(p.name) !== p.hash).map((p) => p.name)
  const gone = before.filter((p) => !after.some((a) => a.name === p.name)).map((p) => p.name)
  return [...changed, ...gone]
}

/** True if the source changed but no pattern did: the uuid hashes the source. */
export const sourceOnly = (found: readonly Invalidation[]): boolean =>
  found.length > 0 && found.every((f) => f.what.endsWith('.py'))

/** The pass of a stage in a report. */
export const passOf = (report: Report, stage: PipelineStage): PassReport | null =>
  stage.pass === null ? null : (report.passes[stage.pass] ?? null)

/** True if the passes are those of a capture, applied as recorded: they cannot be switched or moved. */
export const isRecorded = ({ capture }: Report): boolean => capture !== undefined && !capture.edited
