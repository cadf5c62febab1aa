/** Says why no stage runs: what the files define instead, and how to run it. */
import { listed } from '../../base/english'
import type { SourceRef } from '../../fx'
import type { StageOff } from './types'

/** Maximum number of names in a sentence. */
const NAMED = 8
/** A name that a shell takes as it is: users copy the option from the sentence, and `__name__` can be any text. */
const PLAIN = /^\w[\w.:#-]*$/

/** The parts of a stage that the sentence names. */
interface InactiveStage {
  name: string
  off: StageOff['why'] | null
  /** What a class needs before it can be created. */
  note?: string
  place?: SourceRef
}

const at = (place: SourceRef | undefined): string => (place ? ` (${place.file}:${place.line})` : '')

/**
 * One or two sentences for a run in which no stage acts.
 * @param defines the definitions in the files, if they have no stage at all
 * @param how to choose the stage NAME: `--pass NAME runs it`
 */
export function nothingRunsText(stages: readonly InactiveStage[], defines: readonly string[], how: string): string {
  const proposed = stages.filter((s) => s.off === 'proposed')
  const unmade = stages.flatMap((s) => (s.off === 'not-made' && s.note !== undefined ? [s.note] : []))
  if (proposed.length > 0) {
    const names = listed(
      proposed.map((s) => `${s.name}${at(s.place)}`),
      NAMED,
    )
    const works = proposed.length === 1 ? 'works on a graph' : 'work on a graph'
    const plain = proposed.find((s) => PLAIN.test(s.name))?.name ?? 'NAME'
    return `no pass runs by itself. ${names} ${works}: ${how.replace('NAME', plain)}.`
  }
  if (unmade.length > 0) return `no pass was found that can run. ${unmade.join(' ')}`
  const found = defines.length === 0 ? 'the files define no function and no class' : `found ${listed(defines, NAMED)}`
  return `no pass was found; expected a PatternMatcherPass, a function in a hook of torch._inductor.config, a PassBase, or a function that takes a graph; ${found}.`
}
