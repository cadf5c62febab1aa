/** Arguments that an undeclared operator writes, by its functionalized calls. */
import { expect, it } from 'vitest'
import { read } from '../../fx'
import { inferredText } from './inferred_schema'
import { callsIn } from './operator_calls'

const schemaOf = (call: string, results: string): string => {
  const { graph } = read(
    `class <lambda>(torch.nn.Module):
    def forward(self, pos: "i64[8][1]cpu", q: "bf16[8, 64][64, 1]cpu", k: "bf16[8, 64][64, 1]cpu"):
        f = ${call}
${results}
        return (a,)
`,
    'graph',
  )
  return inferredText('_C.rotary.default', callsIn(graph))
}

it('finds written arguments by the metadata of the results that the graph reads', () => {
  const call =
    'torch.ops.higher_order.auto_functionalized(torch.ops._C.rotary.default, positions = pos, query = q, key = k)'
  const two = `        a: "bf16[8, 64][64, 1]cpu" = f[1]
        b: "bf16[8, 64][64, 1]cpu" = f[2]`
  expect(schemaOf(call, two)).toBe('rotary(Tensor positions, Tensor! query, Tensor! key) -> ()')
  const one = '        a: "bf16[8, 64][64, 1]cpu" = f[1]'
  expect(schemaOf(call, one)).toBe('rotary(Tensor positions, Tensor! query, Tensor key) -> ()')
})

it('takes the arguments that version 2 names', () => {
  const call =
    'torch.ops.higher_order.auto_functionalized_v2(torch.ops._C.rotary.default, positions = pos, _query_base_index = 0, _key_base_index = 1, _all_bases = [q, k])'
  const results = '        a: "bf16[8, 64][64, 1]cpu" = f[1]'
  expect(schemaOf(call, results)).toBe('rotary(Tensor positions, Tensor! query, Tensor! key) -> ()')
})
