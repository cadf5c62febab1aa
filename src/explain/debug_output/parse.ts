/**
 * Parses a paste of PyTorch's log: prefixes, ANSI colors, wrapped and truncated lines, and unrelated output in between.
 */
import { closing, patternsIn } from './pattern_text'
import type { DebugKind, DebugLine } from './types'

// eslint-disable-next-line no-control-regex
const COLOR = /\u001b\[[0-9;]*[A-Za-z]/g
/** Prefixes that loggers put before a message. */
const PREFIXES: readonly RegExp[] = [
  /^\s+(?=\S)/,
  /^\[(?:rank)?\d+\]:?\s*/,
  /^\(\w[\w.-]*(?: [\w]+=\S+)*\)\s*/,
  /^[VDIWEC]\d{4} \d\d:\d\d:\d\d(?:\.\d+)? \d+ \S+\.py:\d+\]\s*/,
  /^(?:DEBUG|INFO|WARNING|ERROR):[\w.]+:(?:[\w.]+:\d+\s)?\s*/,
  /^(?:DEBUG|INFO|WARNING|ERROR)\s+(?:\d[\d-]* )?(?:\d\d:\d\d:\d\d(?:[.,]\d+)? )?\[\S+\.py:\d+\]\s*/,
  /^\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?\]?(?: - |:|,)?\s*/,
  /^torch[\w.]*pattern_matcher(?::| -)\s*/,
  /^\[(?:DEBUG|INFO|WARNING|ERROR)\]\s*/,
  /^(?:DEBUG|INFO|WARNING|ERROR)(?::| -)\s*/,
  /^\[\d+\/\d+(?:_\d+)?\]\s*/,
  /^\[__\w+\]\s*/,
]
const SPECIFIC = /^Specific pattern match:\s*/
const TRACE_FAILED = /^Replacement pattern (\S+) failed to apply due to shape mismatch: (.*)$/s
const REASONS =
  /^(function_mismatch|get_attr_mismatch|get_attr_value|get_attr target|get_attr without|multiple_users|args_structure|constant_args|kwarg mismatch|kwarg_mismatch|exclusive arg|repeated pattern|non_list|list\b|list\[\d+\]|no anchor|no_match|FailedMatch|expected)/
/** Maximum number of lines that one message may wrap over. */
const MAX_WRAPPED_LINES = 400

export function parseDebugOutput(text: string): DebugLine[] {
  const lines = text.replace(COLOR, '').split(/\r?\n/)
  const out: DebugLine[] = []
  for (let i = 0; i < lines.length; i++) {
    const begun = i
    let body = withoutPrefix(lines[i]!).text
    if (body.trim() === '') continue
    if (begins(body))
      while (i + 1 < lines.length && i - begun < MAX_WRAPPED_LINES && !ended(body)) {
        const next = withoutPrefix(lines[i + 1]!)
        if (next.text.trim() === '' || !continues(next)) break
        const raw = next.prefixed ? ` ${next.text}` : lines[i + 1]!
        body += raw.replace(/^\s+/, ' ')
        i++
      }
    let read = readLine(body.trimEnd(), begun + 1)
    // A false start of a message is kept as a line of its own.
    if (read.kind === 'other' && i > begun) {
      i = begun
      read = readLine(withoutPrefix(lines[i]!).text.trimEnd(), begun + 1)
    }
    out.push(read)
  }
  return out
}

function withoutPrefix(line: string): { text: string; prefixed: boolean } {
  let text = line
  let prefixed = false
  for (let again = true; again;) {
    again = false
    for (const prefix of PREFIXES) {
      const cut = text.replace(prefix, '')
      if (cut === text) continue
      if (prefix !== PREFIXES[0]) prefixed = true
      text = cut
      again = true
    }
  }
  return { text, prefixed }
}

const HEAD = /^(?:Specific pattern match:\s*)?[A-Za-z_]\w*\(/
const begins = (body: string): boolean =>
  HEAD.test(body) && (SPECIFIC.test(body) || !/^\w+\([^()]*$/.test(body) || /%|,/.test(body))

/**
 * True for a continuation of a message. TreeSpecs print over several lines, and PyTorch's and vLLM's loggers may prefix
 * each of them.
 */
const continues = ({ text, prefixed }: { text: string; prefixed: boolean }): boolean =>
  /^(?:TreeSpec\(|[*\])])/.test(text) || (!prefixed && !begins(text))

/** True if all brackets of a message are closed and it ends in a pattern. */
function ended(body: string): boolean {
  const last = patternsIn(body).at(-1)
  return last !== undefined && last.complete && body.slice(last.end).trim() === ''
}

const line = (at: number, text: string, kind: DebugKind, rest: Partial<DebugLine> = {}): DebugLine => ({
  line: at,
  text,
  kind,
  node: null,
  reasonKind: null,
  reason: null,
  reasonNodes: [],
  partText: null,
  patternText: null,
  truncated: false,
  ...rest,
})

function readLine(text: string, at: number): DebugLine {
  const failed = TRACE_FAILED.exec(text)
  if (failed) return line(at, text, 'trace-failed', { reason: failed[2]!, reasonKind: 'trace', patternText: null })
  const specific = SPECIFIC.test(text)
  const body = text.replace(SPECIFIC, '')
  const node = /^([A-Za-z_]\w*)(?=\()/.exec(body)?.[1]
  const end = node === undefined ? -1 : closing(body, node.length)
  if (node === undefined || (end < 0 && !specific)) return line(at, text, 'other')
  const rest = end < 0 ? '' : body.slice(end).trim()
  const matched = rest.startsWith('Match(')
  if (!matched && !REASONS.test(rest) && !(specific && rest === '')) return line(at, text, 'other')
  const patterns = patternsIn(rest)
  const whole = patterns.at(-1)
  const truncated = end < 0 || whole === undefined || !whole.complete
  const patternText = whole ? rest.slice(whole.start, whole.end) : null
  if (matched)
    return line(at, text, specific ? 'specific-matched' : 'initial-matched', { node, patternText, truncated })
  const own = patternsIn(rest).length > 1 ? patterns[0] : undefined
  const reason = rest.slice(0, whole?.start).trim()
  const named = /(?:node=|constant_args: |multiple_users |get_attr_value: )([A-Za-z_]\w*)\b(?!\()/.exec(reason)?.[1]
  return line(at, text, specific ? 'specific-failed' : 'initial-failed', {
    node,
    reason,
    reasonKind: REASONS.exec(rest)?.[1]?.replace(/\[\d+\]$/, '') ?? null,
    reasonNodes: named ? [named] : [],
    partText: own ? rest.slice(own.start, own.end) : null,
    patternText,
    truncated,
  })
}
