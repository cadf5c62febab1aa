/** The query language of Find: terms that must all hold, such as `op:mm dtype:bf16 shape:[*,256] users>1 -matched:no`. */
import { err, ok, type Result } from '../../../base/result'
import type { Compile } from './patterns'

/** The keys, each with its explanation in completion. */
export const KEYS = {
  name: 'name of the node, * for any text',
  op: 'operator, or one part of its name: mm, aten.mm, *quant*',
  dtype: 'bf16, f8e4m3fn, torch.bfloat16',
  shape: '[48, 256]; * for any size, ... for any number of sizes',
  device: 'cuda, cuda:0, cpu',
  arg: 'text of an argument: 1e-06, dtype=',
  users: 'number of users: users>1',
  inputs: 'number of distinct input nodes: inputs>=2',
  matched: 'letter or title of a pattern; * for any, no for none',
  line: 'source line: act.py:42, or one file: act.py',
  in: 'repeated part of the graph: layer17, layer, mlp3',
  module: 'module of the model: layers.3.mlp, layers.*.mlp',
  path: 'nodes on the paths between two nodes: path:x~mm_3',
  near: 'nodes within 2 edges of a node; near:getitem_3~4 within 4',
} as const

export type Key = keyof typeof KEYS
export type Comparison = ':' | '>' | '<' | '>=' | '<='

export type Condition =
  /** Text that the name or target contains. */
  | { kind: 'word'; text: string }
  | { kind: 'pattern'; test: (text: string) => boolean }
  | { kind: 'number'; key: 'users' | 'inputs'; comparison: Comparison; value: number }
  | { kind: 'near'; name: string; steps: number }
  | { kind: 'path'; from: string; to: string }
  | { kind: 'text'; key: Exclude<Key, 'users' | 'inputs' | 'near' | 'path'>; value: string }

export interface Term {
  condition: Condition
  /** True for `-term`: the node must not satisfy it. */
  not: boolean
}

/** Distance of `near:NAME`, in edges of either direction. */
const NEAR_STEPS = 2
const MAX_STEPS = 1000
const KEYED = /^([a-z]+)(:(?!:)|>=|<=|>|<)(.*)$/is

/** Parses a query. @returns its terms, none for an empty query; the error names the term and what it expects */
export function parseQuery(text: string, compile: Compile): Result<Term[], string> {
  const terms: Term[] = []
  for (const token of tokens(text)) {
    const not = token.length > 1 && token.startsWith('-')
    const condition = parseTerm(not ? token.slice(1) : token, compile)
    if (!condition.ok) return condition
    terms.push({ condition: condition.value, not })
  }
  return ok(terms)
}

/** Splits at white space outside "…", […] and a leading /…/. */
export function tokens(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at]!)) {
      at++
      continue
    }
    const end = endOfToken(text, at)
    found.push(text.slice(at, end))
    at = end
  }
  return found
}

function endOfToken(text: string, start: number): number {
  const regex = /-?\/(?:[^/\\]|\\.)+\/i?(?=\s|$)/y
  regex.lastIndex = start
  const matched = regex.exec(text)
  if (matched) return start + matched[0].length
  let close = ''
  for (let at = start; at < text.length; at++) {
    const c = text[at]!
    if (close) close = c === close ? '' : close
    else if (c === '"') close = '"'
    else if (c === '[') close = ']'
    else if (/\s/.test(c)) return at
  }
  return text.length
}

const PATTERN = /^-?\/(.+)\/i?$/s

/** True if a query contains a regular expression. */
export const hasPattern = (text: string): boolean => tokens(text).some((token) => PATTERN.test(token))

function parseTerm(token: string, compile: Compile): Result<Condition, string> {
  const source = PATTERN.exec(token)?.[1]
  if (source !== undefined) {
    const test = compile(source)
    return test.ok ? ok({ kind: 'pattern', test: test.value }) : fail(`${token} ${test.error}.`)
  }
  const keyed = KEYED.exec(token)
  if (!keyed) return ok({ kind: 'word', text: unquoted(token.replace(/^%/, '')).toLowerCase().replaceAll('::', '.') })
  const [, name = '', comparison = ':', rest = ''] = keyed
  const key = name.toLowerCase()
  if (!isKey(key)) return fail(`"${name}" is not a key. The keys are ${Object.keys(KEYS).join(', ')}.`)
  return parseKeyed(key, comparison as Comparison, unquoted(rest))
}

function parseKeyed(key: Key, comparison: Comparison, value: string): Result<Condition, string> {
  if (value === '') return fail(`${key}${comparison} needs a value: ${KEYS[key]}.`)
  if (key === 'users' || key === 'inputs') {
    if (!/^\d+$/.test(value))
      return fail(`${key} is compared with a number, as in ${key}>1; "${value}" is not a number.`)
    return ok({ kind: 'number', key, comparison, value: Number(value) })
  }
  if (comparison !== ':') return fail(`${key} takes ":", not "${comparison}". Only users and inputs are compared.`)
  if (key === 'path') {
    const ends = /^%?([^~]+)~%?([^~]+)$/.exec(value)
    if (!ends) return fail(`path takes two nodes, as in path:x~mm_3; found "${value}".`)
    return ok({ kind: 'path', from: ends[1]!, to: ends[2]! })
  }
  if (key !== 'near') return ok({ kind: 'text', key, value })
  const near = /^%?([^~]+)(?:~(\d{1,4}))?$/.exec(value)
  if (!near) return fail(`near takes a node and a distance, as in near:getitem_3~4; found "${value}".`)
  return ok({ kind: 'near', name: near[1]!, steps: Math.min(MAX_STEPS, Number(near[2] ?? NEAR_STEPS)) })
}

export const isKey = (text: string): text is Key => Object.hasOwn(KEYS, text)

const unquoted = (text: string): string => /^"(.*?)"?$/s.exec(text)?.[1] ?? text

const fail = (text: string): Result<never, string> => err(text)
