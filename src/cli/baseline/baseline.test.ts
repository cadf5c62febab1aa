import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatProblem } from '../../fx'
import { file, fusescope, ownFolder } from '../testing/program'
import { baselineText, readBaseline } from './baseline_text'

const cell = (count: number | null, failure: string | null = null) => ({ count, unshaped: 0, failure })
const TABLE = {
  graphs: ['layer_0', 'a "b" # c'],
  rows: [
    { folder: 'fusions', pass: 'silu_pass', patterns: 2, cells: [cell(32), cell(0)] },
    { folder: 'fusions', pass: 'my pass', patterns: 1, cells: [cell(null, 'ValueError: no'), null] },
    { folder: 'empty.py', pass: null, patterns: 0, cells: [cell(null, 'No pass runs.'), cell(null, 'No pass runs.')] },
  ],
}

describe('the text of a baseline', () => {
  it('is what people review, and reads back as what was written', () => {
    const text = baselineText(TABLE)
    expect(text).toBe(`fusescope baseline 1

graph layer_0
  32  fusions  silu_pass
   !  fusions  "my pass"
   !  empty.py

graph "a \\"b\\" # c"
  0  fusions  silu_pass
  !  empty.py
`)
    const read = readBaseline('b.txt', text)
    expect(read.ok && baselineText(read.value)).toBe(text)
    expect(read.ok && read.value.rows[0]!.cells.map((c) => c!.count)).toEqual([32, 0])
  })

  it('keeps names apart that look alike', () => {
    const names = ['a\\u200b', 'a\u200b', 'p q', 'p\nq', '❤️', 'é', '#1', '"']
    const read = readBaseline(
      'b.txt',
      baselineText({
        graphs: names,
        rows: names.map((pass, i) => ({ folder: 'f', pass, patterns: 1, cells: names.map(() => cell(i)) })),
      }),
    )
    expect(read.ok && read.value.graphs).toEqual(names)
    expect(read.ok && read.value.rows.map((r) => [r.pass, r.cells[3]!.count])).toEqual(names.map((n, i) => [n, i]))
  })

  it('is refused with the line that is none', () => {
    const said = (text: string): string => {
      const read = readBaseline('b.txt', text)
      return read.ok ? 'ok' : formatProblem(read.error)
    }
    expect(said('{}')).toMatch(/^b\.txt:1:1: this is not a baseline; expected what fusescope baseline wrote/)
    expect(said('fusescope baseline 1\n# a comment\n\ngraph g\n  many  a  b\n')).toMatch(
      /^b\.txt:5:1: expected "graph NAME" or "COUNT FOLDER PASS", found "many {2}a {2}b"/,
    )
    expect(said('fusescope baseline 1\ngraph g\n  1  a b\n  2  a b\n')).toMatch(
      /^b\.txt:4:1: the pass a b is listed twice for this graph/,
    )
    expect(said('fusescope baseline 1\ngraph g\ngraph g\n')).toMatch(/^b\.txt:3:1: the graph "g" is listed twice/)
    expect(said('fusescope baseline 1\ngraph g\n  1  "a\n')).toMatch(/^b\.txt:3:1: this line has a broken name/)
  })
})

describe('baseline and check', () => {
  ownFolder()
  const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4]"):
        relu: "f32[4]" = torch.ops.aten.relu.default(x);  x = None
        mul: "f32[4]" = torch.ops.aten.mul.Tensor(relu, 2.0);  relu = None
        return (mul,)
`
  const PASSES = `import torch
from torch._inductor.pattern_matcher import *
patterns = PatternMatcherPass()
register_replacement(lambda x: torch.relu(x) * 2.0, lambda x: torch.sigmoid(x), [torch.empty(4)], fwd_only, patterns)
`

  it('say what is lost and why, in the terminal, as JUnit and as Markdown', async () => {
    const given = ['--passes', file('passes.py', PASSES), '--graphs', file('g.txt', GRAPH)]
    const made = await fusescope('baseline', ...given)
    expect(made).toEqual({
      status: 0,
      out: 'fusescope baseline 1\n\ngraph g.txt\n  1  passes.py  patterns\n',
      err: '',
    })
    const baseline = ['--baseline', file('baseline.txt', made.out)]
    expect(await fusescope('check', ...baseline, ...given)).toEqual({
      status: 0,
      out: 'Nothing is lost: 1 count of the baseline holds.\n',
      err: '',
    })

    file('g.txt', GRAPH.replace('2.0', '3.0'))
    const lost = await fusescope('check', ...baseline, ...given, '--junit', 'junit.xml', '--markdown', 'check.md')
    expect(lost.status).toBe(1)
    expect(lost.out).toMatch(/^Lost: 1 of 1 count of the baseline\.\n/)
    expect(lost.out).toMatch(/ {2}passes\.py patterns on g\.txt: 1 → 0 matches\n {6}.*3\.0/)
    const text = (name: string): string => readFileSync(join(process.env.INIT_CWD!, name), 'utf8')
    expect(text('junit.xml')).toMatch(/tests="1" failures="1"[^]*<failure message="1 → 0 matches">.*3\.0/)
    expect(text('check.md')).toMatch(/\| passes\.py patterns \| g\.txt \| 1 → 0 matches<br>.*3\.0/)

    symlinkSync('away.xml', join(process.env.INIT_CWD!, 'link.xml'))
    const linked = await fusescope('check', ...baseline, ...given, '--junit', 'link.xml')
    expect([linked.status, linked.err]).toEqual([
      2,
      'link.xml: this is a link, and output is never written through links.\n',
    ])
    expect(existsSync(join(process.env.INIT_CWD!, 'away.xml'))).toBe(false)
    symlinkSync(tmpdir(), join(process.env.INIT_CWD!, 'reports'))
    const led = await fusescope('check', ...baseline, ...given, '--junit', 'reports/fusescope-led.xml')
    expect([led.status, led.err]).toEqual([
      2,
      'reports/fusescope-led.xml: its folder is a link out of the current folder; name the folder that it leads to.\n',
    ])
    expect(existsSync(join(tmpdir(), 'fusescope-led.xml'))).toBe(false)

    const other = await fusescope('check', ...baseline, ...given.slice(0, 2), '--graphs', file('h.txt', GRAPH))
    expect(other.status).toBe(1)
    expect(other.out).toContain('The graph g.txt of the baseline was not given.\n')
    expect(other.out).toContain('Not in the baseline; write it again to take it in:\n  graph h.txt: new\n')
  })
})
