/** Selections that several calls fit, that equal places overlap, or that feed their own inputs. */
import { expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { MadePattern } from './types'
import { PatternMaker } from './pattern_maker'

const maker = await PatternMaker.create(nodeAssets())

function made(graph: string, nodes: string[]): MadePattern {
  const answer = maker.make({ id: 'graph', graph, nodes })
  if (!answer.ok) throw new Error(answer.error)
  return answer.value
}

function refusal(graph: string, nodes: string[]): string | null {
  const answer = maker.make({ id: 'graph', graph, nodes })
  return answer.ok ? null : answer.error
}

const CHAIN = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[8][1]cpu"):
        a: "f32[8][1]cpu" = torch.ops.aten.neg.default(x)
        b: "f32[8][1]cpu" = torch.ops.aten.relu.default(a)
        c: "f32[8][1]cpu" = torch.ops.aten.relu.default(b)
        d: "f32[8][1]cpu" = torch.ops.aten.relu.default(c)
        e: "f32[8][1]cpu" = torch.ops.aten.relu.default(d)
        f: "f32[8][1]cpu" = torch.ops.aten.relu.default(e)
        h: "f32[8][1]cpu" = torch.ops.aten.relu.default(f)
        g: "f32[8][1]cpu" = torch.ops.aten.sin.default(h)
        return (g,)
`

it('tells the selection from equal places that overlap it', () => {
  expect(made(CHAIN, ['f', 'h'])).toMatchObject({ matches: 3, notes: [] })
  const first = made(CHAIN, ['b', 'c', 'd', 'e'])
  expect(first).toMatchObject({ matches: 1, places: [['b', 'c', 'd', 'e']] })
  expect(first.python).toContain('return match.kwargs["x"].target is not torch.ops.aten.relu.default')
  expect(first.notes[0]).toMatch(/^Equal places overlap the selection/)
  expect(made(CHAIN, ['e', 'f']).python).toContain(
    'return any(user.target is torch.ops.aten.relu.default for user in match.output_node().users)',
  )
  expect(made(CHAIN, ['c', 'd']).python).toContain('return match.output_node().name == "d"')
})

const ROTATED = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4, 8][8, 1]cpu"):
        neg: "f32[4, 8][8, 1]cpu" = torch.ops.aten.neg.default(x)
        low: "f32[4, 4][8, 1]cpu" = torch.ops.aten.slice.Tensor(neg, 1, 0, 4)
        high: "f32[4, 4][8, 1]cpu" = torch.ops.aten.slice.Tensor(neg, 1, 4, 8)
        return (low, high)
`
const EQUAL = ROTATED.replace(
  /return.*/,
  `again: "f32[4, 4][8, 1]cpu" = torch.ops.aten.slice.Tensor(neg, 1, 4, 8)
        third: "f32[4, 4][8, 1]cpu" = torch.ops.aten.slice.Tensor(neg, 1, 4, 8)
        return (low, high, again, third)`,
)

it('compares constants in stage one where another reader fits without them', () => {
  const { form, outputs, notes } = made(ROTATED.replace('(neg, 1, 4', '(x, 1, 4'), ['neg', 'low'])
  expect({ form, outputs, notes }).toEqual({ form: 'traced', outputs: ['low'], notes: [] })
  expect(made(ROTATED, ['low', 'high'])).toMatchObject({ form: 'expression', outputs: ['low', 'high'], notes: [] })
})

it('begins at the later of two equal calls, and finds no third', () => {
  const { outputs, notes } = made(EQUAL, ['high', 'third'])
  expect(outputs).toEqual(['third', 'high'])
  expect(notes).toEqual([
    'Several calls fit in one place, and the matcher takes the first reader of a value: the text does not show their order.',
  ])
  expect(refusal(EQUAL, ['high', 'again', 'third'])).toMatch(
    /^%high and %\w+ are the same call on the same inputs: PyTorch binds both to the first/,
  )
})

const FED = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4, 4][4, 1]cpu", w: "f32[4, 4][4, 1]cpu"):
        mm: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(x, w)
        relu: "f32[4, 4][4, 1]cpu" = torch.ops.aten.relu.default(mm)
        add: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(mm, relu)
        return (add,)
`

it('keeps a node from which an input is computed', () => {
  const { form, python, outputs, notes } = made(FED, ['mm', 'add'])
  expect({ form, outputs }).toEqual({ form: 'expression', outputs: ['add'] })
  expect(python).toContain('mm = CallFunction(torch.ops.aten.mm.default, x, mat2, _users=MULTIPLE)')
  expect(python).toContain('def pattern(x, mat2, other):')
  expect(notes[0]).toMatch(/^%mm stays in the graph, because inputs of the selection are computed from it/)
})

const IN_PLACE = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4, 4][4, 1]cpu", w: "f32[4, 4][4, 1]cpu"):
        view: "f32[16][1]cpu" = torch.ops.aten.view.default(x, [16])
        relu_: "f32[16][1]cpu" = torch.ops.aten.relu_.default(view)
        mm: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(x, w)
        add_: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add_.Tensor(mm, w)
        exp: "f32[4, 4][4, 1]cpu" = torch.ops.aten.exp.default(add_)
        sin: "f32[16][1]cpu" = torch.ops.aten.sin.default(relu_)
        return (exp, sin)
`

it('declares the inputs that the operator writes to', () => {
  expect(made(IN_PLACE, ['relu_']).python).toContain('mutates_args={"x"})')
  expect(made(IN_PLACE, ['add_', 'exp']).python).toContain('mutates_args={"x"})')
  expect(made(IN_PLACE, ['mm']).python).toContain('mutates_args=())')
})
