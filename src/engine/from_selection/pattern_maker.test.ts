import { expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { PatternMaker } from './pattern_maker'

/** An RMS norm, twice; the second has another epsilon. */
const norm = (i: number, eps: string, input: string): string => `
        pow_${i}: "f32[8, 16][16, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(${input}, 2)
        mean_${i}: "f32[8, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_${i}, [-1], True)
        add_${i}: "f32[8, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_${i}, ${eps})
        rsqrt_${i}: "f32[8, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_${i})
        mul_${i}: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mul.Tensor(${input}, rsqrt_${i})`
const GRAPH = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[8, 16][16, 1]cpu"):${norm(1, '1e-06', 'x')}${norm(2, '1e-05', 'mul_1')}
        reshape: "f32[128][1]cpu" = torch.ops.aten.reshape.default(mul_2, [128])
        neg: "f32[128][1]cpu" = torch.ops.aten.neg.default(reshape)
        return (neg,)
`
const NORM = ['pow_1', 'mean_1', 'add_1', 'rsqrt_1', 'mul_1']
const maker = await PatternMaker.create(nodeAssets())

it('writes the constants, or takes them as parameters', () => {
  const written = maker.make({ id: 'norms', graph: GRAPH, nodes: NORM }, { name: 'rms_norm' })
  expect(written.ok && written.value).toMatchObject({
    form: 'traced',
    matches: 1,
    constants: [{ name: 'eps', text: '1e-06', nodes: ['add_1'] }],
    inputs: [{ name: 'x', node: 'x' }],
    outputs: ['mul_1'],
  })
  const parameter = maker.make({ id: 'norms', graph: GRAPH, nodes: NORM }, { name: 'rms_norm', parameters: ['eps'] })
  expect(parameter.ok && parameter.value.matches).toBe(2)
  expect(parameter.ok && parameter.value.python).toContain('scalar_workaround={"eps": 1e-06},')
})

it('traces views as the reshapes that post-grad graphs hold', () => {
  const made = maker.make({ id: 'norms', graph: GRAPH, nodes: ['reshape', 'neg'] })
  expect(made.ok && made.value).toMatchObject({ form: 'traced', matches: 1 })
  expect(made.ok && made.value.python).toContain('view_to_reshape(module)')
})

it('writes a PatternExpr on request', () => {
  const made = maker.make({ id: 'norms', graph: GRAPH, nodes: NORM }, { form: 'expression' })
  expect(made.ok && made.value).toMatchObject({ form: 'expression', matches: 1 })
  expect(made.ok && made.value.python).toContain('CallFunction(torch.ops.aten.add.Tensor, mean, 1e-06)')
})

it('refuses with one sentence', () => {
  const refused = (nodes: string[], options = {}) => {
    const made = maker.make({ id: 'norms', graph: GRAPH, nodes }, options)
    return made.ok ? null : made.error
  }
  expect(refused([])).toBe('No node is selected.')
  expect(refused(['nope'])).toBe('The graph has no node nope.')
  expect(refused(NORM, { name: 'a b' })).toBe('"a b" is not a free name for a Python function.')
  expect(refused(NORM, { parameters: ['scale'] })).toBe(
    'The selection has no constant scale that can be a parameter; it has eps.',
  )
})
