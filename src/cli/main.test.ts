/** Runs the program as a user or a CI does: its output, its exit status and its one-line error message. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  asProcess,
  complaint,
  complaintOf,
  example,
  file,
  fusescope,
  graph,
  pattern,
  readable,
  root,
  ownFolder,
} from './testing/program'

ownFolder()

describe('fusescope match --graphs', () => {
  it('counts every pattern on every graph', async () => {
    const other = file('other.txt', readFileSync(graph, 'utf8').replaceAll('aten.add.Tensor', 'aten.sub.Tensor'))
    const { status, out } = await fusescope('match', '--graphs', readable, other, '--pattern', pattern, '--json')
    const { graphs, passes } = JSON.parse(out) as {
      graphs: { graph: string }[]
      passes: { pass: string; entries: { fired: number[] }[] }[]
    }
    expect([status, graphs.map((g) => g.graph)]).toEqual([0, [readable, other]])
    expect(passes.map((p) => p.entries.map((e) => e.fired))).toEqual([[[1, 0]]])
    const table = (await fusescope('match', '--graphs', readable, other, '--pattern', pattern)).out
      .trimEnd()
      .split('\n')
    expect(table.at(-1)).toMatch(/ 1 ·$/)
  })

  it('rejects options that apply to a single graph', async () => {
    expect(await complaint('match', '--graphs', graph, '--pattern', pattern, '--expect', '1')).toMatch(
      /--expect does not go with --graphs/,
    )
    expect(await complaint('match', '--graphs', 'none.txt', '--pattern', pattern)).toMatch(
      /^none\.txt:1:1: the file does not exist/,
    )
  })
})

describe('fusescope print', () => {
  it('prints the exact bytes of print(graph) from either form', () => {
    const text = readFileSync(graph, 'utf8').trimEnd()
    // The encoding of PowerShell's `>`.
    const utf16 = file('utf16.txt', Buffer.from(`\uFEFF${text}`, 'utf16le'))
    for (const source of [graph, join(example, 'fx_graph_readable.py'), utf16])
      expect(asProcess('print', '--graph', source, '--as', 'fx')).toEqual({ status: 0, out: text, err: '' })
  })

  it('reports the file, the line and the expectation for bad input', async () => {
    expect(await complaint('print', '--graph', 'none.txt', '--as', 'fx')).toMatch(
      /^none\.txt:1:1: the file does not exist; expected/,
    )
    file('empty/notes.md', 'none')
    expect(complaintOf(asProcess('print', '--graph', 'empty', '--as', 'fx'))).toMatch(/folder/)
    file('binary.bin', new Uint8Array([0x50, 0, 1, 2]))
    expect(await complaint('print', '--graph', 'binary.bin', '--as', 'fx')).toMatch(/binary file; expected/)
    file('latin.txt', new Uint8Array([0x67, 0xe9, 0x0a]))
    expect(await complaint('print', '--graph', 'latin.txt', '--as', 'fx')).toMatch(/UTF-8/)
    file(
      'cycle.txt',
      readFileSync(graph, 'utf8').replace('(args = (%arg0_1, torch', '(args = (%convert_element_type, torch'),
    )
    expect(await complaint('print', '--graph', 'cycle.txt', '--as', 'fx')).toMatch(
      /^cycle\.txt:5:\d+: .*without cycles/,
    )
    file('bad.txt', readFileSync(graph, 'utf8').replace('(%arg0_1, torch.bfloat16)', '(%arg0_1, torch.bfloat16'))
    file('brackets.txt', `graph():\n    %x : [num_users=0] = placeholder[target=x](default=${'['.repeat(100_000)})\n`)
    expect(await complaint('print', '--graph', 'brackets.txt', '--as', 'fx')).toMatch(/^brackets\.txt:2:/)
    expect(await complaint('print', '--graph', 'x')).toMatch(/--as needs fx or readable/)
  })

  it('prints what could be read, and reports the line that could not', async () => {
    file('bad.txt', readFileSync(graph, 'utf8').replace('(%arg0_1, torch.bfloat16)', '(%arg0_1, torch.bfloat16'))
    const { status, out, err } = await fusescope('print', '--graph', 'bad.txt', '--as', 'fx')
    expect(status).toBe(0)
    expect(out.split('\n')).toHaveLength(readFileSync(graph, 'utf8').trimEnd().split('\n').length)
    expect(err).toMatch(/^bad\.txt:5:\d+: [^\n]*\n$/)
  })

  it('names every graph of a log, and reads the last', async () => {
    const log = join(root, 'conformance/dumps/texts/log.post_grad.txt')
    const { status, out, err } = await fusescope('print', '--graph', log, '--as', 'readable')
    expect({ status, first: out.split('\n')[0] }).toEqual({ status: 0, first: 'class <lambda>(torch.nn.Module):' })
    expect(err).toContain('2 graphs; ')
    expect(err).toContain('@1  pre_grad_graphs BEFORE PRE GRAD (line 3)')
    const first = await fusescope('print', '--graph', `${log}@1`, '--as', 'readable')
    expect(first).toMatchObject({ status: 0, err: '' })
    expect(first.out).toContain('L_x_')
  })

  it('reads a .pt2, a TORCH_TRACE log and a folder of passes', async () => {
    const dumps = join(root, 'conformance/dumps')
    const program = await fusescope('print', '--graph', join(dumps, 'pt2/norm.pt2'), '--as', 'fx')
    expect(program.out).toBe(readFileSync(join(dumps, 'pt2/norm.graph.txt'), 'utf8').trimEnd())
    const trace = await fusescope('print', '--graph', join(dumps, 'trace/train.log'), '--as', 'fx')
    expect(trace).toMatchObject({ status: 0, err: expect.stringContaining('train.log@7 is read') })
    const text = readFileSync(graph, 'utf8')
    for (const name of ['post_grad.0.A.before.py', 'post_grad.0.A.after.py']) file(`passes/${name}`, text)
    const folder = await fusescope('print', '--graph', 'passes', '--as', 'fx')
    expect(folder).toMatchObject({ status: 0, err: expect.stringContaining('passes@2  0.A.after') })
  })
})

describe('fusescope match', () => {
  it('counts what code replaced and not what it searched for, as text and as JSON', async () => {
    file(
      'x.txt',
      'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, 0.5), kwargs = {})\n    return mul',
    )
    file(
      'loop.py',
      `import torch
from torch.fx.passes.utils.matcher_utils import SubgraphMatcher
def half(x):
    return torch.ops.aten.mul.Tensor(x, 0.5)
def run(gm):
    assert len(SubgraphMatcher(torch.fx.symbolic_trace(half).graph).match(gm.graph)) == 1
`,
    )
    for (const form of [[], ['--json']]) {
      const args = ['--graph', 'x.txt', '--pattern', 'loop.py', '--pass', 'run', '--expect', '0', ...form]
      const { status, err } = await fusescope('match', ...args)
      expect({ status, err }).toEqual({ status: 0, err: '' })
    }
  })

  it('prints the matches, and checks the expected count', async () => {
    const compared = await fusescope('match', '--graph', readable, '--pattern', pattern, '--numbers')
    expect(compared.out).toMatch(/: fires, and the numbers|: fires; the numbers were not compared/)
    const met = await fusescope('match', '--graph', readable, '--pattern', pattern, '--expect', '1')
    expect(met).toMatchObject({ status: 0, err: '' })
    expect(met.out).toMatch(/^patterns: 1 match from 1 pattern/)
    const missed = asProcess('match', '--graph', readable, '--pattern', pattern, '--expect', '2')
    expect(missed).toMatchObject({ status: 1, err: 'expected 2 matches, found 1.\n' })
  })

  it('prints the whole result as JSON', () => {
    const { status, out } = asProcess('match', '--graph', graph, '--readable', readable, '--pattern', pattern, '--json')
    const output = JSON.parse(out) as {
      register_error: null
      passes: { pass: string; count: number; graph_after: string }[]
    }
    expect(status).toBe(0)
    expect(output).toMatchObject({ register_error: null, passes: [{ pass: 'patterns', count: 1 }] })
    const after = readFileSync(join(root, 'conformance/examples/rms-norm-int8.after.txt'), 'utf8').trimEnd()
    expect(output.passes[0]?.graph_after).toBe(after)
  })

  it('reports the position of a Python error', async () => {
    file('syntax.py', 'import torch\ndef f(:\n')
    expect(await complaint('match', '--graph', graph, '--pattern', 'syntax.py')).toMatch(/^syntax\.py:2: SyntaxError: /)
    file('raises.py', 'import torch\n\ndef f():\n    raise ValueError("no\\nway")\n\nf()\n')
    expect(await complaint('match', '--graph', graph, '--pattern', 'raises.py')).toMatch(
      /^raises\.py:4: ValueError: no way$/,
    )
    const asJson = await fusescope('match', '--graph', graph, '--pattern', 'syntax.py', '--json')
    expect(asJson.err).toMatch(/^syntax\.py:2: SyntaxError: /)
    expect(JSON.parse(asJson.out)).toMatchObject({ register_error: expect.stringMatching(/\(syntax\.py, line 2\)$/) })
    file('nothing.py', 'x = 1\n')
    const { status, err } = await fusescope('match', '--graph', graph, '--pattern', 'nothing.py')
    expect({ status, err }).toEqual({
      status: 2,
      err: 'nothing.py:1:1: no pass was found; expected a PatternMatcherPass, a function in a hook of torch._inductor.config, a PassBase, or a function that takes a graph; the files define no function and no class.\n',
    })
  })

  it('prints one line per case, and continues after a bad line', async () => {
    const good = { id: 'a', pattern_py: readFileSync(pattern, 'utf8'), graph: readFileSync(readable, 'utf8') }
    const raises = { ...good, id: 'b', pattern_py: 'raise KeyError("k")' }
    file('cases.jsonl', [good, raises].map((c) => JSON.stringify(c)).join('\n') + '\n')
    const both = await fusescope('match', '--cases', 'cases.jsonl', '--json')
    expect(both.status).toBe(0)
    const lines = both.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toMatchObject([
      { id: 'a', register_error: null, passes: [{ count: 1 }] },
      { id: 'b', register_error: "KeyError: 'k'", passes: [] },
    ])
    file('broken.jsonl', `{"id": 1}\n\n{oops\n${JSON.stringify(good)}\n`)
    file('empty.jsonl', '\n')
    expect(await complaint('match', '--cases', 'empty.jsonl')).toMatch(/^empty\.jsonl:1:1: the file is empty; expected/)
    const result = await fusescope('match', '--cases', 'broken.jsonl', '--json')
    expect(result.status).toBe(2)
    expect(result.out.trimEnd().split('\n')).toHaveLength(3)
    expect(result.err).toMatch(
      /^broken\.jsonl:1:1: id: expected a string, found 1[^\n]*\nbroken\.jsonl:3:1: this line is not valid JSON[^\n]*\n$/,
    )
  })
})

describe('fusescope passes', () => {
  it('lists the passes in order with their effect and uuid, and reports an unknown pass', async () => {
    const { status, out } = await fusescope('passes', '--graph', readable, '--pattern', pattern, '--json')
    const { uuid, stages } = JSON.parse(out) as { uuid: string; stages: { stage: string; at: number; nodes: number }[] }
    expect(status).toBe(0)
    expect(uuid).toMatch(/^[0-9a-f]{64}$/)
    const acting = stages.filter((s) => s.at !== null)
    expect(acting.map((s) => s.at)).toEqual(acting.map((_, i) => i + 1))
    expect(stages.map((s) => s.stage)).toContain('inductor:decompose_auto_functionalized')
    expect(stages.at(-1)!.stage).toBe('eliminate_dead_code')
    const lost = await fusescope('passes', '--graph', readable, '--pattern', pattern, '--pass', 'lost')
    expect([lost.status, lost.out]).toEqual([2, expect.stringContaining('lost: off (not-defined)')])
    expect(lost.err).toMatch(/there is no pass called lost; expected/)
  })
})

describe('fusescope passes --workspace', () => {
  it('takes the environment and the passes from a saved workspace', async () => {
    const saved = fileURLToPath(new URL('../../public/examples/ascend-streams/workspace.json', import.meta.url))
    const { status, out } = await fusescope('passes', '--workspace', saved)
    expect(status).toBe(0)
    expect(out).toMatch(/-  patterns: off \(other-path\)\n(.*\n)*? {3}enable_npugraph_ex = True because the flag/)
    expect(out).toContain('1  npugraph_ex.patterns: +8 -12 nodes, 35 after')
    file('no.json', '{"v": 1')
    expect(await complaint('passes', '--workspace', 'no.json')).toMatch(/^no\.json:1:1: no\.json is not valid JSON/)
    file('other.json', '{"name": 3}')
    expect(await complaint('passes', '--workspace', 'other.json')).toMatch(
      /this is not a workspace: name: .*; expected a workspace/,
    )
  })
})

describe('fusescope export', () => {
  it('writes the script of an example, with what is inferred on stderr', async () => {
    const { status, out, err } = await fusescope('export', '--workspace', 'ascend-streams')
    expect(status).toBe(0)
    expect(out).toContain("('apply', ['npugraph_ex.patterns'])")
    expect(out).toContain(
      "EXPECTED = {\n    'two_streams.py': {'npugraph_ex.patterns': 2},\n    'one_stream.py': {'npugraph_ex.patterns': 4},\n}",
    )
    expect(err).toContain('The schema of npu::npu_quant_matmul is inferred from its calls')
    expect(await complaint('export', '--workspace', 'no-such-example')).toMatch(
      /the file does not exist; expected a workspace/,
    )
  })
})

describe('fusescope test', () => {
  it('runs the tests of a pass and fails with the line of the assertion', async () => {
    const tests = file(
      'test_fusion.py',
      `from fusion import patterns
def test_count(graph):
    assert patterns.apply(graph) == 1
def test_more(graph):
    assert patterns.apply(graph) > 1
`,
    )
    expect(await fusescope('test', '--graph', readable, '--pattern', pattern, tests)).toEqual({
      status: 1,
      out: `passed  test_fusion.py:2: test_count
failed  test_fusion.py:5: test_more: 1 > 1 is false
1 test passed, 1 failed
`,
      err: '',
    })
  })

  it('reports files without a test', async () => {
    expect(await complaint('test', '--graph', readable, '--pattern', pattern)).toMatch(
      /no test was found; expected a test/,
    )
  })
})
