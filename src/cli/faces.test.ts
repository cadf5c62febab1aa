/** The page, `match`, `match --json`, `match --cases`, `explain`, a table, the graph columns and the trial of a fix: one answer. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EXAMPLE_IDS, exampleWorkspace } from '../../scripts/examples'
import { explainCase, matchCase, type CaseInput } from '../engine/cases/cases'
import { diagnosesOf } from '../engine/report/diagnoses'
import { advisedText } from '../engine/report/file_outcomes'
import { Interpreter } from '../engine/run/interpreter'
import type { Report } from '../engine/protocol'
import { Session } from '../engine/session/session'
import { nodeAssets } from '../python/node_assets'
import { assignedPythonCount, releasePython } from '../python/testing/shared_python'
import { pythonFiles } from '../workspace/python_files'
import type { Workspace } from '../workspace/types'
import { fusescope } from './fusescope'
import * as output from './output'
import { BAD_INPUT } from './status'
import { summaryLines } from './summary'
import { caseOf, expectOneAnswer, workspaceOfCase, type Engine } from './testing/faces'
import { ODD_WORKSPACES } from './testing/odd_workspaces'

/** One row per application of a pass, in order: its variable, its count, and the count of each entry. */
type Counts = [pass: string, count: number, fired?: number[]][]

let engine: Engine
beforeAll(async () => {
  const session = new Session(nodeAssets())
  engine = { session, interpreter: await Interpreter.start(nodeAssets()) }
  await session.ready
})

const countsOf = (report: Pick<Report, 'passes'>): Counts =>
  report.passes.map((p) => [p.name, p.count, p.entries.map((e) => e.fired)])

/** The first run of the search for fixes: the files as they are, through the trial's own registry. */
function trialCounts(workspace: Workspace): Counts {
  const trials = engine.session.fixTrials()
  const { passes, total } = trials.run(pythonFiles(workspace))
  const counts = passes.map((p): Counts[number] => {
    const fired = p.toExplain.entries.map((_, i) => p.fired(i))
    return [p.name, p.matches.length, fired]
  })
  expect(total).toBe(counts.reduce((sum, [, count]) => sum + count, 0))
  return counts
}

/** The pipeline's counts for the same graph as a second graph of the workspace. */
function columnCounts(workspace: Workspace): number[][] {
  const { session } = engine
  const { name, text } = workspace.graph
  const other = { name: `other ${name}`, text: `${text}\n`, ...(workspace.shapes && { shapes: workspace.shapes }) }
  const shown = { name, text, ...(workspace.shapes && { shapes: workspace.shapes }) }
  session.analyze({ ...workspace, graphs: [other], graphAt: 1, graph: { name: shown.name, text: shown.text } })
  return [...session.graphColumns()].find((c) => c?.graph === other.name)!.fired
}

function expectEqualCounts(workspace: Workspace): Report {
  const report = expectOneAnswer(engine, workspace)
  expect(report.python).toBe(null)
  const page = countsOf(report)
  expect(trialCounts(workspace), 'trial of a fix').toEqual(page)
  expect(columnCounts(workspace), 'graph columns').toEqual(page.map(([, , fired]) => fired))
  return report
}

/**
 * Most of the time of all examples; the same passes of vLLM run in others, and recorded cases have the patterns of attention.
 * `ALL_CASES=1` compares them, too.
 */
const LARGE = new Set(['silu-mul-block-quant', 'vllm-rms-norm-quant', 'inductor-attention'])

describe('all faces say the same', () => {
  it.each(EXAMPLE_IDS.filter((id) => process.env.ALL_CASES || !LARGE.has(id)))('of the example %s', (id) => {
    expectEqualCounts(exampleWorkspace(id))
  })

  it.each(ODD_WORKSPACES.map((w) => [w.name, w] as const))('of %s', (_, workspace) => {
    expectOneAnswer(engine, workspace)
  })

  it.each(FAMILIES)('of recorded cases: %s', (family) => {
    for (const input of casesOf(family)) expectOneAnswer(engine, workspaceOfCase(input), input)
  })
})

