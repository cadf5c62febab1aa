/** Text of a graph never becomes code: a selection that holds such text is refused, before anything is written or run. */
import { expect, it } from 'vitest'
import { read } from '../../fx'
import { createTracer } from '../../trace'
import { schemasOf } from '../run/registering'
import { makePattern } from './make_pattern'
import type { PatternForm } from './types'
import { quoted } from './python_args'
import { ExampleSizes, sizeCode } from './sym_text'

const schemaOf = schemasOf(createTracer())

/** The answer for `relu` and `b`; a file that is written counts as run. */
function attempt(lines: string, inputs = 'arg0_1: "f32[4][1]cpu", arg1_1: "f32[4][1]cpu"', form?: PatternForm) {
  const { graph } = read(
    `class <lambda>(torch.nn.Module):
    def forward(self, ${inputs}):
        relu: "f32[4][1]cpu" = torch.ops.aten.relu.default(arg0_1)
${lines}
        return (b,)`,
    'graph.txt',
  )
  const ran: string[] = []
  const result = makePattern(graph, ['relu', 'b'], form ? { form } : {}, {
    title: 'graph.txt',
    schemaOf,
    stands: () => false,
    declarations: () => ({ lines: [], untraceable: false }),
    run: (python) => {
      ran.push(python)
      return { error: null, applied: [['relu', 'b']], failure: null }
    },
  })
  return { refused: result.ok ? null : result.error, ran }
}

it.each([
  [
    'an opaque argument',
    '        b = torch.ops.aten.add.Tensor(relu, arg1_1, alpha = int((_ for _ in ()).throw(ValueError("RAN"))))',
    /^%b has alpha = "int\(/,
  ],
  [
    'an opaque call with nested code',
    '        b = torch.ops.aten.add.Tensor(relu, arg1_1, alpha = int(getattr(__import__("os"), "system", len)("touch PWNED") >= 0))',
    /keeps as text/,
  ],
  [
    'an opaque item of a list',
    '        b = torch.ops.aten.add.Tensor(relu, arg1_1, mode = [1, torch.foo(print("HELLO"))])',
    /text of a graph never becomes code/,
  ],
  ['a function outside the table', '        b = os.system(relu)', /^%b calls os\.system, which is neither an operator/],
  [
    'a function of torch that is no computation',
    '        b = torch.load(relu)',
    /^%b calls torch\.load, which is neither an operator/,
  ],
])('refuses %s', (_, line, message) => {
  const { refused, ran } = attempt(line)
  expect(refused).toMatch(message)
  expect(ran).toEqual([])
})

it.each([
  ['reads a file', 'torch.ops.aten.from_file.default("x", True, relu)'],
  ['gets a path', 'torch.ops.lib.run.default("/home/x", relu)'],
  [
    'is called by another',
    'torch.ops.higher_order.with_effects(relu, torch.ops.image.write_file.default, "conftest.py", relu)',
  ],
  ['makes a view without bounds', 'torch.ops.inductor._reinterpret_tensor.default(relu, [1], [1], 23472)'],
  ['makes another', 'torch.ops.aten._reshape_alias.default(relu, [4000], [1])'],
  ['frees memory', 'torch.ops.inductor.resize_storage_bytes_.default(relu, 0)'],
  ['prints', 'torch.ops.aten._print.default("::add-mask::a", relu)'],
  ['gets assembly', 'torch.ops.higher_order.inline_asm_elementwise(relu, asm_str = "trap;")'],
  ['gets a small address', 'torch.ops._C_custom_ar.register_buffer.default(4276993, relu)'],
  ['gets an address from a node', 'torch.ops._C_custom_ar.register_buffer.default(relu, relu)'],
])('names an operator that %s, and never calls it', (_, call) => {
  const { refused, ran } = attempt(`        b: "f32[4][1]cpu" = ${call}`, undefined, 'expression')
  const [callee] = /^[\w.]+/.exec(call)!
  if (refused === null) expect(ran).not.toEqual([])
  for (const file of ran) {
    expect(file).toContain(`CallFunction(${callee}`)
    expect(file).not.toContain(`${callee}(`)
  }
  expect(attempt(`        b: "f32[4][1]cpu" = ${call}`, undefined, 'traced')).toEqual({
    refused: expect.stringMatching(/^A traced pattern calls what it matches, and .*: write this call yourself\.$/),
    ran: [],
  })
})

it('refuses metadata that are no sizes', () => {
  const inputs = 'arg0_1: "f32[exit(), 4]", arg1_1: "f32[4][1]cpu"'
  const { refused, ran } = attempt('        b: "f32[4]" = torch.ops.aten.add.Tensor(relu, arg1_1)', inputs)
  expect(refused).toMatch(/^The metadata of %arg0_1 is not a dtype, sizes and a device/)
  expect(ran).toEqual([])
})

it('writes a selection of operators and literals', () => {
  const { refused, ran } = attempt('        b: "f32[4][1]cpu" = torch.ops.aten.add.Tensor(relu, arg1_1, alpha = 2)')
  expect(refused).toBeNull()
  expect(ran[0]).toContain('b = torch.ops.aten.add.Tensor(relu, other, alpha=2)')
})

it('reads sizes by their syntax, and escapes what hides in a string', () => {
  for (const expr of ['s0*exit()', 's0\n', 's0.x', 'exit()']) {
    expect(sizeCode(expr, [])).toBeNull()
    expect(new ExampleSizes().of(expr)).toBeNull()
  }
  expect(quoted('a"\u2028\u202e\u{e0041}')).toBe('"a\\"\\U00002028\\U0000202e\\U000e0041"')
})
