/** Replays the unit tests of PyTorch and vLLM, and compares the engine's verdict on each pass with PyTorch's. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readCapture } from '../../src/engine/capture/read'
import { replay } from '../../src/engine/capture/replay'
import { runsOf } from '../../src/engine/capture/runs'
import { schemasOf } from '../../src/engine/run/registering'
import type { Started } from '../../src/python/testing/start'
import { createTracer } from '../../src/trace'
import { recordedOf, rewritten, type RewriteCase } from '../rewriter/replay'

/** One application of a pass of patterns, or one call of the subgraph rewriter. */
export interface Applied {
  test: string
  what: string
  /** Where the engine differs from PyTorch. */
  differences: string[]
  /** The count and the graph after are PyTorch's. */
  sameGraph: boolean
}

export interface Suite {
  name: string
  /** Every test that ran, in order, including tests that apply no pass. */
  tests: string[]
  applied: Applied[]
}

/** In a file of the source, the anchors are the user's. */
const OWN_ANCHORS =
  "the pattern's class overrides `find_anchor_nodes`. A recording holds no code, so the anchors are the default ones"

/** Tests that differ, and why (docs/peers.md). */
export const DIFFERENT: Readonly<Record<string, string>> = {
  'test_split_cat_fx_passes.TestSplitCatFxPasses.test_split_squeeze': OWN_ANCHORS,
  'test_split_cat_fx_passes.TestSplitCatFxPasses.test_unbind_stack': OWN_ANCHORS,
}

/** One row of the table: a suite, and how many of its tests and passes are equal. */
export interface SuiteCounts {
  name: string
  tests: number
  recorded: number
  /** Tests with PyTorch's counts and graphs. */
  equalByGraph: number
  /** Tests with PyTorch's attempts and reasons too. */
  equal: number
  passes: number
  equalPasses: number
}

export function countsOf({ name, tests, applied }: Suite): SuiteCounts {
  const differing = applied.filter((a) => a.differences.length > 0)
  const testsOf = (some: readonly Applied[]): number => new Set(some.map((a) => a.test)).size
  const recorded = testsOf(applied)
  return {
    name,
    tests: tests.length,
    recorded,
    equalByGraph: recorded - testsOf(differing.filter((a) => !a.sameGraph)),
    equal: recorded - testsOf(differing),
    passes: applied.length,
    equalPasses: applied.length - differing.length,
  }
}

const CAPTURE = '.fusescope.gz'
const folder = new URL('suites', import.meta.url).pathname

/** The recorded suites, or those of another folder. */
export const suitesIn = (from = folder): string[] =>
  readdirSync(from)
    .filter((f) => f.endsWith(CAPTURE))
    .map((f) => f.slice(0, -CAPTURE.length))

const textOf = (file: string): string => gunzipSync(readFileSync(file)).toString()

/** @param every replays one graph in so many */
export function replaySuite(py: Started, name: string, { from = folder, every = 1 } = {}): Suite {
  const text = textOf(join(from, name + CAPTURE))
  const read = readCapture(text, name)
  if (!read.ok) throw new Error(read.error.message)
  const capture = read.value
  const { tests, testOf } = testsIn(text)
  const applied: Applied[] = []
  const tracer = createTracer()
  for (const { run } of runsOf(capture).filter((_, i) => i % every === 0)) {
    const context = { tracer, schemaOf: schemasOf(tracer), detail: 'attempts' } as const
    const { pipeline, verdicts, applications, problems } = replay(capture, run, context)
    for (const [i, { differences }] of verdicts.entries())
      applied.push({
        test: testOf.get(applications[i]!.id) ?? '',
        what: pipeline.passes[i]!.key,
        differences: [
          ...problems.map((p) => p.message),
          ...differences.map((d) => `${d.node ?? 'the pass'}: PyTorch ${d.pytorch}; here ${d.ours}`),
        ],
        sameGraph:
          problems.length === 0 && !differences.some((d) => d.node === null && !/at their anchor$/.test(d.pytorch)),
      })
  }
  return { name, tests, applied: [...applied, ...rewrites(py, join(from, `${name}.rewrites.jsonl.gz`))] }
}

/** The names of the tests, and the test of each application. */
function testsIn(text: string): { tests: string[]; testOf: Map<number, string> } {
  const tests: string[] = []
  const testOf = new Map<number, string>()
  for (const line of text.split('\n')) {
    if (!/^\{"record":"(?:test|apply)"/.test(line)) continue
    const r = JSON.parse(line) as { record: string; name: string; id: number }
    if (r.record === 'test') tests.push(r.name)
    else testOf.set(r.id, tests.at(-1) ?? '')
  }
  return { tests, testOf }
}

/** The tests of a stored suite that applied no pass and called no rewriter. */
export function idleTests(name: string): string[] {
  const { tests, testOf } = testsIn(textOf(join(folder, name + CAPTURE)))
  const busy = new Set([...testOf.values(), ...casesIn(join(folder, `${name}.rewrites.jsonl.gz`)).map(testOfCase)])
  return tests.filter((t) => !busy.has(t))
}

const testOfCase = (c: RewriteCase): string => c.id.split('#')[0]!

function casesIn(file: string): RewriteCase[] {
  if (!existsSync(file)) return []
  return textOf(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RewriteCase)
}

function rewrites(py: Started, file: string): Applied[] {
  return casesIn(file).map((c) => ({ test: testOfCase(c), what: 'rewrite', ...compared(py, c) }))
}

function compared(py: Started, c: RewriteCase & { left_out?: string }): Pick<Applied, 'differences' | 'sameGraph'> {
  if (c.left_out) return { differences: [`not recorded: ${c.left_out}`], sameGraph: false }
  const want = recordedOf(c)
  try {
    const got = rewritten(py, c)
    const sameGraph = got.after === want.after && got.printed[0] === want.printed[0]
    const same = JSON.stringify(got) === JSON.stringify(want)
    const differences = same ? [] : [`PyTorch ${JSON.stringify(want)}; here ${JSON.stringify(got)}`]
    return { differences, sameGraph }
  } catch (e) {
    return { differences: [e instanceof Error ? e.message : String(e)], sameGraph: false }
  }
}
