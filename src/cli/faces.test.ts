/** The page, `match`, `match --json`, `match --cases`, `explain`, the graph columns and the trial of a fix: equal counts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EXAMPLE_IDS, exampleWorkspace } from '../../scripts/examples'
import { CaseRunner } from '../engine/cases/cases'
import type { Report } from '../engine/protocol'
import { Session } from '../engine/session/session'
import { nodeAssets } from '../python/node_assets'
import { releasePython } from '../python/testing/shared_python'
import { pythonFiles } from '../workspace/python_files'
import type { Workspace } from '../workspace/types'
import { fusescope } from './fusescope'
import * as output from './output'

/** One row per application of a pass, in order: its variable, its count, and the count of each entry. */
type Counts = [pass: string, count: number, fired?: number[]][]

/** A stage that is listed or defined: its name, and the reason if it is inactive. */
type Stages = [name: string, off: string | null][]

let session: Session
let runner: CaseRunner
beforeAll(async () => {
  session = new Session(nodeAssets())
  runner = await CaseRunner.create(nodeAssets())
  await session.ready
})

const caseOf = ({ name, graph, shapes, files, passes, environment }: Workspace) => ({
  id: name,
  pattern_py: '',
  files: pythonFiles({ files }),
  graph: graph.text,
  ...(shapes && { readable: shapes.text }),
  ...(passes && { passes }),
  ...(environment && { environment }),
})

const countsOf = (report: Pick<Report, 'passes'>): Counts =>
  report.passes.map((p) => [p.name, p.count, p.entries.map((e) => e.fired)])
const withoutEntries = (counts: Counts): Counts => counts.map(([name, count]) => [name, count])

/** Both answers of a case: what `match --json` and `match --cases` print, and what `explain` explains. */
function caseAnswers(workspace: Workspace): { match: Counts; explain: Counts; stages: Stages[] } {
  const input = caseOf(workspace)
  const match = runner.run(input)
  const explain = runner.explain(input)
  return {
    match: match.passes.map((p) => [p.pass, p.count ?? 0]),
    explain: explain.passes.map((p) => [p.pass, p.count, p.entries.map((e) => e.fired)]),
    stages: [match, explain].map((o) => o.stages.map((s) => [s.stage, s.off])),
  }
}

/** The first run of the search for fixes: the files as they are, through the trial's own registry. */
function trialCounts(workspace: Workspace): Counts {
  const trials = session.fixTrials()
  const { passes, total } = trials.run(caseOf(workspace).files)
  const counts = passes.map((p): Counts[number] => {
    const fired = p.toExplain.entries.map((_, i) => p.fired(i))
    return [p.name, p.matches.length, fired]
  })
  expect(total).toBe(counts.reduce((sum, [, count]) => sum + count, 0))
  return counts
}

/** The pipeline's counts for the same graph as a second graph of the workspace. */
function columnCounts(workspace: Workspace): number[][] {
  const { name, text } = workspace.graph
  const other = { name: `other ${name}`, text: `${text}\n`, ...(workspace.shapes && { shapes: workspace.shapes }) }
  const shown = { name, text, ...(workspace.shapes && { shapes: workspace.shapes }) }
  session.analyze({ ...workspace, graphs: [other], graphAt: 1, graph: { name: shown.name, text: shown.text } })
  return [...session.graphColumns()].find((c) => c?.graph === other.name)!.fired
}

const pageStages = ({ pipeline }: Report): Stages =>
  pipeline!.stages
    .filter((s) => s.kind === 'pass' || s.kind === 'call' || (s.kind === 'built-in' && s.at !== null))
    .map((s) => [s.name, s.off?.why ?? null])

const byName = (stages: Stages): Stages => stages.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

function expectEqualCounts(workspace: Workspace): Report {
  const { report } = session.analyze(workspace)
  expect(report.python).toBe(null)
  const page = countsOf(report)
  expect(trialCounts(workspace), 'trial of a fix').toEqual(page)
  const cases = caseAnswers(workspace)
  expect(cases.match, 'match --json').toEqual(withoutEntries(page))
  expect(cases.explain, 'explain').toEqual(page)
  for (const stages of cases.stages) expect(byName(stages)).toEqual(byName(pageStages(report)))
  expect(columnCounts(workspace), 'graph columns').toEqual(page.map(([, , fired]) => fired))
  return report
}

describe('all faces give the same counts', () => {
  it.each(EXAMPLE_IDS)('on the example %s', (id) => {
    expectEqualCounts(exampleWorkspace(id))
  })
})

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

describe('the commands print them', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fusescope-faces-'))
    vi.stubEnv('INIT_CWD', folder)
    writeFileSync(join(folder, 'graph.py'), GRAPH)
    writeFileSync(join(folder, 'passes.py'), PASSES)
    const case_ = { id: 'one', pattern_py: PASSES, graph: GRAPH, passes: LISTED }
    writeFileSync(join(folder, 'cases.jsonl'), `${JSON.stringify(case_)}\n`)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Exit status, stdout and stderr. */
  async function print(...args: string[]): Promise<{ status: number; out: string; err: string }> {
    const texts = { 1: '', 2: '' }
    const show = vi.spyOn(output, 'show').mockImplementation((fd, lines) => void (texts[fd] += `${lines.join('\n')}\n`))
    const write = vi.spyOn(output, 'write').mockImplementation((fd, text) => void (texts[fd] += text))
    const json = vi.spyOn(output, 'writeJson').mockImplementation((value) => void (texts[1] += JSON.stringify(value)))
    const complain = vi.spyOn(output, 'complain').mockImplementation((text) => void (texts[2] += `${text}\n`))
    try {
      const status = await fusescope(args)
      return { status, out: texts[1], err: texts[2] }
    } finally {
      for (const spy of [show, write, json]) spy.mockRestore()
      complain.mockRestore()
      releasePython()
    }
  }

  it('in each of their forms', async () => {
    const inputs = ['--graph', 'graph.py', '--pattern', 'passes.py', '--pass', ...LISTED]
    const page = withoutEntries(countsOf(session.analyze(workspaceOf(LISTED)).report))
    const total = page.reduce((sum, [, count]) => sum + count, 0)
    const text = await print('match', ...inputs, '--expect', String(total))
    expect(text).toMatchObject({
      status: 0,
      err: 'passes.py: the pass manager.Refused.patterns is off (not-applicable).\n',
    })
    const counts = [...text.out.matchAll(/^(\S+): (\d+) match/gm)].map(([, name, count]) => [name, Number(count)])
    expect(counts).toEqual(page)
    const json = await print('match', ...inputs, '--json', '--expect', String(total))
    const lines = await print('match', '--cases', 'cases.jsonl', '--json')
    for (const { status, out } of [json, lines]) {
      const { passes } = JSON.parse(out) as { passes: { pass: string; count: number }[] }
      expect({ status, passes: passes.map((p) => [p.pass, p.count]) }).toEqual({ status: 0, passes: page })
    }
    expect((await print('explain', ...inputs, '--quick', '--json')).status).toBe(0)
  })
})
