/** The nodes that an explained pattern accepts are those at which PyTorch's recorded attempts succeed. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCase, type CaseInput } from '../src/engine/cases/case_input'
import { schemasOf } from '../src/engine/run/registering'
import { explainPattern } from '../src/explain/expressions/explain_pattern'
import { PatternPrettyPrinter, type PatternExpr } from '../src/matcher'
import { patternFromText } from '../src/matcher/testing/pattern_text'
import { createTracer } from '../src/trace'

interface Recorded extends CaseInput {
  expected: {
    passes?: {
      entries: { pattern: string }[]
      attempts: { entry: number; phase: string; node: string; ok: boolean; pattern?: string }[]
      applied: { node: string }[]
    }[]
  }
}

const schemaOf = schemasOf(createTracer())

/** What PyTorch's text loses: that two Arg() or two inlined calls are one object, and whether a list is partial. */
const LOSSY = /ListOf\(|\[[^[\]]*CallFunction\(|Arg\(\)[^]*\bArg\(\)|MultiOutputPattern\([^]*^ {2}KeywordArg/m

/** Null for a text that loses objects, or in a notation that the test's reader lacks. */
function patternOf(text: string): PatternExpr | null {
  if (LOSSY.test(text)) return null
  try {
    const pattern = patternFromText(text)
    return PatternPrettyPrinter.run(pattern) === text ? pattern : null
  } catch {
    return null
  }
}

/** Compares the first pass of a case before its first replacement; returns the number of attempts compared. */
function compare(input: Recorded): { compared: number; differ: string[] } {
  const [pass] = input.expected.passes ?? []
  const differ: string[] = []
  let compared = 0
  if (!pass) return { compared, differ }
  const graph = readCase(input)
  const accepted = new Map<string, ReadonlySet<string> | null>()
  const nodesOf = (text: string): ReadonlySet<string> | null => {
    let nodes = accepted.get(text)
    if (nodes !== undefined) return nodes
    const initial = patternOf(text)
    nodes = null
    if (initial) {
      const of = {
        name: '',
        graph,
        entries: [],
        attempts: [],
        matches: [],
        applyError: null,
        schemaOf,
        specific: () => null,
      }
      const patterns = { kind: 'graph', initial, exact: null, specific: [], searchGraph: null } as const
      const [root] = explainPattern(of, 0, patterns).stages[0]!.expressions
      nodes = new Set((root!.whole ?? 0) > 0 ? root!.nodes : [])
    }
    accepted.set(text, nodes)
    return nodes
  }
  for (const a of pass.attempts) {
    const text = a.phase === 'specific' ? a.pattern : pass.entries[a.entry]?.pattern
    const nodes = text === undefined ? null : nodesOf(text)
    if (nodes) {
      compared++
      if (nodes.has(a.node) !== a.ok) differ.push(`${input.id} ${a.phase} ${a.node}: PyTorch ${a.ok}\n${text}`)
    }
    // The rest of the pass goes over a graph with the replacement.
    if (pass.applied.some((m) => m.node === a.node)) break
  }
  return { compared, differ }
}

describe('the nodes that match a pattern with all its arguments', () => {
  it.each([
    ['traced', 150],
    ['structural', 100],
    ['custom_op', 100],
    ['native', 50],
  ])('are those of PyTorch in %s', (family, least) => {
    const path = new URL(`cases/${family}.public.jsonl`, import.meta.url).pathname
    const cases = readFileSync(path, 'utf8').split('\n').filter(Boolean)
    const results = cases.map((line) => compare(JSON.parse(line) as Recorded))
    expect(results.flatMap((r) => r.differ)).toEqual([])
    expect(results.reduce((n, r) => n + r.compared, 0)).toBeGreaterThan(least)
  })
})
