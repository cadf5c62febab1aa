/** Edits of the environment, and their effect on the registrations. */
import { NONE, type Section } from '../../session/section'
import { createSessionStore } from '../../session/session_store'
import type { EnvironmentAnswer, Report } from '../../../engine/protocol'
import { flagValue } from '../../../workspace/environment_text'
import type { Environment, Platform } from '../../../workspace/types'

export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = {
  'cuda-sm80': 'CUDA sm80 (A100)',
  'cuda-sm89': 'CUDA sm89 (L40, RTX 4090)',
  'cuda-sm90': 'CUDA sm90 (H100)',
  'cuda-sm100': 'CUDA sm100 (B200)',
  rocm: 'ROCm (MI300)',
  'rocm-aiter': 'ROCm (MI300) with aiter',
  cpu: 'CPU',
  'ascend-a5': 'Ascend A5',
  'ascend-910b': 'Ascend 910B',
  'ascend-310p': 'Ascend 310P',
  xpu: 'Intel GPU (XPU)',
}

/** `CUDA sm90 (H100) · bfloat16`. */
export const environmentText = ({ platform, dtype }: Environment): string => `${PLATFORM_NAMES[platform]} · ${dtype}`

/** Splits `+rms_norm, -silu_and_mul`. */
export const listOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((t) => t.trim())
    .filter((t) => t !== '')

/** Parses one `name=value` per line; true, false and numbers become booleans and numbers. */
export function flagsOf(text: string): { flags: Environment['flags']; problem: string | null } {
  const flags: Environment['flags'] = {}
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '') continue
    const m = /^([\w.]+)\s*=\s*(.*)$/.exec(line)
    if (!m) return { flags, problem: `Line ${i + 1} is “${line}”; write name=value.` }
    flags[m[1]!] = flagValue(m[2]!)
  }
  return { flags, problem: null }
}

export const flagsText = (flags: Environment['flags']): string =>
  Object.entries(flags)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

/** Parses one `name = Class(arguments)` per line. Without lines, the model has its default layers. */
export function layersOf(text: string): { layers: Environment['layers']; problem: string | null } {
  const layers: Record<string, string> = {}
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '') continue
    const m = /^([^\s=()]+)\s*=\s*([A-Za-z_][\w.]*\(.*\))$/.exec(line)
    if (!m) return { layers, problem: `Line ${i + 1} is “${line}”; write name = Class(arguments).` }
    layers[m[1]!] = m[2]!
  }
  return { layers: Object.keys(layers).length > 0 ? layers : undefined, problem: null }
}

export const layersText = (layers: Environment['layers'] = {}): string =>
  Object.entries(layers)
    .map(([name, call]) => `${name} = ${call}`)
    .join('\n')

/** Registrations and environment queries of a report. */
export interface Registered {
  /** Each entry in order: its key, and its title and bindings. */
  entries: { key: string; text: string }[]
  answers: EnvironmentAnswer[]
}

export function registeredIn(report: Report): Registered {
  return {
    entries: report.passes.flatMap((pass) =>
      pass.entries.map((e) => {
        const bindings = Object.entries(e.bindings).map(([k, v]) => `${k}=${v}`)
        const text = e.title + (bindings.length > 0 ? ` (${bindings.join(', ')})` : '')
        return { key: e.key ?? text, text }
      }),
    ),
    answers: report.asked ?? [],
  }
}

/** The section: unfolded or not, and the registrations before a change, to report its effect. */
export const useEnvironment = createSessionStore(() => ({
  open: false,
  /** The registrations of the run on screen when the environment changed; every other run shows the effect against them. */
  before: NONE as Section<Registered>,
}))

export interface RegistrationChange {
  appeared: string[]
  disappeared: string[]
  /** Queries with a different answer now: the deciding guards. */
  decided: { question: string; before: string; after: string; source: EnvironmentAnswer['source'] }[]
}

export function changeBetween(before: Registered, after: Registered): RegistrationChange {
  const previous = new Map(before.answers.map((a) => [a.question, a.answer]))
  return {
    appeared: missingFrom(before.entries, after.entries),
    disappeared: missingFrom(after.entries, before.entries),
    decided: after.answers.flatMap(({ question, answer, source }) => {
      const was = previous.get(question)
      return was === undefined || was === answer ? [] : [{ question, before: was, after: answer, source }]
    }),
  }
}

/** Items of `list` that `from` lacks, with multiplicity. */
function missingFrom(from: Registered['entries'], list: Registered['entries']): string[] {
  const left = new Map<string, number>()
  for (const { key } of from) left.set(key, (left.get(key) ?? 0) + 1)
  return list.flatMap(({ key, text }) => {
    const n = left.get(key) ?? 0
    left.set(key, n - 1)
    return n <= 0 ? [text] : []
  })
}