/** The families of recorded cases. */
const CASES = new URL('../../conformance/cases/', import.meta.url)
const FAMILIES = readdirSync(CASES).map((name) => name.replace('.jsonl', ''))
/** Characters; conform replays each case, and `ALL_CASES=1` compares all. */
const SHORT = 20_000

/** Of a family, a short case and one whose Python raises. A workspace has no custom metadata. */
function casesOf(family: string): CaseInput[] {
  const all = readFileSync(new URL(`${family}.jsonl`, CASES), 'utf8')
    .trim()
    .split('\n')
    .toSorted((a, b) => a.length - b.length)
    .map((line) => JSON.parse(line) as CaseInput & { expected: { register_error?: string | null } })
    .filter((c) => !c.custom_meta && !c.get_attr_values)
  const raising = all.find((c) => c.expected.register_error)
  const short = all.filter((c) => c.graph.length < SHORT).slice(0, 1)
  return process.env.ALL_CASES ? all : [...short, ...(raising ? [raising] : [])]
}

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 8]"):
        view: "f32[8, 8]" = torch.ops.aten.view.default(x, [8, 8]);  x = None
        relu: "f32[8, 8]" = torch.ops.aten.relu.default(view);  view = None
        exp: "f32[8, 8]" = torch.ops.aten.exp.default(relu);  relu = None
        neg: "f32[8, 8]" = torch.ops.aten.neg.default(exp);  exp = None
        abs_1: "f32[8, 8]" = torch.ops.aten.abs.default(neg);  neg = None
        return (abs_1,)
`

/**
 * A pass manager with a pass that refuses every compile range, one whose `__call__` edits the graph and applies its
 * patterns twice, and one that edits the graph alone; `plain` beside it.
 */
const PASSES = `import torch
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.compilation.passes.vllm_inductor_pass import VllmInductorPass
from vllm.config import VllmConfig, get_current_vllm_config

aten = torch.ops.aten

def replaces(search, replace):
    made = PatternMatcherPass()
    register_replacement(search, replace, [torch.empty(8, 8)], fwd_only, made)
    return made

class Refused(VllmInductorPass):
    def __init__(self, config):
        super().__init__(config)
        self.patterns = replaces(lambda x: aten.relu(x), lambda x: aten.sigmoid(x))
    def is_applicable_for_range(self, compile_range):
        return False
    def __call__(self, graph):
        self.patterns.apply(graph)

class Fusion(VllmInductorPass):
    def __init__(self, config):
        super().__init__(config)
        self.patterns = replaces(lambda x: aten.neg(aten.exp(x)), lambda x: aten.tanh(x))
    def __call__(self, graph):
        self.patterns.apply(graph)
        for n in graph.find_nodes(op="call_function", target=aten.abs.default):
            n.target = aten.exp.default
            with graph.inserting_after(n):
                m = graph.call_function(aten.neg.default, (n,))
            n.replace_all_uses_with(m)
            m.args = (n,)
        self.patterns.apply(graph)

class Manager(CustomGraphPass):
    def __init__(self):
        self.passes = []
    def configure(self, config):
        self.passes += [Refused(config), Fusion(config)]
    def __call__(self, graph):
        for p in self.passes:
            if p.is_applicable_for_range(None):
                p(graph)
    def uuid(self):
        return "manager"

