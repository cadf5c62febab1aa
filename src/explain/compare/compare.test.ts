import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printGraph, read } from '../../fx'
import { compareGraphs } from './changes'
import { disguised } from './testing/disguise'
import { undo } from './undo'

/** Two layers of mm, relu, add, and a quantization. */
const LINES = [
  'mm: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mm.default(x, w)',
  'relu: "f32[8, 16][16, 1]cpu" = torch.ops.aten.relu.default(mm)',
  'add: "f32[8, 16][16, 1]cpu" = torch.ops.aten.add.Tensor(relu, x)',
  'mm_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mm.default(add, w1)',
  'relu_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.relu.default(mm_1)',
  'add_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.add.Tensor(relu_1, add)',
  'mul: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mul.Scalar(add_1, 0.5)',
  'cast: "f16[8, 16][16, 1]cpu" = torch.ops.prims.convert_element_type.default(mul, torch.float16)',
]
const PARAMETERS = 'x: "f32[8, 16][16, 1]cpu", w: "f32[16, 16][16, 1]cpu", w1: "f32[16, 16][16, 1]cpu"'

const text = (lines: readonly string[], parameters = PARAMETERS, result = '(cast,)'): string =>
  `class <lambda>(torch.nn.Module):\n    def forward(self, ${parameters}):\n${lines.map((l) => `        ${l}\n`).join('')}        return ${result}`
const graphOf = (source: string) => read(source, 'graph.txt').graph
const OLD = text(LINES)

/** The changes between the two layers above and an edited form, under other names and in another order. */
function changesTo(source: string) {
  const old = graphOf(OLD)
  const { changes } = compareGraphs(old, disguised(graphOf(source), 7))
  return changes
}
const summary = (source: string): string[] => changesTo(source).map((c) => `${c.kind}: ${c.detail}`)
const edit = (find: string, by: string): string => {
  expect(OLD).toContain(find)
  return OLD.replace(find, by)
}

