/** The steps of an anchor end as the report's attempts there do: over recorded cases of all families. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { clone, type Graph } from '../fx'
import { PatternRegistry, type Attempt } from '../matcher'
import type { Step } from '../matcher/steps'
import { createPythonHost } from '../python/host'
import { nodeAssets } from '../python/node_assets'
import type { PythonHost } from '../python/types'
import { createTracer } from '../trace'
import { readCase, type CaseInput } from './cases'
import { timelineOf } from './steps'

const tracer = createTracer()
let registry: PatternRegistry
let host: PythonHost

function newRegistry(): PatternRegistry {
  return new PatternRegistry({
    host: () => host,
    schemaOf: (target) => tracer.schemaOf?.(target) ?? null,
    overloadsOf: (packet) => tracer.overloadsOf?.(packet) ?? [],
  })
}

interface Applied {
  name: string
  passId: number
  before: Graph
  attempts: Attempt[]
}

/** The first pass of a case, as it was applied. */
function apply(input: CaseInput): Applied | null {
  registry = newRegistry()
  const run = host.run(input.files ?? [{ name: 'user_pattern.py', text: input.pattern_py }])
  const pass = run.passes.find((p) => !input.passes || p.variable === input.passes[0])
  if (run.failure || !pass) return null
  const before = readCase(input)
  const attempts: Attempt[] = []
  registry.apply(pass.passId, clone(before).graph, { attempt: (a) => attempts.push(a) })
  return { name: pass.variable, passId: pass.passId, before, attempts }
}

const cases = (family: string): CaseInput[] =>
  readFileSync(new URL(`../../conformance/cases/${family}.public.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as CaseInput)

/** `count` of them, from all over the list. */
const spread = <T>(items: readonly T[], count: number): T[] =>
  items.filter(
    (_, i) =>
      items.length <= count || Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length),
  )

/** What is wrong with the steps of an anchor, against its attempts in the report. */
function differences(attempts: readonly Attempt[], steps: readonly Step[]): string[] {
  const wrong: string[] = []
  const verdicts = steps.filter((s) => s.kind === 'verdict')
  if (verdicts.length !== attempts.length) return [`${verdicts.length} verdicts for ${attempts.length} attempts`]
  attempts.forEach((a, i) => {
    const v = verdicts[i]!
    const last = steps[v.index - 1]!
    const say = (what: string): unknown => wrong.push(`${a.node} entry ${a.entry} ${a.phase}: ${what}`)
    if (v.entry !== a.entry || v.phase !== a.phase || v.ok !== a.ok)
      say(`is told as entry ${v.entry} ${v.phase} ${v.ok}`)
    if ((v.reason ?? null) !== a.reason) say(`reason ${v.reason} for ${a.reason}`)
    const next = steps.findIndex((s) => s.index > v.index && (s.kind === 'attempt' || s.kind === 'entry'))
    const after = steps.slice(v.index + 1, next < 0 ? undefined : next)
    const dropped = after.some((s) => s.ok === false && s.kind !== 'done' && s.entry === a.entry)
    if (dropped !== (a.dropped !== undefined)) say(`dropped: ${a.dropped}`)
    if (a.ok) return
    if (last.ok !== false) say(`the step before is "${last.text}"`)
    const m = a.mismatch!
    if (m.patternNode !== null && m.patternNode !== last.patternNode)
      say(`${m.kind} at pattern node ${m.patternNode}, told at ${last.patternNode}: ${last.text}`)
    if (m.graphNode !== null && m.graphNode !== last.graphNode)
      say(`${m.kind} at ${m.graphNode}, told at ${last.graphNode}: ${last.text}`)
  })
  return wrong
}

function check(input: CaseInput, anchors: number): string[] {
  const applied = apply(input)
  if (!applied) return []
  const { attempts } = applied
  const nodes = spread([...new Set(attempts.map((a) => a.node))], anchors)
  return nodes.flatMap((node) => {
    const { steps } = timelineOf(registry, applied, null, node)
    return differences(
      attempts.filter((a) => a.node === node),
      steps,
    ).map((d) => `${input.id}: ${d}`)
  })
}

describe('steps', () => {
  beforeAll(async () => {
    host = await createPythonHost({
      assets: nodeAssets(),
      tracer,
      sink: {
        newPass: (id, name) => registry.newPass(id, name),
        registerReplacement: (id, r) => registry.registerReplacement(id, r),
        registerGraphPattern: (id, r) => registry.registerGraphPattern(id, r),
      },
    })
  }, 120_000)

  it.each(['traced', 'custom_op', 'native', 'structural', 'torchtests', 'variants', 'articles', 'vllm_like32'])(
    'end as the attempts of the recorded cases do: %s',
    (family) => {
      const all = process.env.ALL_CASES ? 1e9 : 12
      const wrong = spread(cases(family), all).flatMap((c) => check(c, process.env.ALL_CASES ? 12 : 4))
      expect(wrong).toEqual([])
    },
    600_000,
  )
})