manager = Manager()
manager.configure(get_current_vllm_config())
plain = replaces(lambda x: aten.tanh(aten.tanh(x)), lambda x: aten.tanh(x))
`

const LISTED = ['inductor:remove_noop_ops', 'manager.Refused.patterns', 'manager.Fusion.patterns', 'plain']

const workspaceOf = (passes?: string[]): Workspace => ({
  name: 'faces',
  graph: { name: 'graph.py', text: GRAPH },
  files: [{ name: 'passes.py', text: PASSES }],
  options: { timeLimitS: 10 },
  ...(passes && { passes }),
})

describe('on a pass manager with a refused pass, a __call__ that edits, and a built-in pass', () => {
  it.each([
    { listed: undefined, name: 'as defined' },
    { listed: LISTED, name: 'with a list that names the refused pass' },
    { listed: [...LISTED].reverse(), name: 'in another order' },
  ])('$name', ({ listed }) => {
    const report = expectEqualCounts(workspaceOf(listed))
    const refused = report.pipeline!.stages.find((s) => s.name === 'manager.Refused.patterns')
    expect(refused?.off?.why).toBe('not-applicable')
    expect(report.passes.filter((p) => p.name === 'manager.Fusion.patterns').map((p) => p.count)).toEqual([1, 1])
    if (listed) expect(report.pipeline!.stages.find((s) => s.name === LISTED[0])).toMatchObject({ did: { count: 1 } })
  })
})

describe('the commands print it', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fusescope-faces-'))
    vi.stubEnv('INIT_CWD', folder)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Stdout, and stderr without what user code prints. */
  async function print(...args: string[]): Promise<{ out: string; err: string }> {
    const texts = { 1: '', 2: '' }
    const before = assignedPythonCount()
    const show = vi.spyOn(output, 'show').mockImplementation((fd, lines) => void (texts[fd] += `${lines.join('\n')}\n`))
    const write = vi.spyOn(output, 'write').mockImplementation((fd, text) => void (texts[fd] += text))
    const json = vi.spyOn(output, 'writeJson').mockImplementation((value) => void (texts[1] += JSON.stringify(value)))
    const line = vi.spyOn(output, 'writeJsonLine').mockImplementation((text) => void (texts[1] += `${text}\n`))
    const complain = vi.spyOn(output, 'complain').mockImplementation((text) => void (texts[2] += `${text}\n`))
    const bad = vi.spyOn(output, 'bad').mockImplementation((text) => (output.complain(text), BAD_INPUT))
    try {
      await fusescope(args)
      return { out: texts[1], err: texts[2] }
    } finally {
      for (const spy of [show, write, json, line, complain, bad]) spy.mockRestore()
      releasePython(before)
    }
  }

  const parsed = (text: string): unknown => JSON.parse(text, (key, value: unknown) => (key === 'stats' ? {} : value))
  const plain = (value: unknown): unknown => parsed(JSON.stringify(value))
  const named = (name: string) => ODD_WORKSPACES.find((w) => w.name === name)!

  it.each(
    [
      workspaceOf(LISTED),
      named('a misspelled operator'),
      named('a check that a stub decides'),
      named('a file that raises beside one that does not'),
      named('a check of a missing shape'),
    ].map((w) => [w.name, w] as const),
  )('in each of their forms: %s', async (_, workspace) => {
    const { files, graph, passes = [] } = workspace
    const input = { ...caseOf(workspace), id: 'graph.py', pattern_py: files.map((f) => f.text).join('\n') }
    for (const f of [graph, ...files]) writeFileSync(join(folder, f.name), f.text)
    writeFileSync(join(folder, 'cases.jsonl'), `${JSON.stringify(input)}\n`)
    const inputs = [
      ...['--graph', 'graph.py', '--pattern', ...files.map((f) => f.name)],
      ...(passes.length > 0 ? ['--pass', ...passes] : []),
    ]
    const report = expectOneAnswer(engine, workspace)
    const text = await print('match', ...inputs)
    if (report.python) expect(text.err).toContain(advisedText(report.python))
    else expect(text.out.trimEnd().split('\n')).toEqual(summaryLines(report))
    const match = plain(matchCase(engine.interpreter, input))
    expect(parsed((await print('match', ...inputs, '--json')).out)).toEqual(match)
    expect(parsed((await print('match', '--cases', 'cases.jsonl', '--json')).out)).toEqual(match)
    const explained = plain(diagnosesOf(explainCase(engine.interpreter, input)))
    expect(parsed((await print('explain', ...inputs, '--quick', '--json')).out)).toEqual(explained)
  })
})
