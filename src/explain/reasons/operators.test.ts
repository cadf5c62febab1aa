import { describe, expect, it } from 'vitest'
import { read, type Graph } from '../../fx'
import { decompositionAt, isPlainCopy } from './operators'

function graphOf(...lines: string[]): Graph {
  const text = `class G(torch.nn.Module):\n    def forward(self, x: "f32[4, 8]", w: "f32[8]"):\n${lines.map((l) => `        ${l}`).join('\n')}`
  return read(text, 'graph.txt').graph
}
const names = (g: Graph, operator: string, end: string): string[] | null =>
  decompositionAt(operator, g.find(end)!)?.map((n) => n.name) ?? null

describe('a decomposition', () => {
  it('finds a chain that ends where the operator would be', () => {
    const g = graphOf(
      'square: "f32[4, 8]" = torch.ops.aten.pow.Tensor_Scalar(x, 2)',
      'mean: "f32[4, 1]" = torch.ops.aten.mean.dim(square, [-1], True)',
      'add: "f32[4, 1]" = torch.ops.aten.add.Tensor(mean, 1e-06)',
      'rsqrt: "f32[4, 1]" = torch.ops.aten.rsqrt.default(add)',
      'mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(x, rsqrt)',
      'scaled: "f32[4, 8]" = torch.ops.aten.mul.Tensor(mul, w)',
      'return (scaled,)',
    )
    expect(names(g, '_C.rms_norm.default', 'scaled')).toEqual(['square', 'mean', 'rsqrt'])
  })

  it('finds none if the parts are present but not connected', () => {
    const g = graphOf(
      'square: "f32[4, 8]" = torch.ops.aten.pow.Tensor_Scalar(x, 2)',
      'mean: "f32[4, 1]" = torch.ops.aten.mean.dim(x, [-1], True)',
      'rsqrt: "f32[4, 1]" = torch.ops.aten.rsqrt.default(w)',
      'mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(square, rsqrt)',
      'sum_1: "f32[4, 8]" = torch.ops.aten.add.Tensor(mul, mean)',
      'return (sum_1,)',
    )
    expect(names(g, '_C.rms_norm.default', 'sum_1')).toBeNull()
  })

  it('requires more than a product in another dtype for a quantization', () => {
    const g = graphOf(
      'mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(x, w)',
      'half: "bf16[4, 8]" = torch.ops.prims.convert_element_type.default(mul, torch.bfloat16)',
      'small: "f8e4m3fn[4, 8]" = torch.ops.prims.convert_element_type.default(mul, torch.float8_e4m3fn)',
      'return (half, small)',
    )
    expect(names(g, '_C.static_quant.default', 'half')).toBeNull()
    expect(names(g, '_C.static_quant.default', 'small')).toEqual(['mul', 'small'])
  })
})

it('does not treat a clone that changes strides as a plain copy', () => {
  const g = graphOf(
    'row: "f32[4, 8][8, 1]cpu" = torch.ops.aten.relu.default(x)',
    'wide: "f32[4, 8][0, 1]cpu" = torch.ops.aten.expand.default(w, [4, 8])',
    'same: "f32[4, 8][8, 1]cpu" = torch.ops.aten.clone.default(row)',
    'dense: "f32[4, 8][8, 1]cpu" = torch.ops.aten.clone.default(wide, memory_format = torch.contiguous_format)',
    'return (same, dense)',
  )
  expect(['same', 'dense', 'row'].map((n) => isPlainCopy(g.find(n)!))).toEqual([true, false, false])
})
