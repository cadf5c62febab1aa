import { expect, it } from 'vitest'
import { viewOfText } from '../../../engine/cases/graph_file'
import { emptyPass } from '../../../engine/report/empty'
import { bytesSaved } from './bytes_saved'

const graph = (size: string) => ({
  before: viewOfText(`class G(torch.nn.Module):
    def forward(self, x: "f32[${size}, 16]", w: "f32[16]"):
        mul: "f32[${size}, 16]" = torch.ops.aten.mul.Tensor(x, w)
        view: "f32[${size}, 16]" = torch.ops.aten.view.default(mul, [8, 16])
        relu: "f32[${size}, 16]" = torch.ops.aten.relu.default(view)
        return (relu,)`),
  after: viewOfText(`class G(torch.nn.Module):
    def forward(self, x: "f32[${size}, 16]", w: "f32[16]"):
        fused: "f32[${size}, 16]" = torch.ops.mylib.scaled_relu.default(x, w)
        return (fused,)`),
})
const match = { index: 0, entry: 0, node: 'relu', nodes: ['mul', 'view', 'relu'], outputs: [], inputs: {}, map: [] }
const passes = [{ ...emptyPass('p'), matches: [{ ...match, added: ['fused'] }] }]

it('counts what the replaced nodes read and write, less the replacement', () => {
  const { before, after } = graph('8')
  // mul reads 512 and 64 bytes and writes 512, relu reads and writes 512; fused reads 576 and writes 512.
  expect(bytesSaved(before, after, passes)).toBe(1088 + 1024 - 1088)
})

it('is unknown for symbolic sizes and without a result', () => {
  const { before, after } = graph('s0')
  expect(bytesSaved(before, after, passes)).toBeNull()
  expect(bytesSaved(before, null, passes)).toBeNull()
})
