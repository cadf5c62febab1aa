import { expect, it } from 'vitest'
import { viewOfText } from '../../../engine/cases/graph_file'
import { emptyEntry, emptyPass, emptyReport } from '../../../engine/report/empty'
import { WORKSPACE } from '../../../engine/queries/testing/report_fixture'
import { tracedMarks } from './traced_marks'

const entry = (index: number, dtype: string, line: number) => {
  const pattern = viewOfText(`class G(torch.nn.Module):
    def forward(self, x: "${dtype}[8, 16]"):
        mul: "${dtype}[8, 16]" = torch.ops.aten.mul.Tensor(x, x)
        relu: "${dtype}[8, 16]" = torch.ops.aten.relu.default(mul)
        return (relu,)`)
  const nodes = pattern.nodes.map((n) =>
    n.op === 'call_function' ? { ...n, source: { file: 'patterns.py', line } } : n,
  )
  return { ...emptyEntry(index, 'search'), pattern: { ...pattern, nodes } }
}
const report = (...entries: ReturnType<typeof entry>[]) => ({
  ...emptyReport(),
  passes: [{ ...emptyPass('patterns'), entries }],
})

it('shows the nodes of a line with the last one’s type', () => {
  expect(tracedMarks('patterns.py', WORKSPACE, report(entry(0, 'f32', 4)))).toEqual([
    { line: 4, text: 'mul → relu: f32[8, 16]', hover: 'mul: f32[8, 16]  \nrelu: f32[8, 16]' },
  ])
})

it('counts the texts of further variants', () => {
  const marks = tracedMarks(
    'patterns.py',
    WORKSPACE,
    report(entry(0, 'f32', 4), entry(1, 'f16', 4), entry(2, 'f32', 4)),
  )
  expect(marks.map((m) => m.text)).toEqual(['mul → relu: f32[8, 16] (+1)'])
  expect(tracedMarks('other.py', WORKSPACE, report(entry(0, 'f32', 4)))).toEqual([])
})
