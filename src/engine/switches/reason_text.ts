/** The settings that produced an answer of the environment, as a clause. */
import type { EnvironmentSetting } from '../../python/types'
import type { StageGuard } from '../pipeline/types'
import { count, listed } from '../../base/english'
import type { SwitchedOff } from './types'

/** ` because the platform is cuda-sm90`: a flag that is set, else the other settings, else flags that are not set. */
export function becauseText(settings: readonly EnvironmentSetting[] = []): string {
  const isFlag = (s: EnvironmentSetting): boolean => s.name.startsWith('flag ')
  const set = settings.filter((s) => isFlag(s) && s.value !== null)
  const fields = settings.filter((s) => !isFlag(s))
  const decisive = set.length > 0 ? set : fields.length > 0 ? fields : settings
  return decisive.length === 0 ? '' : ` because ${listed(decisive.map(settingText))}`
}

function settingText({ name, value }: EnvironmentSetting): string {
  if (name === 'tokens') return value === null ? 'the number of tokens is symbolic' : `the number of tokens is ${value}`
  if (name === 'layers') return `the environment names ${value === null ? 'no' : 'these'} layers`
  return `the ${name} is ${value ?? 'not set'}`
}

/** `enable_custom_op() = False because the platform is cuda-sm90`. */
export const answerText = ({ question, answer, settings }: Omit<StageGuard, 'source'>): string =>
  `${question} = ${answer}${becauseText(settings)}`

/** The same, with its line. */
export const guardText = (guard: StageGuard): string =>
  `${answerText(guard)}${guard.source ? ` (${guard.source.file}:${guard.source.line})` : ''}`

const OFF: Readonly<Record<SwitchedOff['why'], string>> = {
  'not-listed': 'is off, because the list of passes lacks it: ',
  'not-defined': 'is listed, and no file defines it: ',
  'no-patterns': 'has no patterns; the environment answered ',
  'not-applicable': 'is off, because it rejects the compile range: ',
  'other-path': 'is off, because the other compile path is active: ',
  'not-made': 'is off, because nothing creates it: ',
  'not-run-here': 'is not run here: ',
  proposed: 'is off, because nothing names it a pass: ',
  raised: 'stopped registering patterns; the environment answered ',
  skipped: '',
}

/**
 * One line: what is off, the answers that decided it, and the setting that turns it on.
 * @param option text before a setting: the command line's option, or nothing if settings are not typed
 */
export function offText({ name, why, guards, lines = [], on, tried }: SwitchedOff, option = '--env '): string {
  const answers = guards.length > 0 ? listed(guards.map(guardText), 6) : 'nothing that decides it'
  const off = guards.length > 0 || !OFF[why].endsWith(': ') ? `${OFF[why]}${answers}` : OFF[why].slice(0, -2)
  if (why !== 'skipped') return `${name} ${off}${onText(on, tried, option)}`
  const skipped = `${count(lines.length, 'registration')} skipped at ${name}:${listed(lines.map(String), 6)}`
  return `${answers}; ${skipped}${onText(on, tried, option)}`
}

function onText(on: SwitchedOff['on'], tried: number, option: string): string {
  if (on) {
    const more = on.matches - on.matchesBefore
    const fires =
      more > 0
        ? `${count(more, 'more match', 'more matches')}`
        : more < 0
          ? `${on.matches} matches in all`
          : 'no more match'
    const added = on.patterns > 0 ? `${count(on.patterns, 'more pattern')} and ` : ''
    return `; ${option}${on.setting} turns it on: ${added}${fires}`
  }
  return tried === 0 ? '' : `; none of ${count(tried, 'other setting')} turns it on`
}
