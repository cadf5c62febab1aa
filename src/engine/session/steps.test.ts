/** Checks that the steps at an anchor end like the report's attempts there, over recorded cases of all families. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { clone, type Graph } from '../../fx'
import { PatternRegistry, type Attempt } from '../../matcher'
import type { Step } from '../../matcher/steps'
import { createPythonHost } from '../../python/host'
import { nodeAssets } from '../../python/node_assets'
import type { PythonHost } from '../../python/types'
import { createTracer } from '../../trace'
import { readCase, type CaseInput } from '../cases/case_input'
import { complete } from '../../explain/pace'
import { Session } from './session'
import { timelineOf } from './steps'

const tracer = createTracer()
let registry: PatternRegistry
let host: PythonHost

function newRegistry(): PatternRegistry {
  return new PatternRegistry({
    host: () => host,
    schemaOf: (target) => tracer.schemaOf(target),
    overloadsOf: (packet) => tracer.overloadsOf(packet),
  })
}

interface Applied {
  name: string
  passId: number
  before: Graph
  attempts: Attempt[]
}

/** The first pass of a case, as applied. */
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
  readFileSync(new URL(`../../../conformance/cases/${family}.public.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as CaseInput)

/** `count` of them, evenly spaced over the list. */
const spread = <T>(items: readonly T[], count: number): T[] =>
  items.filter(
    (_, i) =>
      items.length <= count || Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length),
  )

/** Disagreements between the steps at an anchor and its attempts in the report. */
function differences(attempts: readonly Attempt[], steps: readonly Step[]): string[] {
  const wrong: string[] = []
  const verdicts = steps.filter((s) => s.kind === 'verdict')
  if (verdicts.length !== attempts.length) return [`${verdicts.length} verdicts for ${attempts.length} attempts`]
  attempts.forEach((a, i) => {
    const v = verdicts[i]!
    const last = steps[v.index - 1]!
    const say = (what: string): unknown => wrong.push(`${a.node} entry ${a.entry} ${a.phase}: ${what}`)
    if (v.entry !== a.entry || v.phase !== a.phase || v.ok !== a.ok)
      say(`is reported as entry ${v.entry} ${v.phase} ${v.ok}`)
    if ((v.reason ?? null) !== a.reason) say(`reason ${v.reason} for ${a.reason}`)
    const next = steps.findIndex((s) => s.index > v.index && (s.kind === 'attempt' || s.kind === 'entry'))
    const after = steps.slice(v.index + 1, next < 0 ? undefined : next)
    const dropped = after.some((s) => s.ok === false && s.kind !== 'done' && s.entry === a.entry)
    if (dropped !== (a.dropped !== undefined)) say(`dropped: ${a.dropped}`)
    if (a.ok) return
    if (last.ok !== false) say(`the step before is "${last.text}"`)
    const m = a.mismatch!
    if (m.patternNode !== null && m.patternNode !== last.patternNode)
      say(`${m.kind} at pattern node ${m.patternNode}, reported at ${last.patternNode}: ${last.text}`)
    if (m.graphNode !== null && m.graphNode !== last.graphNode)
      say(`${m.kind} at ${m.graphNode}, reported at ${last.graphNode}: ${last.text}`)
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
      sink: () => registry,
    })
  })

  it.each(['traced', 'custom_op', 'native', 'structural', 'torchtests', 'variants', 'articles', 'vllm_like32'])(
    'end like the attempts of the recorded cases: %s',
    (family) => {
      const all = process.env.ALL_CASES ? 1e9 : 12
      const wrong = spread(cases(family), all).flatMap((c) => check(c, process.env.ALL_CASES ? 12 : 4))
      expect(wrong).toEqual([])
    },
    600_000,
  )

  it('stay the same after a fix trial ran other code in Python', async () => {
    const session = new Session(nodeAssets())
    await session.ready
    const python = `
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()

def search(x):
    return torch.relu(x * 2.0) + 1.0

def replace(x):
    return torch.sigmoid(x)

def check(match):
    return True

register_replacement(search, replace, [torch.empty(4, 8)], fwd_only, patterns, extra_check=check)
`
    const graph = `
def forward(self, x: "f32[4, 8]"):
    mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(x, 2.0)
    relu: "f32[4, 8]" = torch.ops.aten.relu.default(mul)
    add: "f32[4, 8]" = torch.ops.aten.add.Tensor(relu, 1.0)
    mul_1: "f32[4, 8]" = torch.ops.aten.mul.Tensor(add, 3.0)
    relu_1: "f32[4, 8]" = torch.ops.aten.relu.default(mul_1)
    add_1: "f32[4, 8]" = torch.ops.aten.add.Tensor(relu_1, 1.0)
    return (add_1,)
`
    const files = [{ name: 'patterns.py', text: python }]
    const { report } = session.analyze({
      name: 'w',
      graph: { name: 'g.py', text: graph },
      files,
      options: { timeLimitS: 10 },
    })
    expect(report.passes[0]!.count).toBe(1)
    const ends = (node: string): (string | undefined)[] => {
      const { steps } = session.steps('patterns', null, node)
      return [steps.findLast((s) => s.ok === false && s.kind === 'comparison')?.text, steps.at(-1)?.text]
    }
    const failing = [
      'Argument 1 is 3.0 in the graph and 2.0 in the pattern',
      'Done: the pattern does not fire at add_1',
    ]
    expect(ends('add_1')).toEqual(failing)
    expect(ends('add')[1]).toBe('Done: search fired at add')
    complete(session.explain())
    const fixes = session.fixes()
    for (let i = 0; i < 3; i++) fixes.next()
    expect(ends('add_1')).toEqual(failing)
    fixes.next()
    expect(ends('add')[1]).toBe('Done: search fired at add')
  })

  it('explain why a node has none', () => {
    const input: CaseInput = {
      id: 'none',
      pattern_py: `
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
register_replacement(lambda x: torch.relu(torch.neg(x)), lambda x: torch.abs(x), [torch.empty(4)], fwd_only, patterns)
register_replacement(lambda x: torch.neg(x), lambda x: torch.sin(x), [torch.empty(4)], fwd_only, patterns)
`,
      graph:
        'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})\n    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%neg,), kwargs = {})\n    return (relu,)\n',
      readable:
        'def forward(self, x: "f32[4]"):\n    neg: "f32[4]" = torch.ops.aten.neg.default(x)\n    relu: "f32[4]" = torch.ops.aten.relu.default(neg)\n    return (relu,)\n',
    }
    const applied = apply(input)!
    const last = (node: string, entry: number | null = null): string =>
      timelineOf(registry, applied, entry, node).steps.at(-1)!.text
    expect(last('relu')).toMatch(/^Done: .* fired at relu$/)
    expect(last('neg')).toBe('neg is no longer in the graph: the match at relu replaced it in this same pass')
    expect(last('relu', 1)).toBe('The pattern is not tried at aten.relu.default')
    expect(last('x')).toMatch(/^x is an input of the graph. The patterns of this pass are tried at/)
    expect(last('gone')).toBe('The graph before this pass has no node gone')
  })
})
