import { expect, test } from 'vitest'
import { read } from './read'

const GRAPH = `ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[4]", b_s: "f32[4]", x: "f32[4]"):
            add: "f32[4]" = torch.ops.aten.add.Tensor(b_s, 1);  b_s = None
            mul: "f32[4]" = torch.ops.aten.mul.Tensor(x, p_w);  x = p_w = None
            return (add, mul)

`
const LINES = `Graph signature:
    # inputs
    p_w: PARAMETER target='layer.w'
    b_s: BUFFER target='layer.s' persistent=False
    x: USER_INPUT

    # outputs
    add: BUFFER_MUTATION target='layer.s'
    mul: USER_OUTPUT

Range constraints: {}
`
const spec = (of: string, kind: string, name: string, target: string, more = ''): string =>
  `${of}Spec(kind=<${of}Kind.${kind}: 1>, arg=TensorArgument(name='${name}'), target=${target}${more})`
const SPECS = `Graph signature: ExportGraphSignature(input_specs=[${[
  spec('Input', 'PARAMETER', 'p_w', "'layer.w'", ', persistent=None'),
  spec('Input', 'BUFFER', 'b_s', "'layer.s'", ',\n persistent=False'),
  spec('Input', 'USER_INPUT', 'x', 'None', ', persistent=None'),
].join(', ')}], output_specs=[${[
  spec('Output', 'BUFFER_MUTATION', 'add', "'layer.s'"),
  spec('Output', 'USER_OUTPUT', 'mul', 'None'),
].join(', ')}])
Range constraints: {}
`
const signatureOf = (text: string): unknown[] => {
  const { graph, problems } = read(text, 'program.txt')
  expect(problems).toEqual([])
  return [...graph.nodes()].flatMap((n) =>
    (n.meta.signature ?? []).map((s) => [n.name, s.kind, s.target, s.persistent]),
  )
}

test.each([
  ['lines', LINES],
  ['specs, broken by a terminal', SPECS],
])('the signature of an exported program is read from %s', (_, signature) => {
  expect(signatureOf(GRAPH + signature)).toEqual([
    ['p_w', 'PARAMETER', 'layer.w', null],
    ['b_s', 'BUFFER', 'layer.s', false],
    ['x', 'USER_INPUT', null, null],
    ['output', 'BUFFER_MUTATION', 'layer.s', null],
    ['output', 'USER_OUTPUT', null, null],
  ])
})

test('a signature of other inputs, or cut off, is not taken', () => {
  expect(signatureOf(GRAPH + LINES.replace('p_w:', 'p_other:'))).toEqual([])
  expect(signatureOf(GRAPH + LINES.slice(0, LINES.indexOf('    x:')))).toEqual([])
})
