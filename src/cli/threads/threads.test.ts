/** Cases and graphs run in threads of the real command, and print what one thread prints, in the same order. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'fusescope-threads-'))
const file = join(folder, 'cases.jsonl')
const graph = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4]"):
        relu: "f32[4]" = torch.ops.aten.relu.default(x);  x = None
        return (relu,)
`
const PATTERN = `import os, torch
from torch._inductor.pattern_matcher import *
patterns = PatternMatcherPass()
register_replacement(lambda x: torch.relu(x), lambda x: torch.sigmoid(x), [torch.empty(4)], fwd_only, patterns)
`

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const made = spawnSync(process.execPath, ['scripts/cli.mjs', ...args], { encoding: 'utf8' })
  return { status: made.status, stdout: made.stdout, stderr: made.stderr }
}

describe('threads of the command', () => {
  afterAll(() => rmSync(folder, { recursive: true }))

  it('answer cases in their order, with a bad line, and with one that ends its Python', () => {
    const cases = Array.from({ length: 8 }, (_, i) => ({
      id: `case ${i}`,
      pattern_py: i === 3 ? 'import os\nos._exit(7)\n' : PATTERN,
      graph,
    }))
    const lines = cases.map((c) => JSON.stringify(c))
    lines.splice(5, 0, '{')
    writeFileSync(file, lines.join('\n'))
    const { status, stdout, stderr } = run('match', '--cases', file)
    expect(status).toBe(2)
    expect(stdout.trim().split('\n')).toEqual(
      cases.map(({ id }, i) =>
        i === 3 ? expect.stringContaining(`"${id}": SystemExit: the code ended`) : `"${id}": patterns 1`,
      ),
    )
    expect(stderr).toMatch(/cases\.jsonl:6:1: this line is not valid JSON/)
  })

  it('count parts of a table, of which the merged table is the whole one', () => {
    const graphs = Array.from({ length: 5 }, (_, i) => join(folder, `t${i}.txt`))
    for (const [i, path] of graphs.entries()) writeFileSync(path, i < 2 ? graph : graph.replaceAll('relu', 'sin'))
    const pattern = join(folder, 'table.py')
    writeFileSync(pattern, PATTERN)
    const given = ['table', '--passes', pattern, '--graphs', ...graphs]
    const parts = [1, 2].map((k) => join(folder, `part${k}.json`))
    for (const [i, part] of parts.entries())
      writeFileSync(part, run(...given, '--shard', `${i + 1}/2`, '--json', '--resume', join(folder, 'kept')).stdout)
    const merged = run('table', '--merge', ...parts.toReversed())
    expect(merged.stderr).toBe('')
    expect(merged.stdout).toBe(run(...given, '--resume', join(folder, 'whole')).stdout)
    expect(run('table', '--merge', parts[0]!).stderr).toBe('table: the parts 2/2 are missing.\n')
    expect(run(...given, '--resume', join(folder, 'whole')).stderr).toBe('2 of 2 done by an earlier run.\n')
  })

  it('count the same patterns on each graph', () => {
    const graphs = Array.from({ length: 5 }, (_, i) => join(folder, `g${i}.txt`))
    for (const [i, path] of graphs.entries()) writeFileSync(path, i % 2 === 0 ? graph : graph.replaceAll('relu', 'sin'))
    const pattern = join(folder, 'p.py')
    writeFileSync(pattern, PATTERN)
    const { status, stdout } = run('match', '--graphs', ...graphs, '--pattern', pattern, '--json')
    expect(status).toBe(0)
    const made = JSON.parse(stdout) as { graphs: { graph: string }[]; passes: { entries: { fired: number[] }[] }[] }
    expect(made.graphs.map((g) => g.graph)).toEqual(graphs)
    expect(made.passes[0]!.entries[0]!.fired).toEqual([1, 0, 1, 0, 1])
  })
})