describe('the changes between two graphs', () => {
  it.each<[string, string, string[]]>([
    ['nothing', OLD, []],
    [
      'a target',
      edit('aten.relu.default(mm_1)', 'aten.gelu.default(mm_1)'),
      ['target: aten.relu.default → aten.gelu.default'],
    ],
    [
      'a target with other arguments',
      edit('aten.mul.Scalar(add_1, 0.5)', 'aten.sub.Tensor(add_1, add_1)'),
      ['target: aten.mul.Scalar(%, 0.5) → aten.sub.Tensor(%, %)'],
    ],
    ['an overload', edit('aten.mul.Scalar(', 'aten.mul.Tensor('), ['overload: aten.mul.Scalar → aten.mul.Tensor']],
    ['a constant', edit('0.5', '0.25'), ['constant: aten.mul.Scalar argument 2: 0.5 → 0.25']],
    [
      'a keyword argument',
      edit('add.Tensor(relu_1, add)', 'add.Tensor(relu_1, add, alpha = 2)'),
      ['argument: aten.add.Tensor(%, %) → (%, %, alpha=2)'],
    ],
    [
      'swapped inputs',
      edit('add.Tensor(relu_1, add)', 'add.Tensor(add, relu_1)'),
      ['wiring: order of the inputs of aten.add.Tensor'],
    ],
    [
      'an inserted node',
      text([
        ...LINES.slice(0, 4),
        'clone: "f32[8, 16][16, 1]cpu" = torch.ops.aten.clone.default(mm_1)',
        LINES[4]!.replace('(mm_1)', '(clone)'),
        ...LINES.slice(5),
      ]),
      ['inserted: aten.clone.default(%)'],
    ],
    [
      'a node that reads an intermediate value',
      text([...LINES, 'abs_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.abs.default(mm)'], PARAMETERS, '(cast, abs_1)'),
      ['inserted: aten.abs.default(%)'],
    ],
    [
      'a removed node',
      text([...LINES.slice(0, 4), LINES[5]!.replace('relu_1', 'mm_1'), ...LINES.slice(6)]),
      ['removed: aten.relu.default(%)'],
    ],
    [
      'an operator replaced by two',
      text([
        ...LINES.slice(0, 4),
        'sigmoid: "f32[8, 16][16, 1]cpu" = torch.ops.aten.sigmoid.default(mm_1)',
        'silu: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mul.Tensor(mm_1, sigmoid)',
        LINES[5]!.replace('relu_1', 'silu'),
        ...LINES.slice(6),
      ]),
      ['replaced: aten.relu.default(%) → aten.sigmoid.default(%); aten.mul.Tensor(%, %)'],
    ],
    [
      'a dtype',
      OLD.replaceAll('f32[', 'bf16['),
      ['dtype: float32 → bfloat16', 'dtype: float32 → bfloat16', 'dtype: float32 → bfloat16'],
    ],
    [
      'a shape of an input and of all that follows',
      OLD.replaceAll('f32[8, 16]', 'f32[4, 16]').replace('f16[8, 16]', 'f16[4, 16]'),
      ['shape: [8, 16] → [4, 16]'],
    ],
    ['strides', edit('w: "f32[16, 16][16, 1]cpu"', 'w: "f32[16, 16][1, 16]cpu"'), ['stride: [16, 1] → [1, 16]']],
    [
      'a device',
      OLD.replaceAll('cpu"', 'cuda:0"'),
      ['device: cpu → cuda:0', 'device: cpu → cuda:0', 'device: cpu → cuda:0'],
    ],
    [
      'node.meta',
      OLD.replace(
        `        ${LINES[4]}`,
        `        # stream_label: side # No stacktrace found for following nodes\n        ${LINES[4]}\n        # No stacktrace found for following nodes`,
      ),
      ['metadata: [{},{}] → [{},{"stream_label":"side"}]'],
    ],
    [
      'a repeated layer less',
      text(
        [...LINES.slice(0, 3), ...LINES.slice(6)].map((l) => l.replace('add_1', 'add')),
        'x: "f32[8, 16][16, 1]cpu", w: "f32[16, 16][16, 1]cpu"',
      ),
      ['removed: '],
    ],
  ])('%s', (name, source, expected) => {
    if (name === 'a repeated layer less') {
      const changes = changesTo(source)
      expect(changes.map((c) => c.kind)).toEqual(['removed'])
      // Either of two equal layers.
      expect(
        changes[0]!.removed
          .map((n) => n.target)
          .sort()
          .slice(0, 3),
      ).toEqual(['aten.add.Tensor', 'aten.mm.default', 'aten.relu.default'])
      expect(changes[0]!.removed).toHaveLength(4)
    } else expect(summary(source)).toEqual(expected)
  })

  it('ignore the names of symbolic sizes', () => {
    const symbolic = (s: string): string => OLD.replaceAll('[8, 16]', `[${s}, 16]`)
    const { changes } = compareGraphs(graphOf(symbolic('s72')), disguised(graphOf(symbolic('s0')), 3))
    expect(changes).toEqual([])
  })
})

describe('an undone change', () => {
  it.each([
    ['aten.relu.default(mm_1)', 'aten.gelu.default(mm_1)'],
    ['0.5', '0.25'],
    ['add.Tensor(relu_1, add)', 'add.Tensor(add, relu_1)'],
    ['w: "f32[16, 16][16, 1]cpu"', 'w: "f32[16, 16][1, 16]cpu"'],
  ])('gives the old graph again: %s', (find, by) => {
    const old = graphOf(OLD)
    const now = graphOf(edit(find, by))
    const found = compareGraphs(old, now)
    expect(printGraph(undo(found.changes, now, found)!.graph)).toBe(printGraph(old))
    expect(compareGraphs(old, undo(found.changes, now, found)!.graph).changes).toEqual([])
  })
})

const folder = new URL('../../../public/examples/', import.meta.url).pathname
const graphs = readdirSync(folder).flatMap((id) => {
  try {
    return [[id, readFileSync(join(folder, id, 'fx_graph_readable.py'), 'utf8')] as const]
  } catch {
    return []
  }
})

it.each(graphs)('%s equals itself under other names and in another order', (_, source) => {
  const graph = graphOf(source)
  const { changes, toNew } = compareGraphs(graph, disguised(graph, 11))
  expect(changes).toEqual([])
  expect(toNew.size).toBe(graph.size)
})
